import assert from "node:assert/strict";
import { test } from "node:test";
import { HolderSets } from "./holder-sets.ts";

const A = { id: "a", generation: 1 };
const B = { id: "b.2", generation: 7 };

test("the same places have the same number, in any order", () => {
  const sets = new HolderSets(null);
  const number = sets.move(0, [A, B], 3);
  assert.equal(sets.move(0, [B, A], 3), number);
  assert.notEqual(sets.move(0, [A], 3), number);
  assert.deepEqual(sets.placesOf(number), [A, B]);
  assert.equal(sets.count, 3);
  assert.deepEqual([sets.countOf(A), sets.countOf(B)], [3, 2]);
});

test("pages move from set to set, and a set that no page has is forgotten with its number", () => {
  const sets = new HolderSets(null);
  const first = sets.move(0, [A], 3);
  const second = sets.move(first, [A, B], 3);
  assert.deepEqual(sets.placesOf(first), []);
  assert.equal(sets.move(second, [], 3), 0);
  assert.equal(sets.count, 0);
  assert.ok(sets.move(0, [A], 3) > second, "numbers are not used again");
});

test("U6: the same places have another number at another depth, also after a restart", () => {
  const sets = new HolderSets(null);
  const numbers = [3, 2].map((depth) => sets.move(0, [A], depth));
  for (const each of [sets, new HolderSets(structuredClone(sets.marks()))]) {
    assert.deepEqual(
      numbers.map((number) => each.depthOf(number)),
      [3, 2],
    );
    assert.equal(each.move(0, [A], 2), numbers[1]);
  }
});

test("sets are the same after a restart", () => {
  const sets = new HolderSets(null);
  const number = sets.move(0, [A, B], 3);
  sets.move(0, [B], 3);
  const again = new HolderSets(structuredClone(sets.marks()));
  assert.deepEqual(again.placesOf(number), [A, B]);
  assert.equal(again.move(0, [B, A], 3), number);
  assert.deepEqual([again.countOf(A), again.countOf(B)], [2, 3]);
});
