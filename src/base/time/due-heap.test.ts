import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Due, DueHeap, NO_PLACE } from "./due-heap.ts";

function due(dueAtMs: number): Due {
  return { dueAtMs, sequence: 0, place: NO_PLACE };
}

test("what is due first comes out first; at one instant, what was added first", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 })), (instants) => {
      const heap = new DueHeap<Due>();
      const items = instants.map(due);
      for (const item of items) heap.add(item);
      const expected = items.toSorted((one, other) => one.dueAtMs - other.dueAtMs);
      assert.deepEqual(
        items.map(() => heap.take()),
        expected,
      );
      assert.equal(heap.take(), undefined);
    }),
  );
});

test("adding, taking and removing in any order agree with a sorted list", () => {
  const command = fc.oneof(
    fc.record({ kind: fc.constant("add"), number: fc.integer({ min: 0, max: 9 }) }),
    fc.record({ kind: fc.constant("remove"), number: fc.nat() }),
    fc.record({ kind: fc.constant("take"), number: fc.constant(0) }),
  );
  fc.assert(
    fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
      const heap = new DueHeap<Due>();
      let model: Due[] = [];
      for (const { kind, number } of commands) {
        if (kind === "add") {
          const item = due(number);
          heap.add(item);
          model = [...model, item].toSorted((one, other) => one.dueAtMs - other.dueAtMs);
        } else if (kind === "take") {
          assert.equal(heap.take(), model.shift());
        } else if (model.length > 0) {
          const [item] = model.splice(number % model.length, 1);
          assert.ok(item !== undefined);
          heap.remove(item);
          heap.remove(item);
        }
        assert.equal(heap.size, model.length);
        assert.equal(heap.first, model[0]);
      }
    }),
  );
});

test("the item that fills a hole may be due before those above the hole", () => {
  const heap = new DueHeap<Due>();
  const items = [0, 10, 1, 11, 12, 2, 3].map(due);
  for (const item of items) heap.add(item);
  heap.remove(items[3] as Due);
  for (const item of [21, 22].map(due)) heap.add(item);
  assert.deepEqual(
    Array.from({ length: 8 }, () => heap.take()?.dueAtMs),
    [0, 1, 2, 3, 10, 12, 21, 22],
  );
});

test("an item cannot be in the heap twice, but may come back after it left", () => {
  const heap = new DueHeap<Due>();
  const item = due(1);
  heap.add(item);
  assert.throws(() => heap.add(item), /one heap at most/);
  heap.remove(item);
  heap.add(item);
  assert.equal(heap.take(), item);
});
