/**
 * Clusters of agents under every mix of faults: every page is had, one copy of each is visible, connected
 * agents never visit a host at once, and the crawl ends, neither early nor never. No page is fetched again
 * while an agent has it that could be asked. At most one page in 500 runs is fetched again because an agent
 * left; without faults, and when agents join, none is. How many are in each mix is printed.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CLUSTER_MIXES,
  type ClusterSize,
  ClusterTrial,
  optionsOf,
  scheduleOf,
  USUAL_SIZE,
} from "../../src/lab/agents/index.ts";
import { simulate } from "../support/lab/simulation.ts";

/** Ordinary runs have one agent less than those of the full tests, and take two thirds of their time. */
const SIZE: ClusterSize =
  process.env["TROBAR_FULL"] === "1" ? USUAL_SIZE : { ...USUAL_SIZE, agents: 3 };

/** For each unit of a mix's weight: in all 1,023, 10,230 in the full tests, 102,300 for a release. */
const SCHEDULES = 44;
const SCHEDULES_FULL = 440;
const SCHEDULES_RELEASE = 4400;

/** Mixes under which nothing may be fetched again. */
const PLANNED = ["none", "calm", "join"];
const RUNS_PER_PAGE_LEFT = 500;

/** Adds up what was fetched again, prints the mean of a run, and judges it. */
function judgeAgain(name: string, trials: readonly Pick<ClusterTrial, "extraFetches">[]): void {
  const sums = new Map<string, number>();
  for (const { extraFetches } of trials) {
    for (const [cause, count] of extraFetches) sums.set(cause, (sums.get(cause) ?? 0) + count);
  }
  const means = [...sums].map(([cause, sum]) => `${cause} ${(sum / trials.length).toFixed(3)}`);
  console.log(`cluster, ${name}: fetched again in a run: ${means.join(", ") || "nothing"}`);
  const leftMax = Math.ceil(trials.length / RUNS_PER_PAGE_LEFT);
  assert.ok((sums.get("left behind") ?? 0) <= leftMax, `left behind in ${trials.length} runs`);
  if (PLANNED.includes(name)) assert.deepEqual(means, []);
}

for (const mix of CLUSTER_MIXES) {
  test(`a cluster has every page once, whatever happens: ${mix.meaning}`, () => {
    const trials: Pick<ClusterTrial, "extraFetches">[] = [];
    simulate({
      ...{ suite: `cluster, ${mix.name}`, file: import.meta.url, checkEvery: 50 },
      schedules: SCHEDULES * mix.weight,
      schedulesFull: SCHEDULES_FULL * mix.weight,
      schedulesRelease: SCHEDULES_RELEASE * mix.weight,
      plan: (random) => scheduleOf(mix, SIZE, random),
      build: (kernel) => {
        const options = optionsOf(mix, SIZE, kernel.random.fork("options"));
        const trial = new ClusterTrial(kernel, options);
        // Whole trials would not fit into memory.
        trials.push({ extraFetches: trial.extraFetches });
        return trial;
      },
      limits: { stepsMax: 600_000, virtualMsMax: 600_000 },
    });
    judgeAgain(mix.name, trials);
  });
}
