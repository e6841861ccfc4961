/**
 * Clusters of agents under every mix of faults: every page is had, one copy of each is visible, connected
 * agents never visit a host at once, and the crawl ends, neither early nor never. No page is fetched again
 * while an agent has it that could be asked.
 */
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

for (const mix of CLUSTER_MIXES) {
  test(`a cluster has every page once, whatever happens: ${mix.meaning}`, () => {
    simulate({
      ...{ suite: `cluster, ${mix.name}`, file: import.meta.url, checkEvery: 50 },
      schedules: SCHEDULES * mix.weight,
      schedulesFull: SCHEDULES_FULL * mix.weight,
      schedulesRelease: SCHEDULES_RELEASE * mix.weight,
      plan: (random) => scheduleOf(mix, SIZE, random),
      build: (kernel) =>
        new ClusterTrial(kernel, optionsOf(mix, SIZE, kernel.random.fork("options"))),
      limits: { stepsMax: 600_000, virtualMsMax: 600_000 },
    });
  });
}
