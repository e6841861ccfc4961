import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SeededRandom } from "./seeded-random.ts";
import { Xoshiro } from "./xoshiro.ts";

/** The recurrence of the paper, written once more in the plainest way: whole numbers, no tricks. */
function reference(state: readonly number[]): () => number {
  const words = state.map((word) => BigInt(word >>> 0));
  const mask = 0xffffffffn;
  const rotate = (word: bigint, by: bigint): bigint => ((word << by) | (word >> (32n - by))) & mask;
  return () => {
    let [s0 = 0n, s1 = 0n, s2 = 0n, s3 = 0n] = words;
    const result = (rotate((s1 * 5n) & mask, 7n) * 9n) & mask;
    const shifted = (s1 << 9n) & mask;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= shifted;
    s3 = rotate(s3, 11n);
    words.splice(0, 4, s0, s1, s2, s3);
    return Number(result);
  };
}

test("from the state 1, 2, 3, 4 the generator gives the known numbers", () => {
  const source = new Xoshiro(1, 2, 3, 4);
  const drawn = Array.from({ length: 5 }, () => source.u32());
  assert.deepEqual(drawn, [11520, 0, 5927040, 70819200, 2031721883]);
});

test("from any state the generator follows the recurrence of the paper", () => {
  const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  fc.assert(
    fc.property(word, word, word, word, (a, b, c, d) => {
      fc.pre((a | b | c | d) !== 0);
      const source = new Xoshiro(a, b, c, d);
      const next = reference([a, b, c, d]);
      for (let draw = 0; draw < 20; draw += 1) assert.equal(source.u32(), next());
    }),
  );
});

test("a state of zeros is refused", () => {
  assert.throws(() => new Xoshiro(0, 0, 0, 0), /not zero/);
});

test("what a seed draws never changes, or recorded seeds would lose their meaning", () => {
  const random = new SeededRandom("trobar");
  assert.deepEqual([random.u32(), random.u32()], [182681472, 1986471552]);
  assert.equal(random.u32(), 813271247);
  assert.equal(random.below(1000), 267);
  assert.equal(random.unit(), 0.03513998649823857);
  assert.equal(random.fork("network").u32(), 3703792803);
  assert.equal(new SeededRandom(7).u32(), new SeededRandom("7").u32());
});

test("a bound that is not a whole number from 1 to 2^32 is refused", () => {
  const random = new SeededRandom("bounds");
  for (const bound of [0, -1, 1.5, 2 ** 32 + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => random.below(bound), /bound is in/, String(bound));
  }
});
