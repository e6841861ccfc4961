/**
 * Trials of whole crawls, by the thousand. A failure names its seed; the plan of that seed, made smaller
 * by hand, is then kept in `agent-regressions.json`, since planners change. Its site is drawn from the
 * seed: whoever changes `agent-site.ts` looks for another seed that shows the same.
 *
 * TROBAR_SEED=100000 takes other seeds: those from this number on.
 *
 * They are so many because each is cheap. What made it dear was never the crawl itself: buffers that
 * processes made at full size (a collection of garbage every third crawl), and waiting in which commits
 * had nothing to write. The rest is spread thin over the opening of some twenty files a process.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { Worker } from "node:worker_threads";
import type { AskedTrials, KeptPlan, TriedTrials } from "./agent-trials-thread.ts";

export interface AgentTrials {
  readonly lanesMax: number;
  /** Whether power may fail, or processes are only killed. */
  readonly losesPower: boolean;
  /** How many in `npm test`, and how many in the full tests. */
  readonly schedules: number;
  readonly schedulesFull: number;
}

const PARTS = 10;
const FIRST_SEED = Number(process.env["TROBAR_SEED"] ?? 0);

export function tryAgents({ lanesMax, losesPower, schedules, schedulesFull }: AgentTrials): void {
  const isFull = process.env["TROBAR_FULL"] === "1";
  const each = (isFull ? schedulesFull : schedules) / PARTS;
  const lanes = lanesMax === 1 ? "one lane" : `up to ${lanesMax} lanes`;
  const end = losesPower ? "lose power" : "are killed";
  const thread = new Worker(new URL("./agent-trials-thread.ts", import.meta.url));
  after(() => thread.terminate());
  const tryThese = async (these: Pick<AskedTrials, "from" | "count" | "kept">): Promise<number> => {
    thread.postMessage({ ...these, lanesMax, losesPower } satisfies AskedTrials);
    const [tried] = await once(thread, "message");
    const { kills, failure }: TriedTrials = tried;
    assert.equal(failure, null);
    return kills;
  };
  for (let part = 0; part < PARTS; part += 1) {
    const from = FIRST_SEED + part * each;
    test(`crawls with ${lanes} that ${end} end with every page once, from seed ${from} on`, async () => {
      const kills = await tryThese({ from, count: each, kept: [] });
      assert.ok(kills > each / 2, "most were killed");
    });
  }
  test(`crawls with ${lanes} that ${end} and went wrong once end well`, async () => {
    const kept = keptPlans().filter(({ plan }) => {
      const most = Math.max(...plan.lives.map((life) => life.lanes));
      const isPower = plan.lives.some(({ kill }) => kill?.isPower === true);
      return (lanesMax === 1) === (most === 1) && isPower === losesPower;
    });
    await tryThese({ from: 0, count: 0, kept });
  });
}

function keptPlans(): readonly KeptPlan[] {
  const file = new URL("./agent-regressions.json", import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as readonly KeptPlan[];
}
