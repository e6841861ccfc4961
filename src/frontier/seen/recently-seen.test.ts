import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RecentlySeen } from "./index.ts";

interface ModelEntry {
  readonly key: string;
  depth: number;
  isReferenced: boolean;
}

/** Second chance as the books have it: a ring of entries and a hand. */
class ModelTable {
  readonly #entries: ModelEntry[] = [];
  readonly #capacity: number;
  #hand = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  meet(key: string, depth: number): boolean {
    const found = this.#entries.find((entry) => entry.key === key);
    if (found !== undefined) {
      found.isReferenced = true;
      const isRepeated = depth >= found.depth;
      found.depth = Math.min(found.depth, depth);
      return isRepeated;
    }
    const entry = { key, depth, isReferenced: false };
    if (this.#entries.length < this.#capacity) this.#entries.push(entry);
    else {
      while (this.#entries[this.#hand]?.isReferenced) this.#advance();
      this.#entries[this.#hand] = entry;
      this.#hand = (this.#hand + 1) % this.#capacity;
    }
    return false;
  }

  #advance(): void {
    const entry = this.#entries[this.#hand];
    if (entry !== undefined) entry.isReferenced = false;
    this.#hand = (this.#hand + 1) % this.#capacity;
  }
}

const half = fc.oneof(
  fc.nat(3),
  fc.constantFrom(0xffffffff, 0x80000000, 16, 32),
  fc.nat(0xffffffff),
);
const meeting = fc.tuple(half, fc.oneof(fc.nat(20), half), fc.nat(4));

test("the table answers as a ring with a hand does", () => {
  const meetings = fc.array(meeting, { maxLength: 300 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), meetings, (capacity, met) => {
      const table = new RecentlySeen(capacity);
      const model = new ModelTable(capacity);
      for (const [high, low, depth] of met) {
        assert.equal(table.meet(high, low, depth), model.meet(`${high} ${low}`, depth));
      }
      assert.ok(table.count <= capacity);
    }),
  );
});

test("a URL met at a smaller depth is no repetition, and the smaller depth is remembered", () => {
  const table = new RecentlySeen(10);
  assert.equal(table.meet(1, 2, 5), false);
  assert.equal(table.meet(1, 2, 5), true);
  assert.equal(table.meet(1, 2, 6), true);
  assert.equal(table.meet(1, 2, 3), false);
  assert.equal(table.meet(1, 2, 4), true);
  assert.equal(table.meet(1, 3, 9), false);
  assert.equal(table.meet(2, 2, 9), false);
});

test("what is met again stays, what is not goes", () => {
  const table = new RecentlySeen(100);
  table.meet(7, 7, 0);
  for (let low = 100; low < 5000; low += 1) {
    table.meet(1, low, 0);
    assert.equal(table.meet(7, 7, 0), true, "a URL that is met all the time is remembered");
  }
  assert.equal(table.meet(1, 100, 0), false, "one that was met long ago is forgotten");
  assert.equal(table.count, 100);
});

test("depths beyond what is kept count as the greatest", () => {
  const table = new RecentlySeen(2);
  assert.equal(table.meet(1, 1, 100_000), false);
  assert.equal(table.meet(1, 1, 70_000), true);
  assert.equal(table.meet(1, 1, 65_534), false);
});
