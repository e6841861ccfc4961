import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { RunRig } from "../../../test/support/base/run-rig.ts";
import type { CrawlError } from "../errors/index.ts";
import { SeededRandom } from "../random/index.ts";
import { KeyFilter } from "./key-filter.ts";
import { MemoryKeyTable } from "./memory-key-table.ts";
import { openRunTable, type RunTable, type RunTableOptions, type TableMarks } from "./run-table.ts";

const IS_FULL = process.env["TROBAR_FULL"] === "1";

class TableRig extends RunRig {
  readonly reports: CrawlError[] = [];

  openTable(memoryBytes: number, sliceRecords?: number, more: Partial<RunTableOptions> = {}) {
    const { storage } = this.machine;
    const { background, payloadBytes: valueBytes } = this;
    const options = {
      ...{ storage, background, folder: "table", valueBytes, memoryBytes },
      report: (error: CrawlError) => void this.reports.push(error),
      ...(sliceRecords === undefined ? {} : { sliceRecords }),
      ...more,
    };
    return this.machine.result<RunTable>((done) => openRunTable(options, done));
  }

  /** The number of a key, from memory or disk; -1 when the table has none. */
  numberIn(table: RunTable, high: number, low: number): number {
    const recalled = table.recall(high, low);
    if (recalled >= 0 || !table.mayFind(high, low)) return recalled;
    return this.machine.result<number>((done) => table.find(high, low, done));
  }

  settle(): void {
    this.machine.time.settle();
  }
}

const half = fc.oneof(fc.constantFrom(0, 1, 1024, 0xffffffff), fc.nat(20), fc.nat(0xffffffff));
const step = fc.record({
  ...{ high: half, low: half, value: fc.nat(2 ** 40) },
  does: fc.constantFrom("set", "set", "set", "ask", "settle"),
});

test("a table on runs is a map, whatever is in memory, frozen, written or merged", () => {
  const plan = fc.array(step, { minLength: 1, maxLength: 400 });
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(0, 6), plan, (seed, valueBytes, steps) => {
      const rig = new TableRig(seed, valueBytes);
      const table = rig.openTable(100, 30);
      const model = new Map<string, number>();
      for (const { does, high, low, value } of steps) {
        if (does === "settle") rig.settle();
        else if (does === "ask") {
          assert.equal(rig.numberIn(table, high, low), model.get(`${high}/${low}`) ?? -1);
        } else {
          table.set(high, low, valueBytes === 0 ? 0 : value);
          model.set(`${high}/${low}`, valueBytes === 0 ? 0 : value);
        }
      }
      for (const [key, value] of model) {
        const [high = 0, low = 0] = key.split("/").map(Number);
        assert.equal(rig.numberIn(table, high, low), value);
      }
      rig.machine.result((done) => table.close(done));
      assert.deepEqual(rig.reports, []);
    }),
    { numRuns: IS_FULL ? 500 : 40 },
  );
});

test("a table keeps within its memory, however many keys it has", () => {
  const rig = new TableRig("bounded", 0);
  const memoryBytes = 64 * 1024;
  const table = rig.openTable(memoryBytes);
  const random = new SeededRandom("keys");
  const count = IS_FULL ? 1_000_000 : 40_000;
  let memoryMax = 0;
  for (let added = 0; added < count; added += 1) {
    table.set(random.u32(), random.u32(), 0);
    memoryMax = Math.max(memoryMax, table.memoryBytes);
    if (added % 100 === 0) rig.settle();
  }
  assert.ok(memoryMax <= memoryBytes, `${memoryMax} of ${memoryBytes} bytes`);
  assert.ok(table.runs > 0 && table.runs < 20, `${table.runs} runs`);
});

test("what cannot be written is reported, stays known, and is written when there is room", () => {
  const rig = new TableRig("full", 0);
  const table = rig.openTable(2000);
  const { disk } = rig.machine;
  disk.capacityBytes = 0;
  for (let key = 0; key < 500; key += 1) {
    table.set(key, key, 0);
    rig.settle();
  }
  assert.equal(rig.reports[0]?.code, "STORAGE_FULL");
  assert.equal(table.runs, 0);
  for (let key = 0; key < 500; key += 1) assert.equal(table.recall(key, key), 0);
  disk.capacityBytes = 2 ** 40;
  table.retry();
  rig.settle();
  assert.ok(table.runs > 0);
  for (let key = 0; key < 500; key += 1) assert.equal(rig.numberIn(table, key, key), 0);
  assert.equal(rig.numberIn(table, 500, 501), -1);
});

test("runs that were merged, and those that could not be written, leave no file", () => {
  const rig = new TableRig("leftovers", 0);
  const table = rig.openTable(2000);
  const { disk } = rig.machine;
  for (let key = 0; key < 3000; key += 1) {
    table.set(key, key, 0);
    if (key % 10 === 0) rig.settle();
    // A search keeps its runs until it has been answered.
    if (key % 100 === 0) rig.numberIn(table, key >> 1, key >> 1);
    const usedBytes = disk.capacityBytes - disk.freeBytes;
    disk.capacityBytes = key > 1000 && key < 1300 ? usedBytes + 10 : 2 ** 40;
  }
  table.retry();
  rig.settle();
  assert.ok(rig.reports.length > 0, "some could not be written");
  assert.equal(disk.fileNames().length, table.runs, disk.fileNames().join(" "));
});

test("a table is closed when all searches have been answered", () => {
  const rig = new TableRig("closing", 0);
  const table = rig.openTable(2000);
  for (let key = 0; key < 500; key += 1) {
    table.set(key, key, 0);
    rig.settle();
  }
  const order: string[] = [];
  table.find(7, 7, () => order.push("found"));
  table.close(() => order.push("closed"));
  rig.settle();
  assert.deepEqual(order, ["found", "closed"]);
});

test("a table that is opened again rules out keys as before, once it has read its runs", () => {
  const rig = new TableRig("again", 6);
  const memoryBytes = 64 * 1024;
  const random = new SeededRandom("keys again");
  const draw = () => ({ high: random.u32(), low: random.u32() });
  const keys = Array.from({ length: 9000 }, draw);
  const others = Array.from({ length: 1000 }, draw);
  const first = rig.openTable(memoryBytes);
  for (const [at, { high, low }] of keys.entries()) {
    first.set(high, low, at);
    if (at % 100 === 0) rig.settle();
  }
  const marks = rig.machine.result<TableMarks>((done) => first.checkpoint(done));
  rig.machine.result((done) => first.close(done));
  const known = (table: RunTable) =>
    others.filter(({ high, low }) => table.mayFind(high, low)).length;

  assert.equal(known(rig.openTable(memoryBytes, undefined, { marks })), others.length);
  const table = rig.openTable(memoryBytes, undefined, { marks, fillsFilter: true });
  table.set(1, 1, 7);
  rig.settle();
  assert.ok(known(table) < 150, `${known(table)} of ${others.length}`);
  for (const [at, { high, low }] of keys.entries()) {
    assert.ok(table.mayFind(high, low));
    if (at % 500 === 0) assert.equal(rig.numberIn(table, high, low), at);
  }
  rig.machine.result((done) => table.flush(done));
  assert.equal(rig.numberIn(table, 1, 1), 7);
  rig.machine.result((done) => table.close(done));
  // Too many keys for a filter of this size: all are looked up.
  const small = rig.openTable(1000, undefined, { marks, fillsFilter: true });
  rig.settle();
  assert.equal(known(small), others.length);
  assert.deepEqual(rig.reports, []);
});

test("a filter never rules out what was added, and is right about most of the rest", () => {
  const filter = new KeyFilter(KeyFilter.noBits(1000));
  const random = new SeededRandom("filter");
  const keys = Array.from({ length: 512 }, () => ({ high: random.u32(), low: random.u32() }));
  for (const { high, low } of keys) filter.add(high, low);
  for (const { high, low } of keys) assert.ok(filter.mayHave(high, low));
  let wrong = 0;
  for (let count = 0; count < 10_000; count += 1) {
    if (filter.mayHave(random.u32(), random.u32())) wrong += 1;
  }
  assert.ok(wrong < 800, `${wrong} of 10,000`);
});

test("a table in memory knows everything at once", () => {
  const table = new MemoryKeyTable();
  for (let key = 0; key < 1000; key += 1) table.set(key, 0, 2 * key);
  table.set(7, 0, 1);
  assert.deepEqual([table.recall(7, 0), table.recall(8, 0), table.recall(8, 1)], [1, 16, -1]);
  assert.equal(table.mayFind(), false);
});
