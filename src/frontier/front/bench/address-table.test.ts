import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AddressTable } from "./address-table.ts";

test("an address that is being visited cannot be claimed by another lane, and rests afterwards", () => {
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
  assert.throws(() => one.release(row, 1), /released by its holder/);
});

test("lanes with different clocks agree on the instant", () => {
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

test("without the crawl's secret it is unknown which addresses share a row", () => {
  const memory = AddressTable.memory(16);
  const tables = [1, 2].map((byte) => new AddressTable({ memory, key: Buffer.alloc(16, byte) }));
  const rows = tables.map((table) =>
    Array.from({ length: 64 }, (_, at) => table.rowOf(`192.0.2.${at}`)),
  );
  const [one, other] = rows as [number[], number[]];
  const strangers = one.flatMap((row, at) => (at > 0 && row === one[0] ? [at] : []));
  assert.ok(strangers.length > 0, "of 64 addresses in 16 rows some share the first one's");
  assert.ok(strangers.some((at) => other[at] !== other[0]));
  assert.deepEqual(rows[0], [...one], "the rows of one crawl stay");
});

test("two addresses of one lane that share a row are visited at the same time", () => {
  const memory = AddressTable.memory(16);
  const one = new AddressTable({ memory, lane: 0 });
  const other = new AddressTable({ memory, lane: 1 });
  assert.equal(one.tryClaim(3, 10), 0);
  assert.equal(one.tryClaim(3, 20), 0);
  one.release(3, 300);
  assert.equal(other.tryClaim(3, 400), Number.POSITIVE_INFINITY, "the first is still visited");
  one.release(3, 200);
  assert.equal(other.tryClaim(3, 299), 300, "the later rest counts");
  assert.equal(other.tryClaim(3, 300), 300);
});

test("a lane that found a row taken goes next, whatever the lane that has it would like to visit", () => {
  const memory = AddressTable.memory(16);
  const one = new AddressTable({ memory, lane: 0 });
  const other = new AddressTable({ memory, lane: 1 });
  one.tryClaim(3, 0);
  assert.equal(other.tryClaim(3, 0), Number.POSITIVE_INFINITY);
  assert.equal(one.tryClaim(3, 0), Number.POSITIVE_INFINITY, "nothing is added before the other");
  one.release(3, 5);
  assert.equal(one.tryClaim(3, 5), Number.POSITIVE_INFINITY, "yields, once");
  assert.equal(other.tryClaim(3, 5), 5);
  other.release(3, 9);
  assert.equal(one.tryClaim(3, 9), 9);
});

test("whatever lanes do, a row has one lane, its instant is the last one given, and wishes come true", () => {
  const steps = fc.array(fc.tuple(fc.nat(2), fc.nat(3), fc.nat(5)), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (moves) => {
      const memory = AddressTable.memory(4);
      const lanes = [0, 1, 2].map((lane) => new AddressTable({ memory, lane }));
      const rows = [0, 1, 2, 3].map(() => new RowModel());
      moves.forEach(([lane, number, restMs], nowMs) => {
        const table = lanes[lane] as AddressTable;
        const row = rows[number] as RowModel;
        if (row.holder === lane) {
          table.release(number, nowMs + restMs);
          row.holder = null;
          row.restsUntilMs = nowMs + restMs;
        } else assert.equal(table.tryClaim(number, nowMs), row.claim(lane, nowMs));
      });
    }),
  );
});

/** A row by its words. */
class RowModel {
  holder: number | null = null;
  wish: number | null = null;
  restsUntilMs = 0;

  claim(lane: number, nowMs: number): number {
    if (this.holder !== null) {
      this.wish ??= lane;
      return Number.POSITIVE_INFINITY;
    }
    if (this.restsUntilMs > nowMs) return this.restsUntilMs;
    const isOthers = this.wish !== null && this.wish !== lane;
    this.wish = null;
    if (isOthers) return Number.POSITIVE_INFINITY;
    this.holder = lane;
    return this.restsUntilMs;
  }
}

test("addresses that rest, or are being visited, go on resting in another process", () => {
  const before = new AddressTable();
  const [resting, visited, free] = ["10.0.0.1", "10.0.0.2", "10.0.0.3"].map((address) =>
    before.rowOf(address),
  ) as [number, number, number];
  assert.ok(before.tryClaim(resting, 1000) <= 1000);
  before.release(resting, 1600);
  assert.ok(before.tryClaim(visited, 1000) <= 1000);
  const saved = before.save(1000, () => 250);
  const after = new AddressTable();
  after.restore(saved, 40);
  assert.equal(after.tryClaim(resting, 40), 640);
  assert.equal(after.tryClaim(visited, 40), 290);
  assert.ok(after.tryClaim(free, 40) <= 40);
});
