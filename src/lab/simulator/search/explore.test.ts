import assert from "node:assert/strict";
import { test } from "node:test";
import type { Kernel } from "../kernel/kernel.ts";
import { type Exploration, explore } from "./explore.ts";
import type { Fault, Schedule } from "./fault.ts";
import { runOnce, type Trial } from "./run.ts";

function hit(atMs: number, force = 1): Fault {
  return { kind: "hit", atMs, durationMs: 0, nodes: ["wall"], parameters: { force } };
}

/** A wall that withstands this many hits in a second, and then must be painted. */
class Wall implements Trial {
  readonly #kernel: Kernel;
  #hits: number[] = [];
  #isPainted = false;
  readonly always: Trial["always"] = {
    "the wall stands": () => (this.#hits.length > 2 ? `hit at ${this.#hits.join(", ")}` : null),
  };
  readonly atEnd: Trial["atEnd"] = {
    "the wall is painted": () => (this.#isPainted ? null : "it is bare"),
  };

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    kernel.schedule(5000, () => {
      this.#isPainted = true;
    });
  }

  strike(fault: Fault): void {
    this.#hits = this.#hits.filter((atMs) => atMs > this.#kernel.nowMs - 1000);
    this.#hits.push(this.#kernel.nowMs);
    if (fault.parameters["force"] === 9) throw new Error("the wall fell on somebody");
  }

  isDone(): boolean {
    return this.#isPainted;
  }

  describe(): string {
    return `${this.#hits.length} hits`;
  }
}

function exploration(schedules: readonly Schedule[], more: Partial<Exploration> = {}): Exploration {
  const list = [...schedules];
  return {
    suite: "wall",
    seeds: list.map((_, index) => `s${index}`),
    plan: () => list.shift() ?? [],
    build: (kernel) => new Wall(kernel),
    limits: { stepsMax: 1000, virtualMsMax: 60_000 },
    replay: (seed) => `TROBAR_TEST_SEED=${seed} npm test -- wall`,
    ...more,
  };
}

test("an exploration that finds nothing says how much it has run", () => {
  const explored = explore(exploration([[], [hit(1)], [hit(1), hit(2)]]));
  assert.equal(explored.discovery, null);
  assert.equal(explored.runs, 3);
  assert.equal(explored.steps, 3 * 2 + 3);
});

test("a broken invariant is found at the event that breaks it, the schedule made minimal", () => {
  const schedule = [hit(100), hit(3000), hit(3500), hit(3800), hit(9000), hit(9500)];
  const { discovery, runs } = explore(exploration([[hit(1)], schedule, [hit(2)]]));
  assert.ok(discovery !== null);
  assert.equal(runs, 2, "the search ends with the first failure");
  assert.equal(discovery.failure.check, "the wall stands");
  assert.deepEqual(discovery.planned, schedule);
  assert.deepEqual(discovery.schedule, [hit(0), hit(0), hit(0)]);
  assert.deepEqual(discovery.regression, {
    suite: "wall",
    seed: "s1",
    schedule: discovery.schedule,
    found: "the wall stands",
  });
});

test("the report has seed, time, check, schedule, state, trace, and how to repeat the run", () => {
  const { discovery } = explore(exploration([[hit(7), hit(8), hit(9), hit(5000)]]));
  const report = discovery?.report ?? "";
  for (const part of [
    'check "the wall stands" failed at 0.000 ms',
    "with seed s0",
    "hit at 0, 0, 0",
    "3 hits",
    "3 of 4 planned faults; none can be spared",
    "0 ms  hit wall force=1",
    "0.000 - F hit wall force=1",
    "F  a fault of the schedule struck",
    "TROBAR_TEST_SEED=s0 npm test -- wall",
    '{"suite":"wall","seed":"s0","schedule":[{"kind":"hit"',
  ]) {
    assert.ok(report.includes(part), `${part} is missing in:\n${report}`);
  }
});

test("an exception is a failure like any other, and shrinking keeps to the same one", () => {
  const { discovery } = explore(exploration([[hit(1), hit(2), hit(900, 9), hit(901)]]));
  assert.equal(discovery?.failure.check, "throws");
  assert.match(discovery?.failure.message ?? "", /fell on somebody/);
  assert.deepEqual(discovery?.schedule, [hit(0, 9)]);
});

test("a world that falls silent, or never ends, has failed to end", () => {
  const silent: Trial = { strike: () => {}, always: {}, atEnd: {}, isDone: () => false };
  const build = (): Trial => silent;
  const first = explore(exploration([[]], { build }));
  assert.equal(first.discovery?.failure.check, "ends");
  assert.match(first.discovery?.failure.message ?? "", /nothing is left to happen/);
  const buildBusy = (kernel: Kernel): Trial => {
    const again = (): void => void kernel.schedule(10, again);
    again();
    return silent;
  };
  const late = explore(exploration([[]], { build: buildBusy }));
  assert.match(late.discovery?.failure.message ?? "", /limit of events/);
  const limits = { stepsMax: 1e6, virtualMsMax: 500 };
  const slow = explore(exploration([[]], { build: buildBusy, limits }));
  assert.match(slow.discovery?.failure.message ?? "", /limit of virtual time/);
  assert.equal(slow.discovery?.failure.atMs, 500);
});

test("a run is not over before its last fault is, and what must hold at the end is checked", () => {
  let isDoneAsked = Number.POSITIVE_INFINITY;
  const build = (kernel: Kernel): Trial => ({
    strike: () => {},
    always: {},
    atEnd: { "the end is good": () => "it is not" },
    isDone: () => {
      isDoneAsked = Math.min(isDoneAsked, kernel.nowMs);
      return true;
    },
  });
  const late = { ...hit(3000), durationMs: 500 };
  const { failure } = runOnce(exploration([], { build }), "s", [late]);
  assert.equal(failure?.check, "the end is good");
  assert.equal(isDoneAsked, 3501);
});

test("invariants may be checked only now and then, and are always checked at the end", () => {
  let checks = 0;
  const build = (kernel: Kernel): Trial => {
    for (let atMs = 1; atMs <= 100; atMs += 1) kernel.schedule(atMs, () => {});
    const count = (): null => {
      checks += 1;
      return null;
    };
    return { strike: () => {}, always: { count }, atEnd: {}, isDone: () => kernel.nowMs >= 100 };
  };
  runOnce(exploration([], { build, checkEvery: 20 }), "s", []);
  assert.equal(checks, 7);
});

test("runs that failed once are made first, with the schedules they were kept with", () => {
  const kept = { suite: "wall", seed: "old", schedule: [hit(1), hit(2), hit(3)], found: "fell" };
  const other = { ...kept, suite: "roof" };
  const passing = explore(exploration([[], []], { regressions: [other] }));
  assert.equal(passing.runs, 2);
  const failing = explore(exploration([[], []], { regressions: [other, kept] }));
  assert.equal(failing.runs, 1);
  assert.equal(failing.discovery?.regression.seed, "old");
});

test("a world that does not repeat itself is reported", () => {
  let builds = 0;
  const build = (kernel: Kernel): Trial => {
    builds += 1;
    kernel.schedule(builds, () => {});
    const check = (): string | null => (kernel.nowMs >= builds ? "too late" : null);
    return { strike: () => {}, always: { time: check }, atEnd: {}, isDone: () => false };
  };
  const { discovery } = explore(exploration([[]], { build }));
  assert.match(discovery?.report ?? "", /NOT REPEATABLE/);
});

test("the number of lines of trace in a report can be chosen", () => {
  const many = Array.from({ length: 30 }, (_, index) => hit(2000 * index));
  const schedule = [...many, hit(90_000), hit(90_001), hit(90_002)];
  const limits = { stepsMax: 1000, virtualMsMax: 200_000 };
  const more = { traceLines: 2, shrinkTriesMax: 0, limits };
  const { discovery } = explore(exploration([schedule], more));
  assert.match(discovery?.report ?? "", /the last 2 events:/);
  assert.match(discovery?.report ?? "", /there may be smaller ones/);
});
