/**
 * Trials of whole crawls, by the thousand. A failure names its seed; the plan of that seed, made smaller
 * by hand, is then kept in `agent-regressions.json`, since planners change. Its site is drawn from the
 * seed: whoever changes `agent-site.ts` looks for another seed that shows the same.
 *
 * They are so many because each is cheap. What made it dear was never the crawl itself: buffers that
 * processes made at full size (a collection of garbage every third crawl), and waiting in which commits
 * had nothing to write. The rest is spread thin over the opening of some twenty files a process.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type AgentPlan, planOf } from "./agent-plan.ts";
import { tryKilledAgent } from "./agent-trial.ts";

export interface AgentTrials {
  readonly lanesMax: number;
  /** Whether power may fail, or processes are only killed. */
  readonly losesPower: boolean;
  /** How many in `npm test`, and how many in the full tests. */
  readonly schedules: number;
  readonly schedulesFull: number;
}

/** A plan that failed once. */
interface KeptPlan {
  readonly plan: AgentPlan;
  readonly found: string;
}

const PARTS = 10;

export function tryAgents({ lanesMax, losesPower, schedules, schedulesFull }: AgentTrials): void {
  const isFull = process.env["TROBAR_FULL"] === "1";
  const each = (isFull ? schedulesFull : schedules) / PARTS;
  const lanes = lanesMax === 1 ? "one lane" : `up to ${lanesMax} lanes`;
  const end = losesPower ? "lose power" : "are killed";
  for (let part = 0; part < PARTS; part += 1) {
    const from = part * each;
    test(`crawls with ${lanes} that ${end} end with every page once, from seed ${from} on`, async () => {
      let kills = 0;
      for (let seed = from; seed < from + each; seed += 1) {
        const plan = planOf(String(seed), lanesMax, losesPower);
        kills += await tryPlan(plan, `seed ${seed}`);
      }
      assert.ok(kills > each / 2, "most were killed");
    });
  }
  test(`crawls with ${lanes} that ${end} and went wrong once end well`, async () => {
    for (const { plan, found } of keptPlans()) {
      const most = Math.max(...plan.lives.map((life) => life.lanes));
      const isPower = plan.lives.some(({ kill }) => kill?.isPower === true);
      const isOurs = (lanesMax === 1) === (most === 1) && isPower === losesPower;
      if (isOurs) await tryPlan(plan, found);
    }
  });
}

async function tryPlan(plan: AgentPlan, what: string): Promise<number> {
  try {
    return (await tryKilledAgent(plan)).kills;
  } catch (error) {
    throw new Error(`${what}: ${error}\n${JSON.stringify(plan)}`, { cause: error });
  }
}

function keptPlans(): readonly KeptPlan[] {
  const file = new URL("./agent-regressions.json", import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as readonly KeptPlan[];
}
