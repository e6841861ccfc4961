import assert from "node:assert/strict";
import { test } from "node:test";
import { flipped, NearRig, stranger } from "../../../test/support/parse/near-rig.ts";
import { SeededRandom } from "../../base/random/index.ts";
import type { Random } from "../../base/seams/index.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const TRIALS = isFull ? 400 : 6;

/** Adds entries, asks for commits without waiting, and lets a little time pass in between. */
function workAWhile(rig: NearRig, random: Random): void {
  const centre = rig.entries[0] ?? { ...stranger(random), end: 0 };
  for (let steps = random.below(60); steps > 0; steps--) {
    const hash =
      random.below(3) === 0 ? flipped(centre, random.below(5), random) : stranger(random);
    const id = random.below(1_000_000);
    if (rig.index.tryAdd({ ...hash, id })) rig.entries.push({ ...hash, id, end: rig.index.end });
    if (random.below(5) === 0) {
      const { end } = rig.index;
      rig.index.commit((error) => {
        if (error === null) rig.committedEnd = Math.max(rig.committedEnd, end);
      });
    }
    for (let events = random.below(12); events > 0; events--) rig.machine.time.step();
  }
}

test("whenever power fails, what was committed is found again, and nothing else is", () => {
  for (let trial = 0; trial < TRIALS; trial++) {
    const random = new SeededRandom(`crash ${trial}`);
    const rig = new NearRig(`crash ${trial}`, 4);
    for (let life = 0; life < 4; life++) {
      const isCut = random.below(3) === 0;
      const ends = rig.entries.filter(({ end }) => end <= rig.committedEnd).map(({ end }) => end);
      rig.open(isCut ? (ends[random.below(ends.length || 1)] ?? 0) : null);
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

test("a disk that fails at any call does no harm that opening again does not mend", () => {
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
  rig.machine.disk.capacityBytes = 1_000;
  for (let id = 3; id < 8; id++) rig.add({ ...stranger(random), id });
  rig.settle();
  assert.deepEqual(
    rig.reports.map(({ code }) => code),
    ["STORAGE_FULL"],
  );
  assert.equal(rig.index.size.runs, 0);
  rig.checkAll(random);
  rig.machine.disk.capacityBytes = 2 ** 40;
  rig.commit();
  rig.settle();
  assert.equal(rig.index.size.runs, 1);
  rig.checkAll(random);
});

/** Two runs, closed. */
function closedIndex(seed: string, random: Random): NearRig {
  const rig = new NearRig(seed, 4);
  rig.open();
  for (let id = 0; id < 14; id++) rig.add({ ...stranger(random), id });
  rig.commit();
  rig.settle();
  rig.close();
  return rig;
}

function runFiles(rig: NearRig): string[] {
  return rig.machine.disk.fileNames().filter((name) => name.includes("/run-"));
}

test("a run whose tables are damaged is made anew from the log", () => {
  for (const where of ["starts", "values", "footer", "length"]) {
    const random = new SeededRandom(where);
    const rig = closedIndex(where, random);
    const files = runFiles(rig);
    assert.ok(files.length >= 1);
    damage(rig, files[0] ?? "", where);
    rig.open();
    assert.deepEqual(
      rig.reports.map(({ code }) => code),
      ["NEAR_RUN_DAMAGED"],
      where,
    );
    rig.checkAll(random);
    rig.settle();
    rig.checkAll(random);
  }
});

function damage(rig: NearRig, file: string, where: string): void {
  const bytes = rig.machine.result<Uint8Array>((done) => rig.machine.storage.readWhole(file, done));
  const count = Number(file.split("-").at(-1));
  const at = { starts: 10 * count + 1000, values: 10 * count + 524_297, footer: bytes.length - 3 };
  const damaged = where === "length" ? bytes.slice(0, -100) : bytes.slice();
  const place = at[where as keyof typeof at] ?? 0;
  if (where !== "length") damaged[place] = (damaged[place] ?? 0) ^ 1;
  rig.machine.result((done) => rig.machine.storage.replace(file, damaged, done));
}

test("a run whose entries are damaged is found out when it is merged, and then made anew", () => {
  const random = new SeededRandom("entries");
  const rig = closedIndex("entries", random);
  const [first = ""] = runFiles(rig);
  damage(rig, first, "entries");
  rig.open();
  assert.equal(rig.reports.length, 0);
  for (let id = 20; id < 40; id++) rig.add({ ...stranger(random), id });
  rig.commit();
  rig.settle();
  assert.deepEqual(
    rig.reports.map(({ code }) => code),
    ["NEAR_RUN_DAMAGED"],
  );
  rig.close();
  rig.open();
  rig.settle();
  rig.checkAll(random);
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
