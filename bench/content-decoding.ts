/**
 * Claim: decoding a page of 25 kB, with its limits, its checks and its place in the spool, costs
 * less than the bare synchronous function of `node:zlib` does, because decompressors are used again
 * and nothing is joined afterwards. The reference is that function on the same bytes in the same
 * run, as it is and with the larger chunks that suit it best.
 */
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateSync,
  zstdCompressSync,
  zstdDecompressSync,
} from "node:zlib";
import { ContentDecoder, DECODING_LIMITS, PooledSpool } from "../src/fetch/index.ts";
import type { Body } from "../src/seams/index.ts";
import { DiskStorage } from "../src/storage/index.ts";
import { SystemClock } from "../src/time/index.ts";
import { compare } from "./rounds.ts";
import { samplePages } from "./sample-pages.ts";

const pages = samplePages(200, 25_000);
const clock = new SystemClock();
const storage = new DiskStorage("/nonexistent");
const spool = new PooledSpool({ memoryBytes: 128 * 2 ** 20, storage, clock });
const decoder = new ContentDecoder({ clock, spool, limits: DECODING_LIMITS });
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

type Decode = (bytes: Uint8Array, options: { chunkSize: number }) => Buffer;

const CODINGS: readonly (readonly [string, (page: Buffer) => Buffer, Decode])[] = [
  ["gzip", (page) => gzipSync(page), gunzipSync],
  ["deflate", (page) => deflateSync(page), inflateSync],
  ["br", (page) => brotliCompressSync(page, QUALITY), brotliDecompressSync],
  ["zstd", (page) => zstdCompressSync(page), zstdDecompressSync],
];

function bodyOf(bytes: Uint8Array): Body {
  const bodies: Body[] = [];
  const sink = spool.open(bytes.length, () => undefined);
  sink.write(bytes, 0, bytes.length);
  sink.end((_error, body) => void (body !== undefined && bodies.push(body)));
  return bodies[0] as Body;
}

/** Length and a byte of each decoded page: enough to see that both did the work. */
function sum(total: number, bytes: Uint8Array | null): number {
  return total + (bytes?.length ?? 0) + (bytes?.[1000] ?? 0);
}

for (const [name, encode, decode] of CODINGS) {
  const encoded = pages.map(encode);
  const bodies = encoded.map(bodyOf);
  const ours = (): number => {
    let total = 0;
    for (const body of bodies) {
      decoder.decode(body, name, (decoded) => {
        total = sum(total, decoded.body.bytes);
        decoded.body.release();
      });
    }
    return total;
  };
  const bare = (chunkSize: number) => (): number =>
    encoded.reduce((total, bytes) => sum(total, decode(bytes, { chunkSize })), 0);
  compare({
    name: `${name}, against zlib`,
    rounds: 31,
    ours,
    reference: bare(16_384),
    promised: 1,
  });
  compare({
    name: `${name}, against zlib in chunks of 64 KiB`,
    rounds: 31,
    ours,
    reference: bare(65_536),
    promised: 1,
  });
  for (const body of bodies) body.release();
}
