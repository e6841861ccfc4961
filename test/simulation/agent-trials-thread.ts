/**
 * Trials of whole crawls in a thread of their own: the test runner follows every promise that is made in
 * its thread, which takes a seventh of the time of a trial.
 */
import assert from "node:assert/strict";
import { parentPort } from "node:worker_threads";
import { type AgentPlan, planOf } from "./agent-plan.ts";
import { tryKilledAgent } from "./agent-trial.ts";

/** Trials that are asked for: those of some seeds in a row, and kept plans. */
export interface AskedTrials {
  readonly from: number;
  readonly count: number;
  readonly lanesMax: number;
  readonly losesPower: boolean;
  readonly kept: readonly KeptPlan[];
}

/** A plan that failed once. */
export interface KeptPlan {
  readonly plan: AgentPlan;
  readonly found: string;
}

export interface TriedTrials {
  /** How often crawls were killed. */
  readonly kills: number;
  /** The first failure, after which no further trial was made. */
  readonly failure: string | null;
}

assert(parentPort !== null, "trials run in a thread");
const port = parentPort;
port.on("message", (asked: AskedTrials) => {
  const answer = (tried: TriedTrials): void => port.postMessage(tried);
  tryAll(asked).then(
    (kills) => answer({ kills, failure: null }),
    (error: Error) => answer({ kills: 0, failure: error.stack ?? error.message }),
  );
});

async function tryAll(asked: AskedTrials): Promise<number> {
  const { from, count, lanesMax, losesPower, kept } = asked;
  let kills = 0;
  for (let seed = from; seed < from + count; seed += 1) {
    kills += await tryPlan(planOf(String(seed), lanesMax, losesPower), `seed ${seed}`);
  }
  for (const { plan, found } of kept) kills += await tryPlan(plan, found);
  return kills;
}

async function tryPlan(plan: AgentPlan, what: string): Promise<number> {
  try {
    return (await tryKilledAgent(plan)).kills;
  } catch (error) {
    throw new Error(`${what}: ${error}\n${JSON.stringify(plan)}`, { cause: error });
  }
}
