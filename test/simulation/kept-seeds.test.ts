import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  REGRESSIONS_FILE,
  readRegressions,
  type SimulationTest,
  simulate,
} from "../support/lab/simulation.ts";
import { counterWith, planCounterFaults } from "./counter-trial.ts";

const BROKEN: SimulationTest = {
  suite: "broken counter",
  file: import.meta.url,
  schedules: 50,
  plan: (random) => planCounterFaults(random),
  ...counterWith("sends every batch only once"),
};

function emptyFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "trobar-regressions-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, "regressions.json");
}

/** The report of the failure. */
function fail(environment: Record<string, string>, regressionsFile: string): string {
  try {
    simulate(BROKEN, { environment, regressionsFile });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return assert.fail("the broken counter passed");
}

test("a failing run prints its seed, the command to repeat it and the entry to keep", (t) => {
  const report = fail({}, emptyFile(t));
  const seed = /with seed (\S+):/.exec(report)?.[1];
  const command = `TROBAR_TEST_SEED=${seed} npm test -- test/simulation/kept-seeds.test.ts`;
  assert.ok(report.includes(command), report);
  const entry = JSON.parse(report.slice(report.lastIndexOf("\n") + 1));
  assert.deepEqual(Object.keys(entry), ["suite", "seed", "schedule", "found"]);
  assert.equal(entry.seed, seed);
});

test("the printed seed alone repeats the failure", (t) => {
  const file = emptyFile(t);
  const report = fail({}, file);
  const seed = /with seed (\S+):/.exec(report)?.[1] ?? "";
  assert.equal(fail({ TROBAR_TEST_SEED: seed }, file), report);
});

test("a failure is written to the file only when asked for, and only once", (t) => {
  const file = emptyFile(t);
  fail({}, file);
  assert.deepEqual(readRegressions(file), []);
  fail({ TROBAR_KEEP_SEEDS: "1" }, file);
  const kept = readRegressions(file);
  assert.equal(kept.length, 1);
  fail({ TROBAR_KEEP_SEEDS: "1" }, file);
  assert.deepEqual(readRegressions(file), kept);
});

test("a kept failure is run before anything else", (t) => {
  const file = emptyFile(t);
  fail({ TROBAR_KEEP_SEEDS: "1" }, file);
  const [kept] = readRegressions(file);
  const report = fail({ TROBAR_TEST_SEED: "a seed that passes, or not" }, file);
  assert.ok(report.includes(`with seed ${kept?.seed}:`));
  assert.match(report, /1 of 1 planned faults/, "the kept schedule is the shrunk one");
});

test("the file of regressions of this project can be read", () => {
  const kept = readRegressions(REGRESSIONS_FILE);
  assert.ok(kept.length > 0);
  for (const { suite, seed, schedule, found } of kept) {
    assert.ok(suite.length > 0 && seed.length > 0 && found.length > 0);
    for (const fault of schedule) assert.ok(Number.isInteger(fault.atMs) && fault.kind !== "");
  }
});
