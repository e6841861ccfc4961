import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AddressTable } from "./address-table.ts";

test("an address that somebody visits cannot be claimed by another lane, and rests afterwards", () => {
  const memory = AddressTable.memory();
  const one = new AddressTable({ memory, lane: 0 });
  const other = new AddressTable({ memory, lane: 1 });
  const row = one.rowOf("192.0.2.1");
  assert.equal(other.rowOf("192.0.2.1"), row);
  assert.ok(one.tryClaim(row, 10) <= 10);
  assert.equal(other.tryClaim(row, 10), Number.POSITIVE_INFINITY);
  one.release(row, 500);
  assert.equal(other.tryClaim(row, 499), 500);
  assert.equal(other.tryClaim(row, 500), 500);
  assert.equal(one.tryClaim(row, 10_000), Number.POSITIVE_INFINITY);
  assert.throws(() => one.release(row, 1), /only who has a mark/);
});

test("lanes with different clocks agree upon when", () => {
  const memory = AddressTable.memory(16);
  const one = new AddressTable({ memory, lane: 0, clockOffsetMs: 1000 });
  const other = new AddressTable({ memory, lane: 1, clockOffsetMs: 400 });
  one.tryClaim(3, 0);
  one.release(3, 250);
  assert.equal(other.tryClaim(3, 0), 850);
});

test("what a lane that died had claimed is free again", () => {
  const memory = AddressTable.memory(16);
  const one = new AddressTable({ memory, lane: 0 });
  const other = new AddressTable({ memory, lane: 1 });
  one.tryClaim(3, 0);
  other.tryClaim(4, 0);
  other.forget(0, 700);
  assert.equal(other.tryClaim(3, 0), 700);
  assert.equal(one.tryClaim(4, 0), Number.POSITIVE_INFINITY);
});

test("whatever lanes do, a row has one holder and its instant is the last one given", () => {
  const steps = fc.array(fc.tuple(fc.nat(2), fc.nat(3), fc.nat(5)), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (moves) => {
      const memory = AddressTable.memory(4);
      const lanes = [0, 1, 2].map((lane) => new AddressTable({ memory, lane }));
      const holder = new Map<number, number>();
      const restsUntilMs = new Map<number, number>();
      moves.forEach(([lane, row, restMs], nowMs) => {
        const table = lanes[lane] as AddressTable;
        if (holder.get(row) === lane) {
          table.release(row, nowMs + restMs);
          holder.delete(row);
          restsUntilMs.set(row, nowMs + restMs);
          return;
        }
        const wait = holder.has(row) ? Number.POSITIVE_INFINITY : (restsUntilMs.get(row) ?? 0);
        assert.equal(table.tryClaim(row, nowMs), wait);
        if (wait <= nowMs) holder.set(row, lane);
      });
    }),
  );
});
