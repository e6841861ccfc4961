/**
 * Whether the random numbers are fair. The seeds are fixed, so these tests always give the same
 * result; a fair source exceeds the bounds at most once in a million runs.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "./seeded-random.ts";

const DRAWS = 100_000;

/** Pearson's statistic, as standard deviations above what is expected of a fair source. */
function unfairness(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  const freedom = counts.length - 1;
  return (chiSquare - freedom) / Math.sqrt(2 * freedom);
}

function countInto(buckets: number, draw: (index: number) => number): number[] {
  const counts = new Array<number>(buckets).fill(0);
  for (let index = 0; index < DRAWS; index += 1) {
    const bucket = draw(index);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}

for (const bound of [2, 3, 10, 255, 256, 1000]) {
  test(`below(${bound}) gives each number equally often`, () => {
    const random = new SeededRandom(`below ${bound}`);
    assert.ok(unfairness(countInto(bound, () => random.below(bound))) < 6);
  });
}

test("below() has no bias where the remainder of 2^32 would give a large one", () => {
  const third = 2 ** 30;
  const random = new SeededRandom("thirds");
  const counts = countInto(3, () => Math.floor(random.below(3 * third) / third));
  assert.ok(unfairness(counts) < 6, `${counts} should be thirds; bias would give 2:1:1`);
});

test("every bit of u32() is set half of the time", () => {
  const random = new SeededRandom("bits");
  const set = new Array<number>(32).fill(0);
  for (let index = 0; index < DRAWS; index += 1) {
    const word = random.u32();
    for (let bit = 0; bit < 32; bit += 1) set[bit] = (set[bit] ?? 0) + ((word >>> bit) & 1);
  }
  for (const count of set) assert.ok(Math.abs(count - DRAWS / 2) < 5 * Math.sqrt(DRAWS / 4));
});

test("unit() is spread evenly over its range, in its finest digits too", () => {
  const random = new SeededRandom("unit");
  assert.ok(unfairness(countInto(100, () => Math.floor(random.unit() * 100))) < 6);
  assert.ok(unfairness(countInto(64, () => (random.unit() * 2 ** 53) % 64)) < 6);
});

test("the first draws of neighbouring seeds have nothing in common", () => {
  const first = (index: number): number => new SeededRandom(index).u32();
  assert.ok(unfairness(countInto(256, (index) => first(index) & 255)) < 6);
  assert.ok(unfairness(countInto(256, (index) => first(index) >>> 24)) < 6);
  assert.ok(unfairness(countInto(256, (index) => (first(index) ^ first(index + 1)) >>> 24)) < 6);
});

test("a fork is independent of its parent and of its siblings", () => {
  const parent = new SeededRandom("family");
  const [one, other] = [parent.fork("one"), parent.fork("other")];
  const pairs = countInto(256, () => (one.below(16) << 4) | other.below(16));
  assert.ok(unfairness(pairs) < 6, "two forks of one source are related");
  const child = parent.fork("child");
  const withParent = countInto(256, () => (parent.below(16) << 4) | child.below(16));
  assert.ok(unfairness(withParent) < 6, "a fork is related to its source");
});

test("two hundred thousand labels give two hundred thousand different forks", () => {
  const parent = new SeededRandom("labels");
  const seen = new Set<string>();
  for (let index = 0; index < 2 * DRAWS; index += 1) {
    const fork = parent.fork(`node/${index}`);
    seen.add(`${fork.u32()} ${fork.u32()}`);
  }
  assert.equal(seen.size, 2 * DRAWS);
});
