import assert from "node:assert/strict";
import { test } from "node:test";
import { MersenneTwister } from "./mersenne-twister.ts";

function draws(key: readonly number[], count: number): number[] {
  const twister = new MersenneTwister(Uint32Array.from(key));
  return Array.from({ length: count }, () => twister.u32());
}

test("the numbers are those that the authors publish with their program", () => {
  const published = draws([0x123, 0x234, 0x345, 0x456], 1_000);
  assert.deepEqual(
    published.slice(0, 5),
    [1_067_595_299, 955_945_823, 477_289_528, 4_107_218_783, 4_228_976_476],
  );
  assert.deepEqual(
    published.slice(-5),
    [2_643_151_863, 3_896_204_135, 2_416_995_901, 1_397_735_321, 3_460_025_646],
  );
});

test("every word of a key counts, also when it has more words than the state", () => {
  const long = Array.from({ length: 700 }, (_, index) => index);
  const first = draws(long, 1)[0];
  for (const at of [0, 1, 623, 624, 699]) {
    assert.notEqual(draws(long.with(at, 0xffffffff), 1)[0], first, `word ${at}`);
  }
});
