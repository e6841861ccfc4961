/**
 * Claim: decoding a page of 25 kB, with its limits, its checks and its place in the spool, costs no
 * more than the bare synchronous function of `node:zlib` does. The references are that function as
 * it is and with the chunk size that suits it best, on the same bytes in the same run. Seconds are
 * of CPU, collector included, and of several batches the spread is printed: the differences are
 * small, and a busy machine hides them from a single figure.
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
import type { Body } from "../src/base/seams/index.ts";
import { DiskStorage } from "../src/base/storage/index.ts";
import { SystemClock } from "../src/base/time/index.ts";
import { ContentDecoder, DECODING_LIMITS, PooledSpool } from "../src/fetch/body/index.ts";
import { samplePages } from "./support/sample-pages.ts";

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

const ROUNDS = 25;
const BATCHES = 5;

function cpuSeconds(work: () => number): number {
  const before = process.cpuUsage();
  work();
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) / 1e6;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

/** Reference time / our time, the median of interleaved rounds. */
function ratio(ours: () => number, reference: () => number): number {
  const times: { ours: number[]; reference: number[] } = { ours: [], reference: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.ours.push(cpuSeconds(ours));
    times.reference.push(cpuSeconds(reference));
  }
  return median(times.reference) / median(times.ours);
}

function report(name: string, ours: () => number, reference: () => number): void {
  if (ours() !== reference()) throw new Error(`${name}: the results differ`);
  const ratios = Array.from({ length: BATCHES }, () => ratio(ours, reference)).sort(
    (one, other) => one - other,
  );
  const [least, most] = [ratios[0], ratios.at(-1)].map((each) => each?.toFixed(2));
  console.log(`${name.padEnd(40)} ratio ${median(ratios).toFixed(2)}   from ${least} to ${most}`);
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
  report(`${name}, against zlib`, ours, bare(16_384));
  report(`${name}, against zlib in large chunks`, ours, bare(65_536));
  for (const body of bodies) body.release();
}
