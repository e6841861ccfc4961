import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  assertSame,
  drawRecord,
  RunRig,
  sorted,
  textOf,
} from "../../../test/support/base/run-rig.ts";
import { SeededRandom } from "../random/index.ts";
import { openRun } from "./run-file.ts";
import { blockPlace, blocksOf, FOOTER_BYTES, INDEX_WORDS, shapeOf } from "./run-layout.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const payloads = [0, 1, 2, 7] as const;

test("a run holds exactly what was written, in batches or one by one", () => {
  const sizes = fc.constantFrom(1, 2, 50, 4095, 4096, 4097, 9000);
  fc.assert(
    fc.property(fc.nat(), sizes, fc.constantFrom(...payloads), (seed, count, payloadBytes) => {
      const random = new SeededRandom(seed);
      const rig = new RunRig(seed, payloadBytes, seed % 2 === 0 ? 256 : 4096);
      const draw = (): ReturnType<typeof drawRecord> => drawRecord(random, payloadBytes, count);
      const records = sorted(Array.from({ length: count }, draw));
      const run = rig.open(rig.write("runs/one", records));
      const held = new Map(records.map((record) => [`${record.high} ${record.low}`, record]));
      for (const wantedCount of [1, 3, count]) {
        const wanted = sorted(Array.from({ length: wantedCount }, draw));
        const expected = wanted.flatMap(({ high, low }) => held.get(`${high} ${low}`) ?? []);
        assertSame(rig.find(run, wanted), expected.map(textOf));
        const { high = 0, low = 0 } = wanted[0] ?? {};
        const one = held.get(`${high} ${low}`);
        assert.deepEqual(rig.findOne(run, high, low), one?.payload ?? null);
      }
    }),
    { numRuns: isFull ? 300 : 20 },
  );
});

test("all keys of a run are found, the first and the last too, and none outside", () => {
  const rig = new RunRig("ends", 2);
  const records = Array.from({ length: 10_000 }, (_, at) => ({
    high: 1000 + at,
    low: 0xffffffff - at,
    payload: [at & 0xff, at >>> 8],
  }));
  const run = rig.open(rig.write("runs/ends", records));
  assertSame(rig.find(run, records), records.map(textOf));
  for (const high of [0, 999, 11_000, 0xffffffff]) assert.equal(rig.findOne(run, high, 0), null);
  assert.equal(rig.findOne(run, 1000, 0xfffffffe), null);
});

test("a small batch reads few blocks of a large run", () => {
  const rig = new RunRig("few", 0);
  const records = Array.from({ length: 100_000 }, (_, at) => ({ high: at, low: 0, payload: [] }));
  const run = rig.open(rig.write("runs/large", records));
  const before = rig.machine.disk.calls;
  rig.find(
    run,
    [10, 11, 50_000, 99_999].map((high) => ({ high, low: 0, payload: [] })),
  );
  assert.equal(rig.machine.disk.calls - before, 3);
});

test("a record costs its own width, and hardly more", () => {
  for (const payloadBytes of [0, 2]) {
    const count = 100_000_000;
    const shape = shapeOf(count, { payloadBytes });
    const blocks = blocksOf(shape);
    const blockBytes = blockPlace(blocks, shape);
    const each = (blockBytes + blocks * INDEX_WORDS * 4 + FOOTER_BYTES) / count;
    assert.ok(each < 8.01 + payloadBytes, `${each} bytes`);
  }
});

test("a flipped bit anywhere in a run is detected when it is read", () => {
  const random = new SeededRandom("bits");
  const records = sorted(Array.from({ length: 5000 }, () => drawRecord(random, 2, 100_000)));
  const rig = new RunRig("bits", 2);
  const mark = rig.write("runs/damaged", records);
  assert.deepEqual(rig.readingCodes(mark, records), []);
  for (let trial = 0; trial < (isFull ? 2000 : 60); trial++) {
    const bit = random.below(mark.bytes * 8);
    rig.machine.disk.flipBit(mark.name, bit);
    assert.deepEqual(rig.readingCodes(mark, records), ["RUN_DAMAGED"], `bit ${bit}`);
    rig.machine.disk.flipBit(mark.name, bit);
  }
  assert.deepEqual(rig.readingCodes(mark, records), []);
});

test("a run that is missing, or not the one that was marked, is damaged", () => {
  const rig = new RunRig("missing", 0);
  const records = [{ high: 1, low: 2, payload: [] }];
  const mark = rig.write("runs/here", records);
  assert.deepEqual(rig.readingCodes({ ...mark, name: "runs/not-here" }, records), ["RUN_DAMAGED"]);
  assert.deepEqual(rig.readingCodes({ ...mark, count: 2 }, records), ["RUN_DAMAGED"]);
  assert.deepEqual(rig.readingCodes(mark, records), []);
  const code = rig.machine.code((done) =>
    openRun(rig.machine.storage, mark, { payloadBytes: 0, blockRecords: 256 }, done),
  );
  assert.equal(code, "RUN_DAMAGED", "its blocks are of another size");
});

test("a run that is whole and as long as the one that was marked is told from it", () => {
  const rig = new RunRig("other", 2);
  const records = Array.from({ length: 9000 }, (_, at) => ({ high: at, low: 5, payload: [1, 2] }));
  const mark = rig.write("runs/here", records);
  // The last payload alone is another.
  const others = [...records.slice(0, -1), { high: 8999, low: 5, payload: [1, 3] }];
  const other = rig.write("runs/other", others);
  assert.deepEqual(rig.readingCodes({ ...mark, name: other.name }, records), ["RUN_DAMAGED"]);
  const { sum: _, ...old } = mark;
  assert.deepEqual(rig.readingCodes(old, records), [], "marks of earlier versions do not know it");
});
