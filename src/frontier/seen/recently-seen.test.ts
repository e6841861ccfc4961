import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BUCKET_SLOTS, FingerprintCache } from "../../base/fingerprints/index.ts";
import { RecentlySeen } from "./index.ts";

interface ModelEntry {
  readonly key: string;
  depth: number;
  isReferenced: boolean;
}

/** Second chance as the books have it: a ring of entries and a hand. */
class ModelTable {
  readonly #entries: ModelEntry[] = [];
  #hand = 0;

  meet(key: string, depth: number): boolean {
    const found = this.#entries.find((entry) => entry.key === key);
    if (found !== undefined) {
      found.isReferenced = true;
      const isRepeated = depth >= found.depth;
      found.depth = Math.min(found.depth, depth);
      return isRepeated;
    }
    const entry = { key, depth, isReferenced: false };
    if (this.#entries.length < BUCKET_SLOTS) this.#entries.push(entry);
    else {
      while (this.#entries[this.#hand]?.isReferenced) this.#advance();
      this.#entries[this.#hand] = entry;
      this.#hand = (this.#hand + 1) % BUCKET_SLOTS;
    }
    return false;
  }

  #advance(): void {
    const entry = this.#entries[this.#hand];
    if (entry !== undefined) entry.isReferenced = false;
    this.#hand = (this.#hand + 1) % BUCKET_SLOTS;
  }
}

const half = fc.oneof(
  fc.nat(3),
  fc.constantFrom(0xffffffff, 0x80000000, 16, 32),
  fc.nat(0xffffffff),
);
const meeting = fc.tuple(half, fc.oneof(fc.nat(20), half), fc.nat(4));

test("each bucket of the table answers as a ring with a hand does", () => {
  const meetings = fc.array(meeting, { maxLength: 300 });
  fc.assert(
    fc.property(fc.nat(40), meetings, (capacity, met) => {
      const table = new RecentlySeen(capacity);
      const slots = capacity <= 8 ? 8 : capacity <= 16 ? 16 : capacity <= 32 ? 32 : 64;
      const cache = new FingerprintCache(slots);
      const models = Array.from({ length: slots / BUCKET_SLOTS }, () => new ModelTable());
      for (const [high, low, depth] of met) {
        const model = models[cache.bucketOf(high, low) / BUCKET_SLOTS];
        assert.equal(table.meet(high, low, depth), model?.meet(`${high} ${low}`, depth));
      }
    }),
  );
});

test("a table remembers at least as many URLs as asked, of a bucket eight", () => {
  const table = new RecentlySeen(10);
  for (let low = 0; low < 16; low += 1) assert.equal(table.meet(0, low, 0), false);
  for (let low = 0; low < 16; low += 1) assert.equal(table.meet(0, low, 0), true);
  assert.equal(table.memoryBytes, 16 * 11 + 2);
});

test("a URL met at a smaller depth is not a repetition, and the smaller depth is remembered", () => {
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
});

test("depths beyond what is kept count as the greatest", () => {
  const table = new RecentlySeen(2);
  assert.equal(table.meet(1, 1, 100_000), false);
  assert.equal(table.meet(1, 1, 70_000), true);
  assert.equal(table.meet(1, 1, 65_534), false);
});

test("a table of another size has forgotten everything and remembers as before", () => {
  const seen = new RecentlySeen(1 << 10);
  const before = seen.memoryBytes;
  seen.meet(1, 2, 0);
  seen.resize(1 << 10);
  assert.equal(seen.meet(1, 2, 0), true);
  seen.resize(1 << 12);
  assert.deepEqual([seen.meet(1, 2, 0), seen.meet(1, 2, 0)], [false, true]);
  assert.ok(seen.memoryBytes > 3 * before);
});
