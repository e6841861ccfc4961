/**
 * Content encodings, as the client accepts them: gzip, deflate with and without its envelope,
 * brotli, zstandard; and what goes wrong with them.
 */
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import type { Header } from "../../../base/seams/index.ts";

export interface Coded {
  readonly body: Uint8Array;
  readonly headers: readonly Header[];
}

interface Coding {
  readonly name: string;
  compress(body: Uint8Array): Uint8Array;
}

/** Fast settings: a web that is crawled in a test is bound by the processor. */
const CODINGS: readonly Coding[] = [
  { name: "gzip", compress: (body) => gzipSync(body, { level: 1 }) },
  { name: "x-gzip", compress: (body) => gzipSync(body, { level: 1 }) },
  { name: "deflate", compress: (body) => deflateSync(body, { level: 1 }) },
  { name: "deflate", compress: (body) => deflateRawSync(body, { level: 1 }) },
  {
    name: "br",
    compress: (body) =>
      brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  },
  {
    name: "zstd",
    compress: (body) =>
      zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  },
];
const GZIP = CODINGS[0] as Coding;
const BOMB_BYTES = 16 * 1024 * 1024;

/** Compressed by the coding that a drawn word chooses, if the client takes it; else as it is. */
export function compressed(body: Uint8Array, word: number, request: readonly Header[]): Coded {
  const accepted = acceptedCodings(request);
  const usable = CODINGS.filter(({ name }) => accepted.has(name === "x-gzip" ? "gzip" : name));
  const coding = usable[word % Math.max(1, usable.length)];
  if (coding === undefined) return { body, headers: [] };
  return { body: coding.compress(body), headers: [["Content-Encoding", coding.name]] };
}

export function compressedTwice(body: Uint8Array, request: readonly Header[]): Coded {
  if (!acceptedCodings(request).has("gzip")) return { body, headers: [] };
  const headers: Header[] = [["Content-Encoding", "gzip, gzip"]];
  return { body: GZIP.compress(GZIP.compress(body)), headers };
}

/** Cut off, damaged, or not compressed at all. */
export function compressedBadly(body: Uint8Array, word: number, request: readonly Header[]): Coded {
  if (!acceptedCodings(request).has("gzip")) return { body, headers: [] };
  const headers: Header[] = [["Content-Encoding", "gzip"]];
  if (word % 3 === 0) return { body, headers };
  const good = GZIP.compress(body);
  if (word % 3 === 1) return { body: good.subarray(0, good.length >>> 1), headers };
  const bad = Uint8Array.from(good);
  bad.fill(0x5a, good.length >>> 1, (good.length >>> 1) + 16);
  return { body: bad, headers };
}

let bomb: Uint8Array | null = null;

/** A little data that decodes to very much. */
export function compressedBomb(request: readonly Header[]): Coded {
  if (!acceptedCodings(request).has("gzip")) return { body: Buffer.from("boom"), headers: [] };
  bomb ??= gzipSync(Buffer.alloc(BOMB_BYTES, " "), { level: 9 });
  return { body: bomb, headers: [["Content-Encoding", "gzip"]] };
}

function acceptedCodings(request: readonly Header[]): ReadonlySet<string> {
  const accepted = new Set<string>();
  for (const [name, value] of request) {
    if (name.toLowerCase() !== "accept-encoding") continue;
    for (const part of value.split(",")) {
      const [coding = "", ...parameters] = part.split(";").map((one) => one.trim().toLowerCase());
      if (!parameters.some((one) => /^q=0(?:\.0*)?$/.test(one))) accepted.add(coding);
    }
  }
  return accepted;
}
