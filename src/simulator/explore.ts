/**
 * The search for schedules that break something: for each seed a schedule is planned, a world is
 * built, the faults strike, checks are made after every event and at the end. The first failure
 * is shrunk, run once more with the trace on, and returned as text that says how to repeat it.
 *
 * A run ends well when all faults are over and the trial says that it is done; a world that falls
 * silent, or goes on for ever, has failed the check `ends`. An exception fails the check `throws`.
 */
import { SeededRandom } from "../random/index.ts";
import type { Random } from "../seams/index.ts";
import { describeFailure, type Failure, type Regression, sameFailure } from "./failure.ts";
import { calmAtMs, describeFault, type Fault, type Schedule } from "./fault.ts";
import { Kernel, type RunEnd, type RunLimits } from "./kernel.ts";
import { shrinkSchedule } from "./shrink.ts";

/** What must hold: null, or a sentence about what does not. */
export type Check = () => string | null;

/** One world with its inhabitants, made afresh for every run. */
export interface Trial {
  /** Lets a fault of the schedule happen. */
  strike(fault: Fault): void;
  /** What must hold after every event (or every so many), by name. */
  readonly always: Readonly<Record<string, Check>>;
  /** What must hold when the run has ended well, by name. */
  readonly atEnd: Readonly<Record<string, Check>>;
  /** Asked once all faults are over: whether everything that was to happen has happened. */
  isDone(): boolean;
  /** The state of the world in a few lines, for the report of a failure. */
  describe?(): string;
}

export interface Exploration {
  /** Names the exploration in reports and in the file of regressions. */
  readonly suite: string;
  readonly seeds: Iterable<string>;
  plan(random: Random): Schedule;
  build(kernel: Kernel): Trial;
  /** For one run, faults included. */
  readonly limits: RunLimits;
  /** The checks of `always` are made after every so many events; 1 unless given. */
  readonly checkEvery?: number;
  /** The command that repeats the run of a seed, for reports. */
  readonly replay: (seed: string) => string;
  /** Runs that failed once; they are made first. */
  readonly regressions?: readonly Regression[];
  readonly shrinkTriesMax?: number;
  /** How many lines of trace a report shows. */
  readonly traceLines?: number;
}

export interface Discovery {
  readonly failure: Failure;
  /** As planned from the seed, or kept as a regression. */
  readonly planned: Schedule;
  /** The smaller one that fails in the same way; `failure` is about this one. */
  readonly schedule: Schedule;
  readonly regression: Regression;
  /** The whole story as text. */
  readonly report: string;
}

export interface Explored {
  readonly runs: number;
  /** Events in all runs together, shrinking left out. */
  readonly steps: number;
  /** The first failure; the search ends with it. */
  readonly discovery: Discovery | null;
}

const TRACE_LINES = 60;
const SHRINK_TRIES_MAX = 500;

export function explore(exploration: Exploration): Explored {
  let runs = 0;
  let steps = 0;
  for (const { seed, schedule } of runsOf(exploration)) {
    const run = runOnce(exploration, seed, schedule);
    runs += 1;
    steps += run.steps;
    if (run.failure !== null) {
      const discovery = discover(exploration, seed, schedule, run.failure);
      return { runs, steps, discovery };
    }
  }
  return { runs, steps, discovery: null };
}

function* runsOf(exploration: Exploration): Generator<{ seed: string; schedule: Schedule }> {
  for (const regression of exploration.regressions ?? []) {
    if (regression.suite === exploration.suite) yield regression;
  }
  for (const seed of exploration.seeds) {
    yield { seed, schedule: exploration.plan(new SeededRandom(seed).fork("plan")) };
  }
}

export interface OneRun {
  readonly failure: Failure | null;
  readonly steps: number;
  readonly trace: readonly string[];
}

/** One run of one schedule. The same arguments give the same run. */
export function runOnce(
  exploration: Pick<Exploration, "build" | "limits" | "checkEvery">,
  seed: string,
  schedule: Schedule,
  traceLines = 0,
): OneRun {
  const kernel = new Kernel({ seed, traceLines });
  const run = new Run(kernel, schedule, exploration.checkEvery ?? 1);
  const failure = run.go(exploration);
  return { failure, steps: kernel.steps, trace: traceLines > 0 ? kernel.trace.lines() : [] };
}

class Run {
  readonly #kernel: Kernel;
  readonly #schedule: Schedule;
  readonly #checkEvery: number;
  #trial: Trial | null = null;
  #isCalm = false;

  constructor(kernel: Kernel, schedule: Schedule, checkEvery: number) {
    this.#kernel = kernel;
    this.#schedule = schedule;
    this.#checkEvery = checkEvery;
  }

  go(exploration: Pick<Exploration, "build" | "limits">): Failure | null {
    try {
      const trial = exploration.build(this.#kernel);
      this.#trial = trial;
      for (const fault of this.#schedule) this.#arm(trial, fault);
      this.#awaitCalm();
      return this.#watch(trial, exploration.limits);
    } catch (error) {
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return this.#fail("throws", what);
    }
  }

  #arm(trial: Trial, fault: Fault): void {
    const kernel = this.#kernel;
    kernel.schedule(fault.atMs, () => {
      if (kernel.trace.isOn) kernel.trace.add("F", "-", describeFault(fault));
      trial.strike(fault);
    });
  }

  /** One millisecond after the last fault is over, so that its end has happened by then. */
  #awaitCalm(): void {
    const atMs = calmAtMs(this.#schedule) + 1;
    const becomeCalm = (): void => {
      this.#isCalm = true;
    };
    this.#kernel.schedule(atMs, becomeCalm, "all faults are over");
  }

  #watch(trial: Trial, limits: RunLimits): Failure | null {
    const kernel = this.#kernel;
    const always = Object.entries(trial.always);
    let failure: Failure | null = null;
    const end = kernel.runUntil(() => {
      if (kernel.steps % this.#checkEvery === 0) failure = this.#firstBroken(always);
      return failure !== null || (this.#isCalm && trial.isDone());
    }, limits);
    failure ??= this.#firstBroken(always);
    if (failure !== null) return failure;
    if (end !== "done") return this.#fail("ends", whyEnded(end));
    return this.#firstBroken(Object.entries(trial.atEnd));
  }

  #firstBroken(checks: readonly (readonly [string, Check])[]): Failure | null {
    for (const [name, check] of checks) {
      const broken = check();
      if (broken !== null) return this.#fail(name, broken);
    }
    return null;
  }

  #fail(check: string, message: string): Failure {
    const { nowMs: atMs, steps } = this.#kernel;
    return { check, message, atMs, steps, state: this.#trial?.describe?.() ?? "" };
  }
}

function whyEnded(end: Exclude<RunEnd, "done">): string {
  const reasons = {
    silent: "nothing is left to happen, and the run is not done",
    "out-of-steps": "the limit of events was reached before the run was done",
    "out-of-time": "the limit of virtual time was reached before the run was done",
  };
  return reasons[end];
}

function discover(
  exploration: Exploration,
  seed: string,
  planned: Schedule,
  found: Failure,
): Discovery {
  const runAgain = (schedule: Schedule): Failure | null =>
    runOnce(exploration, seed, schedule).failure;
  const shrunk = shrinkSchedule(
    planned,
    (candidate) => runAgain(candidate)?.check === found.check,
    exploration.shrinkTriesMax ?? SHRINK_TRIES_MAX,
  );
  const { schedule } = shrunk;
  const failure = runAgain(schedule);
  const traced = runOnce(exploration, seed, schedule, exploration.traceLines ?? TRACE_LINES);
  const isRepeatable = failure !== null && sameFailure(failure, traced.failure);
  const regression = { suite: exploration.suite, seed, schedule, found: found.check };
  const report = describeFailure({
    regression,
    planned,
    shrunk,
    failure: failure ?? found,
    trace: traced.trace,
    isRepeatable,
    replay: exploration.replay(seed),
  });
  return { failure: failure ?? found, planned, schedule, regression, report };
}
