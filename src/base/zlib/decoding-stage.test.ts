import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync, constants, deflateRawSync, zstdCompressSync } from "node:zlib";
import { StreamStage } from "./decoding-stage.ts";
import { type CompressionKind, DecompressorPool } from "./decompressor-pool.ts";

const TEXT = Buffer.from("a page of the web, ".repeat(500));
const PACKED: Readonly<Record<CompressionKind, Buffer>> = {
  inflate: deflateRawSync(TEXT),
  br: brotliCompressSync(TEXT),
  zstd: zstdCompressSync(TEXT),
};
const KINDS = Object.keys(PACKED) as CompressionKind[];
const decompressors = new DecompressorPool();

/** Everything that comes out of the input, in steps of this many bytes in and out; null if damaged. */
function unpacked(stage: StreamStage, packed: Uint8Array, stepBytes: number): Buffer | null {
  const pieces: Buffer[] = [];
  let from = 0;
  for (;;) {
    const output = Buffer.alloc(stepBytes);
    const state = stage.run(packed, from, packed.length, output, 0);
    if (state === "damaged") return null;
    from += stage.consumedBytes;
    pieces.push(output.subarray(0, stage.producedBytes));
    if (state !== "full") return Buffer.concat(pieces);
  }
}

for (const kind of KINDS) {
  test(`${kind}: the same bytes come out whatever the steps, and the end is known`, () => {
    for (const stepBytes of [7, 100, 100_000]) {
      const stage = new StreamStage(kind, { decompressors, stepBytes });
      assert.deepEqual(unpacked(stage, PACKED[kind], stepBytes), TEXT);
      assert.ok(stage.isComplete());
      stage.close();
    }
  });

  test(`${kind}: a stream that was cut short is not complete`, () => {
    const stage = new StreamStage(kind, { decompressors, stepBytes: 100_000 });
    const cut = PACKED[kind].subarray(0, PACKED[kind].length - 3);
    assert.ok(unpacked(stage, cut, 100_000) !== null);
    assert.equal(stage.isComplete(), false);
    stage.close();
  });

  test(`${kind}: damage is reported, and the stream is then never complete`, () => {
    const stage = new StreamStage(kind, { decompressors, stepBytes: 100_000 });
    assert.equal(unpacked(stage, Buffer.alloc(1000, 0xff), 100_000), null);
    assert.equal(stage.isComplete(), false);
    stage.close();
  });
}

test("output goes where it is asked to, and nowhere else", () => {
  const stage = new StreamStage("inflate", { decompressors, stepBytes: 100_000 });
  const output = Buffer.alloc(20, "-");
  assert.equal(stage.run(PACKED.inflate, 0, PACKED.inflate.length, output, 15), "full");
  assert.equal(stage.producedBytes, 5);
  assert.equal(output.toString(), `${"-".repeat(15)}a pag`);
  stage.close();
});

test("a zstd frame that wants too long a window is refused", () => {
  const params = { [constants.ZSTD_c_windowLog]: 24, [constants.ZSTD_c_contentSizeFlag]: 0 };
  const stage = new StreamStage("zstd", { decompressors, stepBytes: 2 ** 20 });
  const packed = zstdCompressSync(Buffer.alloc(2 ** 24 + 1), { params });
  assert.equal(stage.run(packed, 0, packed.length, Buffer.alloc(100), 0), "damaged");
  stage.close();
});
