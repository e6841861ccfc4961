/**
 * Many schedules of a simulated cluster, one after the other, and what came of them: for each mix of faults
 * how many runs there were, which pages were fetched again and why, and what failed.
 */
import { SeededRandom } from "../../base/random/index.ts";
import { type Exploration, explore, runOnce, type Schedule } from "../simulator/index.ts";
import { type ClusterMix, type ClusterSize, optionsOf, scheduleOf } from "./cluster-mixes.ts";
import { ClusterTrial } from "./cluster-trial.ts";
import type { Cause } from "./fetch-causes.ts";

/** A run that failed. */
export interface StudyFailure {
  readonly seed: string;
  /** What did not hold, and how. */
  readonly check: string;
  readonly message: string;
}

export interface MixTally {
  readonly mix: ClusterMix;
  runs: number;
  /** Faults that struck; not those that could change nothing. */
  faults: number;
  /** Events of the simulator. */
  events: number;
  /** Pages that were due, and requests for them. */
  pages: number;
  fetches: number;
  readonly again: Map<Cause, number>;
  /** Seeds that were accepted and lost with every disk that held them. */
  lostSeeds: number;
  readonly failures: StudyFailure[];
}

/** Enough for any run that ends; in events, and in virtual time. */
const LIMITS = { stepsMax: 600_000, virtualMsMax: 600_000 };
const CHECK_EVERY = 50;
const SHRINK_TRIES_MAX = 60;

export class ClusterStudy {
  readonly tallies: ReadonlyMap<string, MixTally>;
  readonly #size: ClusterSize;

  constructor(mixes: readonly ClusterMix[], size: ClusterSize) {
    this.#size = size;
    const entries = mixes.map((mix): [string, MixTally] => [mix.name, emptyTally(mix)]);
    this.tallies = new Map(entries);
  }

  /** Runs the schedule that this seed makes of a mix; null, or what failed. */
  run(mix: ClusterMix, seed: string): StudyFailure | null {
    const schedule = this.#schedule(mix, seed);
    let trial: ClusterTrial | null = null;
    const { failure, steps } = runOnce(
      {
        ...{ limits: LIMITS, checkEvery: CHECK_EVERY },
        build: (kernel) => {
          trial = new ClusterTrial(
            kernel,
            optionsOf(mix, this.#size, kernel.random.fork("options")),
          );
          return trial;
        },
      },
      seed,
      schedule,
    );
    const tally = this.tallies.get(mix.name) as MixTally;
    tally.events += steps;
    add(tally, trial);
    if (failure === null) return null;
    const { check, message } = failure;
    tally.failures.push({ seed, check, message });
    return { seed, check, message };
  }

  /** The story of a run that failed, with the fewest faults that make it fail. */
  story(mix: ClusterMix, seed: string, replay: string): string {
    const { discovery } = explore(this.exploration(mix, [seed], replay));
    return discovery?.report ?? `seed ${seed} does not fail when it is run again`;
  }

  /** The same runs, for whoever explores them otherwise. */
  exploration(mix: ClusterMix, seeds: Iterable<string>, replay: string): Exploration {
    return {
      ...{
        suite: `cluster of ${this.#size.agents}, ${mix.name}`,
        seeds,
        limits: LIMITS,
        checkEvery: CHECK_EVERY,
      },
      ...{ shrinkTriesMax: SHRINK_TRIES_MAX, traceLines: 30 },
      plan: (random) => scheduleOf(mix, this.#size, random),
      build: (kernel) =>
        new ClusterTrial(kernel, optionsOf(mix, this.#size, kernel.random.fork("options"))),
      replay: () => replay,
    };
  }

  #schedule(mix: ClusterMix, seed: string): Schedule {
    return scheduleOf(mix, this.#size, new SeededRandom(seed).fork("plan"));
  }
}

function emptyTally(mix: ClusterMix): MixTally {
  return {
    ...{ mix, runs: 0, faults: 0, events: 0, pages: 0, fetches: 0, lostSeeds: 0 },
    ...{ again: new Map(), failures: [] },
  };
}

function add(tally: MixTally, trial: ClusterTrial | null): void {
  tally.runs += 1;
  if (trial === null) return;
  tally.faults += trial.struck;
  tally.pages += trial.end.due().size;
  tally.fetches += trial.world.fetchCount;
  tally.lostSeeds += trial.end.lostSeeds().length;
  for (const [cause, count] of trial.extraFetches) {
    tally.again.set(cause, (tally.again.get(cause) ?? 0) + count);
  }
}
