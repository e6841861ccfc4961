/**
 * Claim: for frames of about 100 bytes a checksum in JavaScript is faster than Node's native
 * one, which wins from about 400 bytes on. `src/base/log/checksum.ts` chooses by length.
 */
import { crc32 } from "node:zlib";
import { bySixteen } from "../src/base/log/checksum.ts";

const SUMS = 100_000;
const ROUNDS = 15;
const memory = new Uint8Array(256 * 1024).map((_, at) => at * 7919);
const view = new DataView(memory.buffer);

type Sum = (from: number, to: number, seed: number) => number;

const ways: Readonly<Record<string, Sum>> = {
  "in JavaScript": (from, to, seed) => bySixteen(view, from, to, seed),
  native: (from, to, seed) => crc32(new Uint8Array(memory.buffer, from, to - from), seed),
};

for (const lengthBytes of [16, 100, 200, 400, 800, 4000]) {
  const times = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, sum] of Object.entries(ways)) {
      times.get(name)?.push(nanosecondsPerSum(sum, lengthBytes));
    }
  }
  const figures = [...times].map(([name, each]) => `${name} ${Math.round(median(each))} ns`);
  console.log(`${String(lengthBytes).padStart(5)} bytes: ${figures.join(", ")}`);
}

function nanosecondsPerSum(sum: Sum, lengthBytes: number): number {
  const places = Math.floor(memory.length / lengthBytes);
  let sums = 0;
  const startedAtMs = performance.now();
  for (let count = 0; count < SUMS; count += 1) {
    const from = (count % places) * lengthBytes;
    sums ^= sum(from, from + lengthBytes, count);
  }
  if (sums === 1) console.log("never mind");
  return ((performance.now() - startedAtMs) * 1e6) / SUMS;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, two) => one - two)[Math.floor(numbers.length / 2)] ?? 0;
}
