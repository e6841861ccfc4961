import assert from "node:assert/strict";
import { test } from "node:test";
import { flipped, NearRig, stranger } from "../../../test/support/parse/near-rig.ts";
import { SeededRandom } from "../../base/random/index.ts";
import type { Random } from "../../base/seams/index.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const TRIALS = isFull ? 400 : 6;

/**
 * Adds entries, asks for checkpoints without waiting, and lets a little time pass in between. Of what
 * was answered some is recorded, before the next checkpoint is asked for; the rest is forgotten, as
 * when a transaction has failed.
 */
function workAWhile(rig: NearRig, random: Random): void {
  const centre = rig.entries[0] ?? stranger(random);
  let isAsked = false;
  for (let steps = random.below(60); steps > 0; steps--) {
    const hash =
      random.below(3) === 0 ? flipped(centre, random.below(5), random) : stranger(random);
    const id = random.below(1_000_000);
    if (rig.index.tryAdd({ ...hash, id })) rig.entries.push({ ...hash, id });
    if (!isAsked && random.below(5) === 0) {
      const entries = [...rig.entries];
      isAsked = true;
      rig.index.checkpoint((error, marks) => {
        isAsked = false;
        if (error === null && random.below(3) > 0) rig.record(marks, entries);
      });
    }
    for (let events = random.below(12); events > 0; events--) rig.machine.time.step();
  }
}

test("whenever power fails, what a checkpoint holds is found again, and nothing else is", () => {
  for (let trial = 0; trial < TRIALS; trial++) {
    const random = new SeededRandom(`crash ${trial}`);
    const rig = new NearRig(`crash ${trial}`, 4);
    for (let life = 0; life < 4; life++) {
      rig.open();
      rig.checkAll(random);
      workAWhile(rig, random);
      rig.crash();
    }
    rig.open();
    rig.checkAll(random);
    rig.settle();
    rig.checkAll(random);
    assert.deepEqual(rig.reports, [], `trial ${trial}`);
  }
});

test("after the disk fails at any call, the index can be opened as it was recorded", () => {
  for (let trial = 0; trial < TRIALS; trial++) {
    const random = new SeededRandom(`fail ${trial}`);
    const rig = new NearRig(`fail ${trial}`, 4);
    rig.open();
    rig.machine.disk.failWhen = (call) => call.name.includes("near/") && random.below(40) === 0;
    workAWhile(rig, random);
    rig.machine.disk.failWhen = () => false;
    rig.crash();
    rig.open();
    rig.checkAll(random);
    rig.settle();
    rig.checkpoint();
    rig.close();
    rig.open();
    rig.checkAll(random);
  }
});

test("work that failed for want of space is done when there is room", () => {
  const random = new SeededRandom("full");
  const rig = new NearRig("full", 4);
  rig.open();
  for (let id = 0; id < 3; id++) rig.add({ ...stranger(random), id });
  const { disk } = rig.machine;
  disk.capacityBytes = disk.capacityBytes - disk.freeBytes + 50;
  for (let id = 3; id < 8; id++) rig.add({ ...stranger(random), id });
  rig.settle();
  assert.deepEqual(
    rig.reports.map(({ code }) => code),
    ["STORAGE_FULL"],
  );
  assert.equal(rig.index.size.runs, 0);
  rig.checkAll(random);
  disk.capacityBytes = 2 ** 40;
  rig.index.retry();
  rig.settle();
  assert.equal(rig.index.size.runs, 1);
  rig.checkAll(random);
});

/** Two runs, closed. */
function closedIndex(seed: string, random: Random): NearRig {
  const rig = new NearRig(seed, 4);
  rig.open();
  for (let id = 0; id < 14; id++) rig.add({ ...stranger(random), id });
  rig.checkpoint();
  rig.settle();
  rig.close();
  return rig;
}

function runFiles(rig: NearRig): string[] {
  return rig.machine.disk.fileNames().filter((name) => name.includes("/run-"));
}

test("a run that is damaged anywhere is noticed, and the index goes on without it", () => {
  for (const where of ["keys", "pages", "index", "footer", "length", "missing"]) {
    for (const half of ["high", "low"]) {
      const random = new SeededRandom(`${where} ${half}`);
      const rig = closedIndex(`${where} ${half}`, random);
      damage(rig, runFiles(rig).find((file) => file.includes(half)) ?? "", where);
      rig.open();
      assert.deepEqual(
        rig.reports.map(({ code }) => code),
        ["NEAR_RUN_DAMAGED"],
        where,
      );
      for (const { high, low, id } of rig.entries) {
        assert.equal(rig.find(high, low, 0), id, "the runs by the other half have all");
      }
      rig.entries = [];
      for (let id = 14; id < 28; id++) rig.add({ ...stranger(random), id });
      rig.checkpoint();
      rig.close();
      rig.open();
      rig.checkAll(random);
      assert.equal(rig.reports.length, 1, "the damage is reported once");
    }
  }
});

function damage(rig: NearRig, file: string, where: string): void {
  const { storage, disk } = rig.machine;
  const bytes = rig.machine.result<Uint8Array>((done) => storage.readWhole(file, done));
  const count = (bytes.length - 32 - 12) / 14;
  const at = { keys: 5, pages: 8 * count + 7, index: 14 * count + 1, footer: bytes.length - 3 };
  if (where === "missing") rig.machine.result((done) => storage.remove(file, done));
  else if (where === "length") {
    rig.machine.result((done) => storage.replace(file, bytes.slice(0, -10), done));
  } else disk.flipBit(file, 8 * (at[where as keyof typeof at] ?? 0));
}

test("a run that is damaged while the index is open is noticed, and new entries are kept", () => {
  const random = new SeededRandom("entries");
  const rig = closedIndex("entries", random);
  rig.open();
  for (const file of runFiles(rig)) rig.machine.disk.flipBit(file, 40);
  const added = Array.from({ length: 20 }, (_, at) => ({ ...stranger(random), id: 20 + at }));
  for (const entry of added) rig.add(entry);
  rig.settle();
  const codes = new Set(rig.reports.map(({ code }) => code));
  assert.deepEqual([...codes], ["NEAR_RUN_DAMAGED"]);
  for (const { high, low, id } of added) assert.equal(rig.find(high, low, 3), id);
});

test("a search that is under way when its run is merged away is answered", () => {
  const random = new SeededRandom("under way");
  const rig = closedIndex("under way", random);
  rig.open();
  rig.machine.disk.speed = { ...rig.machine.disk.speed, stallRatio: 0.3, stallMs: 50 };
  const answers: (number | null)[] = [];
  const asked: number[] = [];
  for (let id = 100; id < 300; id++) {
    const known = rig.entries[random.below(14)];
    assert(known !== undefined);
    const { high, low } = flipped(known, 1, random);
    const sighting = rig.index.find({ high, low, distance: 3 }, (error, found) => {
      assert.equal(error, null);
      answers.push(found ?? null);
    });
    if (sighting.kind === "pending") asked.push(known.id);
    else assert.equal(sighting.kind === "near" && sighting.id, known.id);
    rig.index.tryAdd({ ...stranger(random), id });
    rig.machine.time.step();
  }
  rig.settle();
  assert.equal(answers.length, asked.length);
  assert.ok(asked.length > 50);
  assert.ok(answers.every((answer) => answer !== null));
});
