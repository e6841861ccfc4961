import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SeededRandom } from "../random/index.ts";
import { type KeyColumns, sortKeys } from "./radix-sort.ts";

const isFull = process.env["TROBAR_FULL"] === "1";

type Key = readonly [high: number, low: number];

function columns(keys: readonly Key[]): KeyColumns {
  return {
    highs: Uint32Array.from(keys, ([high]) => high),
    lows: Uint32Array.from(keys, ([, low]) => low),
    indexes: new Uint32Array(keys.length),
  };
}

function checkSorted(keys: readonly Key[]): void {
  const sorted = columns(keys);
  sortKeys(sorted, columns(keys), keys.length);
  const expected = keys
    .map(([high, low], index) => ({ high, low, index }))
    .sort((one, other) => one.high - other.high || one.low - other.low || one.index - other.index);
  const got = keys.map((_, at) => ({
    high: sorted.highs[at],
    low: sorted.lows[at],
    index: sorted.indexes[at],
  }));
  assert.deepEqual(got, expected);
}

/** Words of which many are equal, or equal in their upper or lower bits. */
const word = fc.oneof(
  fc.integer({ min: 0, max: 0xffffffff }),
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom(0xffffffff, 0x80000000, 0x7fffffff, 0x001fffff, 0x00200000),
);

test("keys are sorted as numbers of 64 bits, equal ones by their index", () => {
  const keys = fc.array(fc.tuple(word, word), { maxLength: 300 });
  fc.assert(fc.property(keys, checkSorted), { numRuns: isFull ? 2000 : 100 });
});

for (const [name, mask] of [
  ["even", 0xffffffff],
  ["of one shard", 0x03ffffff],
  ["that differ in low bits only", 0x1f],
  ["that are all equal", 0],
] as const) {
  test(`many keys ${name} are sorted`, () => {
    const random = new SeededRandom(name);
    const draw = (): Key => [(random.u32() & mask) >>> 0, random.u32() & (mask === 0 ? 0 : 0xff)];
    checkSorted(Array.from({ length: 20_000 }, draw));
  });
}

test("only the first keys are sorted when asked", () => {
  const given = columns([
    [3, 0],
    [2, 0],
    [1, 0],
  ]);
  sortKeys(
    given,
    columns([
      [0, 0],
      [0, 0],
    ]),
    2,
  );
  assert.deepEqual([...given.highs], [2, 3, 1]);
});
