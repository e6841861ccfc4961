/**
 * The simulator tested on the toy counter: the right one survives a thousand schedules, and each bug
 * planted in it is found, shrunk, and found again by its seed.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { type Explored, explore, runOnce, type Schedule } from "../../src/lab/simulator/index.ts";
import { simulate } from "../support/lab/simulation.ts";
import type { Bug } from "./counter.ts";
import {
  counterTrace,
  counterWith,
  planCounterFaults,
  type SurvivableFault,
} from "./counter-trial.ts";

test("the counter loses nothing, counts nothing twice and agrees in the end", () => {
  simulate({
    suite: "counter",
    file: import.meta.url,
    schedules: 1000,
    plan: (random) => planCounterFaults(random),
    ...counterWith(null),
  });
});

interface Planted {
  readonly bug: Bug;
  readonly check: string;
  /** The faults that are planned; none named means all. */
  readonly faults?: readonly SurvivableFault[];
  /** What the shrunk schedule consists of, where that is certain. */
  readonly minimal?: readonly SurvivableFault[];
}

const PLANTED: readonly Planted[] = [
  {
    bug: "acknowledges before it is durable",
    check: "no acknowledged increment is lost",
    faults: ["crash", "slow-disk", "zombie"],
  },
  {
    bug: "counts a repeated increment again",
    check: "no increment is counted twice",
  },
  {
    bug: "believes acknowledgements of an earlier life",
    check: "what a replica believes of a peer is true",
    faults: ["crash", "clog", "noise"],
  },
  {
    bug: "forgets on restart what its peers lack",
    check: "ends",
    minimal: ["crash"],
  },
  {
    bug: "measures time-outs by the wall clock",
    check: "ends",
    minimal: ["clock-jump"],
  },
  {
    bug: "sends every batch only once",
    check: "ends",
  },
];

function hunt(planted: Planted): Explored {
  return explore({
    suite: "counter with a bug",
    seeds: Array.from({ length: 2000 }, (_, index) => String(index + 1)),
    plan: (random) => planCounterFaults(random, planted.faults),
    ...counterWith(planted.bug),
    replay: (seed) => `seed ${seed}`,
  });
}

for (const planted of PLANTED) {
  test(`a counter that ${planted.bug} is detected`, () => {
    const { runs, discovery } = hunt(planted);
    assert.ok(discovery !== null, `not found in ${runs} schedules`);
    console.log(
      `found after ${runs} schedules: a counter that ${planted.bug}; ` +
        `${discovery.planned.length} faults planned, ${discovery.schedule.length} needed`,
    );
    assert.equal(discovery.failure.check, planted.check);
    if (planted.minimal !== undefined) {
      assert.deepEqual(
        discovery.schedule.map((fault) => fault.kind),
        planted.minimal,
      );
    }
    assert.match(discovery.report, new RegExp(`seed ${discovery.regression.seed}`));
    assert.doesNotMatch(discovery.report, /NOT REPEATABLE/);
    assertMinimal(planted, discovery.regression.seed, discovery.schedule);
  });
}

/** The schedule fails, and does not when any one of its faults is left out. */
function assertMinimal(planted: Planted, seed: string, schedule: Schedule): void {
  const checkOf = (faults: Schedule): string | undefined =>
    runOnce(counterWith(planted.bug), seed, faults).failure?.check;
  assert.equal(checkOf(schedule), planted.check);
  schedule.forEach((_, index) => {
    assert.notEqual(checkOf(schedule.toSpliced(index, 1)), planted.check);
  });
}

test("the same seed gives the same trace, in this process and in another one", () => {
  for (const seed of ["7", "8", "9"]) {
    const trace = counterTrace(seed);
    assert.ok(trace.length > 10_000, "the trace is too short to prove anything");
    assert.equal(counterTrace(seed), trace);
    const module = new URL("./counter-trial.ts", import.meta.url).href;
    const print = `(module) => process.stdout.write(module.counterTrace("${seed}"))`;
    const program = `import("${module}").then(${print})`;
    const other = spawnSync(process.execPath, ["-e", program], { encoding: "utf8" });
    assert.equal(other.stdout, trace, other.stderr);
  }
});

test("different seeds give different runs", () => {
  const traces = new Set(Array.from({ length: 50 }, (_, index) => counterTrace(`d${index}`)));
  assert.equal(traces.size, 50);
});
