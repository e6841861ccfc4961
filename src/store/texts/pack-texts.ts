/** Makes blocks of texts in the background: lines of JSON, compressed. */
import { constants, zstdCompressSync } from "node:zlib";
import type { Task } from "../../base/seams/index.ts";
import { type KeptText, textLine } from "./kept-text.ts";

/** Each block by its texts. */
type TextsToPack = readonly (readonly KeptText[])[];

export type PackedTexts = readonly Uint8Array<ArrayBuffer>[];

const LEVEL = 3;

export const packTexts: Task<TextsToPack, PackedTexts> = {
  module: import.meta.url,
  name: "packTexts",
  run: (blocks, _world, done) => done(null, blocks.map(packed)),
  moves: { input: () => [], output: (blocks) => blocks.map(({ buffer }) => buffer) },
};

function packed(texts: readonly KeptText[]): Uint8Array<ArrayBuffer> {
  const params = { [constants.ZSTD_c_compressionLevel]: LEVEL };
  return new Uint8Array(zstdCompressSync(texts.map(textLine).join(""), { params }));
}
