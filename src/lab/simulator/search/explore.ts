/**
 * The search for schedules that break something: for each seed a schedule is planned and run. The
 * first failure is shrunk, run once more with the trace on, and returned as text that says how to
 * repeat it; runs that failed once before come first.
 */
import { SeededRandom } from "../../../base/random/index.ts";
import type { Random } from "../../../base/seams/index.ts";
import { describeFailure, type Failure, type Regression, sameFailure } from "./failure.ts";
import type { Schedule } from "./fault.ts";
import { type RunPlan, runOnce } from "./run.ts";
import { shrinkSchedule } from "./shrink.ts";

export interface Exploration extends RunPlan {
  /** Names the exploration in reports and in the file of regressions. */
  readonly suite: string;
  readonly seeds: Iterable<string>;
  plan(random: Random): Schedule;
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
