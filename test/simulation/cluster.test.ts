/**
 * Clusters of agents under every fault at once: coverage is 1, one copy of each page is visible, connected
 * agents never visit a host at once, and the crawl ends.
 */
import { test } from "node:test";
import { ClusterTrial, planClusterFaults } from "../../src/lab/agents/index.ts";
import type { Kernel } from "../../src/lab/simulator/index.ts";
import { simulate } from "../support/lab/simulation.ts";

const AGENTS = 4;
const SPARES = 2;
const NOISY = {
  ...{ lossRatio: 0.03, duplicateRatio: 0.03, lateRatio: 0.05, lateMsMax: 5000, reorderRatio: 0.2 },
};

function trialOf(kernel: Kernel): ClusterTrial {
  return new ClusterTrial(kernel, {
    ...{ agents: AGENTS, spares: SPARES, partition: "continue", network: NOISY },
    ...{ hostDelayMs: 300, checkpointMs: 1000 },
    web: { hosts: 13, pagesPerHost: 4, linksMax: 3, seeds: 2 },
  });
}

interface Mix {
  readonly name: string;
  readonly kinds: readonly string[];
  readonly faultsMax: number;
  readonly schedules: number;
}

const MIXES: readonly Mix[] = [
  { name: "none but a bad network", kinds: ["noise"], faultsMax: 1, schedules: 20 },
  { name: "joins", kinds: ["join"], faultsMax: 2, schedules: 20 },
  { name: "crashes and lost disks", kinds: ["crash", "wipe", "join"], faultsMax: 6, schedules: 60 },
  {
    name: "pauses and cut links",
    kinds: ["zombie", "cut", "cut-both"],
    faultsMax: 3,
    schedules: 30,
  },
  { name: "partitions", kinds: ["partition"], faultsMax: 3, schedules: 30 },
];

for (const { name, kinds, faultsMax, schedules } of MIXES) {
  test(`a cluster has every page once, whatever happens: ${name}`, () => {
    simulate({
      ...{ suite: `cluster, ${name}`, file: import.meta.url, schedules, checkEvery: 50 },
      plan: (random) =>
        planClusterFaults(random, { agents: AGENTS, spares: SPARES, faultsMax, kinds }),
      build: trialOf,
      limits: { stepsMax: 600_000, virtualMsMax: 600_000 },
    });
  });
}

test("a cluster has every page once, whatever happens: everything at once", () => {
  simulate({
    ...{ suite: "cluster, everything", file: import.meta.url, schedules: 40, checkEvery: 50 },
    plan: (random) => planClusterFaults(random, { agents: AGENTS, spares: SPARES, faultsMax: 8 }),
    build: trialOf,
    limits: { stepsMax: 600_000, virtualMsMax: 600_000 },
  });
});
