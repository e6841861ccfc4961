import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FingerprintTable, NO_VALUE, slotBytes, type ValueColumn } from "./fingerprint-table.ts";

/** Few different fingerprints with few different homes, so that they collide. */
const half = fc.oneof(
  fc.nat(3),
  fc.constantFrom(0x7fffffff, 0x80000000, 0xffffffff, 16, 32),
  fc.nat(0xffffffff),
);
const move = fc.record({
  kind: fc.constantFrom("set", "set", "set", "delete"),
  high: half,
  low: fc.oneof(fc.nat(40), half),
  value: fc.nat(0xffff),
});
const column = fc.constantFrom<ValueColumn>(Uint16Array, Uint32Array, Float64Array, null);

function entriesOf(table: FingerprintTable): Map<string, number> {
  const entries = new Map<string, number>();
  table.each((high, low, value) => {
    assert.ok(!entries.has(`${high}/${low}`), "each fingerprint is visited once");
    entries.set(`${high}/${low}`, value);
  });
  return entries;
}

test("a table is a map, while it grows and when fingerprints are removed", () => {
  const moves = fc.array(move, { maxLength: 300, size: "max" });
  fc.assert(
    fc.property(column, fc.nat(40), moves, (values, capacity, made) => {
      const table = new FingerprintTable(values, capacity);
      const model = new Map<string, number>();
      for (const { kind, high, low, value } of made) {
        const key = `${high}/${low}`;
        assert.equal(table.has(high, low), model.has(key));
        if (kind === "delete") assert.equal(table.delete(high, low), model.delete(key));
        else {
          table.set(high, low, value);
          model.set(key, values === null ? 0 : value);
        }
        assert.equal(table.get(high, low), model.get(key) ?? NO_VALUE);
        assert.equal(table.count, model.size);
      }
      assert.deepEqual(entriesOf(table), model);
    }),
  );
});

test("fingerprints that share a home are distinguished, and still found when one is removed", () => {
  const table = new FingerprintTable(Float64Array, 8);
  // The table has sixteen slots, and these begin at the last, so that the search wraps around.
  const lows = [15, 31, 47, 63, 79];
  for (const low of lows) table.set(0, low, low);
  for (const gone of lows) {
    assert.equal(table.delete(0, gone), true);
    for (const low of lows) assert.equal(table.get(0, low), low <= gone ? NO_VALUE : low);
  }
});

test("a table does not grow before it holds more than its capacity", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 300 }), (capacity) => {
      const table = new FingerprintTable(Float64Array, capacity);
      const { memoryBytes } = table;
      for (let low = 0; low < Math.max(8, capacity); low += 1) table.set(1, low, low);
      assert.equal(table.memoryBytes, memoryBytes);
      assert.ok(memoryBytes <= (Math.max(16, 4 * capacity) + 1) * slotBytes(Float64Array));
    }),
  );
});

test("numbers as large as positions in a file are kept", () => {
  const table = new FingerprintTable(Float64Array);
  table.set(0xffffffff, 0xffffffff, Number.MAX_SAFE_INTEGER);
  assert.equal(table.get(0xffffffff, 0xffffffff), Number.MAX_SAFE_INTEGER);
});
