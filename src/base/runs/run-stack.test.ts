import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  assertSame,
  drawRecord,
  RunRig,
  sorted,
  type TestRecord,
  textOf,
} from "../../../test/support/base/run-rig.ts";
import { SeededRandom } from "../random/index.ts";
import type { Random } from "../seams/index.ts";
import { NO_RUNS, openRunStack, type RunStack, type RunStackMarks } from "./index.ts";
import type { RunStackOptions } from "./run-stack.ts";

const isFull = process.env["TROBAR_FULL"] === "1";

function openStack(
  rig: RunRig,
  marks: RunStackMarks = NO_RUNS,
  wishes: Partial<RunStackOptions> = {},
): RunStack {
  const { storage } = rig.machine;
  const { background, format } = rig;
  const options = { ...format, storage, background, folder: "runs", sliceRecords: 4096, ...wishes };
  return rig.machine.result<RunStack>((done) => openRunStack(options, marks, done));
}

function mergeAll(rig: RunRig, stack: RunStack): number {
  let slices = 0;
  for (; stack.isMergeDue; slices++) rig.machine.result((done) => stack.mergeSlice(done));
  return slices;
}

function push(rig: RunRig, stack: RunStack, records: readonly TestRecord[]): void {
  stack.push(rig.write(stack.newName(), records));
}

function filesOf(rig: RunRig): string[] {
  rig.machine.time.settle();
  return rig.machine.disk.fileNames();
}

function drawMany(random: Random, count: number, spread: number): TestRecord[] {
  return Array.from({ length: count }, () => drawRecord(random, 2, spread));
}

/** Everything in the runs, the newest record of each key. */
function contentOf(rig: RunRig, stack: RunStack, among: readonly TestRecord[]): string[] {
  const found = new Map<string, string>();
  for (const mark of stack.runs) {
    for (const text of rig.find(rig.open(mark), among)) {
      found.set(text.split(" ", 2).join(" "), text);
    }
  }
  return [...found.values()].sort();
}

test("merged runs hold what they held before, and of equal keys the newest record", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 6000 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(fc.nat(), sizes, (seed, counts) => {
      const random = new SeededRandom(seed);
      const rig = new RunRig(seed, 2);
      const stack = openStack(rig);
      const all: TestRecord[] = [];
      for (const count of counts) {
        const records = drawMany(random, count, 8000);
        push(rig, stack, records);
        all.push(...sorted(records));
        if (random.below(2) === 0) mergeAll(rig, stack);
      }
      mergeAll(rig, stack);
      assertSame(contentOf(rig, stack, all), sorted(all).map(textOf).sort());
    }),
    { numRuns: isFull ? 200 : 15 },
  );
});

test("short runs are merged as if they were longer, where the owner asks for it", () => {
  const random = new SeededRandom("short");
  const rig = new RunRig("short", 2);
  const counts = (recordsMin: number): number => {
    const stack = openStack(rig, NO_RUNS, { runsMergedMin: 2, recordsMin });
    for (const count of [600, 200, 1]) push(rig, stack, drawMany(random, count, 2 ** 30));
    mergeAll(rig, stack);
    return stack.runs.length;
  };
  assert.equal(counts(0), 3);
  assert.equal(counts(200), 1);
});

test("the oldest record of a key is kept if the owner asks for it", () => {
  const random = new SeededRandom("oldest");
  const rig = new RunRig("oldest", 2, 256);
  const stack = openStack(rig, NO_RUNS, { keeps: "oldest", runsMergedMin: 2, sliceRecords: 300 });
  const all: TestRecord[] = [];
  for (let run = 0; run < 4; run++) {
    const records = sorted(drawMany(random, 1000, 1500));
    push(rig, stack, records);
    all.unshift(...records);
  }
  mergeAll(rig, stack);
  assert.equal(stack.runs.length, 1);
  assertSame(contentOf(rig, stack, all), sorted(all).map(textOf).sort());
});

test("a merge proceeds slice by slice, and newer runs may come meanwhile", () => {
  const random = new SeededRandom("slices");
  const rig = new RunRig("slices", 2);
  const stack = openStack(rig);
  const all: TestRecord[] = [];
  for (let run = 0; run < 4; run++) {
    const records = drawMany(random, 20_000, 1_000_000);
    push(rig, stack, records);
    all.push(...sorted(records));
  }
  rig.machine.result((done) => stack.mergeSlice(done));
  const late = drawMany(random, 10, 1_000_000);
  push(rig, stack, late);
  all.push(...sorted(late));
  const slices = mergeAll(rig, stack);
  assert.ok(slices >= 15, `${slices} slices`);
  assert.equal(stack.runs.length, 2);
  assertSame(contentOf(rig, stack, all), sorted(all).map(textOf).sort());
});

test("a slice whose thread dies does no harm: the merge starts over", () => {
  const random = new SeededRandom("dies");
  const rig = new RunRig("dies", 2);
  const stack = openStack(rig);
  const all = [1, 2, 3, 4].flatMap(() => {
    const records = sorted(drawMany(random, 6000, 1_000_000));
    push(rig, stack, records);
    return records;
  });
  rig.machine.result((done) => stack.mergeSlice(done));
  const code = rig.machine.code((done) => {
    stack.mergeSlice(done);
    for (let events = 0; events < 20; events++) rig.machine.time.step();
    rig.background.die();
  });
  assert.equal(code, "BACKGROUND_TASK_FAILED");
  mergeAll(rig, stack);
  assert.equal(stack.runs.length, 1);
  assertSame(contentOf(rig, stack, all), sorted(all).map(textOf).sort());
});

test("a merge that finds the disk full leaves everything as it was, and its space free", () => {
  const random = new SeededRandom("full");
  const rig = new RunRig("full", 2);
  const stack = openStack(rig);
  for (let run = 0; run < 4; run++) push(rig, stack, drawMany(random, 5000, 1_000_000));
  const files = filesOf(rig);
  rig.machine.disk.capacityBytes = rig.machine.disk.capacityBytes - rig.machine.disk.freeBytes;
  rig.machine.disk.capacityBytes += 20_000;
  assert.equal(
    rig.machine.code((done) => stack.mergeSlice(done)),
    "STORAGE_FULL",
  );
  assert.deepEqual(filesOf(rig), files);
  rig.machine.disk.capacityBytes = 2 ** 40;
  mergeAll(rig, stack);
  assert.equal(stack.runs.length, 1);
});

test("files that went into a merge stay until marks are kept that do not name them", () => {
  const random = new SeededRandom("kept");
  const rig = new RunRig("kept", 2);
  const stack = openStack(rig);
  for (let run = 0; run < 4; run++) push(rig, stack, drawMany(random, 10, 1000));
  const old = stack.mark();
  mergeAll(rig, stack);
  assert.equal(filesOf(rig).length, 5);
  const failed = stack.mark();
  stack.forget(failed);
  assert.equal(filesOf(rig).length, 5, "marks that are not kept change nothing");
  stack.keepOnly(stack.mark());
  assert.deepEqual(
    filesOf(rig),
    stack.runs.map(({ name }) => name),
  );
  stack.keepOnly(old);
  assert.equal(filesOf(rig).length, 1);
});

test("opening takes the marked runs and removes all others", () => {
  const random = new SeededRandom("again");
  const rig = new RunRig("again", 2);
  const stack = openStack(rig);
  const records = drawMany(random, 10, 1000);
  push(rig, stack, records);
  const marks = stack.mark();
  for (let run = 0; run < 3; run++) push(rig, stack, drawMany(random, 10, 1000));
  rig.machine.result((done) => stack.mergeSlice(done));
  const again = openStack(rig, marks);
  assert.deepEqual(again.runs, marks.runs);
  assert.deepEqual(filesOf(rig), [marks.runs[0]?.name]);
  assert.deepEqual(contentOf(rig, again, records), sorted(records).map(textOf).sort());
});

test("a stack with a damaged run is not opened", () => {
  const rig = new RunRig("damaged", 2);
  const stack = openStack(rig);
  push(rig, stack, drawMany(new SeededRandom("damaged"), 10, 1000));
  const marks = stack.mark();
  rig.machine.disk.flipBit("runs/run-1", 10 * 10 * 8 + 3);
  assert.throws(() => openStack(rig, marks), { code: "RUN_DAMAGED" });
});

test("a stack says when its merges have fallen behind", () => {
  const rig = new RunRig("behind", 2);
  const stack = openStack(rig);
  for (let run = 0; run < 20; run++) push(rig, stack, drawMany(new SeededRandom(run), 2, 1000));
  assert.ok(stack.isMergeDue);
  assert.ok(!stack.isCrowded);
  push(rig, stack, drawMany(new SeededRandom("one more"), 2, 1000));
  assert.ok(stack.isCrowded);
  mergeAll(rig, stack);
  assert.ok(!stack.isCrowded);
});
