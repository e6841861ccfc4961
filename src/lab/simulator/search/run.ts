/**
 * One run: a world is built, the faults of a schedule strike, checks are made after every event
 * and at the end.
 *
 * A run ends well when all faults are over and the trial says that it is done; a world that falls
 * silent, or goes on for ever, has failed the check `ends`. An exception fails the check `throws`.
 */

import { Kernel, type RunEnd, type RunLimits } from "../kernel/kernel.ts";
import type { Failure } from "./failure.ts";
import { calmAtMs, describeFault, type Fault, type Schedule } from "./fault.ts";

/** What must hold: null, or a sentence about what does not. */
export type Check = () => string | null;

/** One world with its inhabitants, made afresh for every run. */
export interface Trial {
  /** Lets a fault of the schedule happen. */
  strike(fault: Fault): void;
  /** What must hold after every event (or every few events), by name. */
  readonly always: Readonly<Record<string, Check>>;
  /** What must hold when the run has ended well, by name. */
  readonly atEnd: Readonly<Record<string, Check>>;
  /** Asked once all faults are over: whether everything that was to happen has happened. */
  isDone(): boolean;
  /** The state of the world in a few lines, for the report of a failure. */
  describe?(): string;
}

/** How runs are made, whatever their seed and schedule. */
export interface RunPlan {
  build(kernel: Kernel): Trial;
  /** For one run, faults included. */
  readonly limits: RunLimits;
  /** The checks of `always` are made after this many events; 1 unless given. */
  readonly checkEvery?: number;
}

export interface OneRun {
  readonly failure: Failure | null;
  readonly steps: number;
  readonly trace: readonly string[];
}

/** One run of one schedule. The same arguments give the same run. */
export function runOnce(plan: RunPlan, seed: string, schedule: Schedule, traceLines = 0): OneRun {
  const kernel = new Kernel({ seed, traceLines });
  const run = new Run(kernel, schedule, plan.checkEvery ?? 1);
  const failure = run.go(plan);
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

  go(plan: RunPlan): Failure | null {
    try {
      const trial = plan.build(this.#kernel);
      this.#trial = trial;
      for (const fault of this.#schedule) this.#arm(trial, fault);
      this.#awaitCalm();
      return this.#watch(trial, plan.limits);
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
