/**
 * Pages that move between agents: a leaver brings them to others, and with `store.migrate` they follow their
 * hosts. All of them are had, one copy of each is visible, and bodies arrive as they were sent. Leaves alone
 * are a mix of faults (`cluster.test.ts`).
 */
import { test } from "node:test";
import {
  type ClusterMix,
  ClusterTrial,
  optionsOf,
  scheduleOf,
  USUAL_SIZE,
} from "../../src/lab/agents/index.ts";
import { simulate } from "../support/lab/simulation.ts";

const NETWORK = {
  ...{ lossRatio: 0.03, duplicateRatio: 0.03, lateRatio: 0.05, lateMsMax: 5000, reorderRatio: 0.2 },
};

/** If agents die meanwhile, a leave may not be finished. */
function tryPages(name: string, kinds: readonly string[]): void {
  const mix: ClusterMix = {
    ...{ name, meaning: name, kinds, faultsMax: 2 * kinds.length, network: NETWORK },
    ...{ partition: "continue", weight: 1, has: [] },
  };
  simulate({
    ...{ suite: `pages, ${name}`, file: import.meta.url, checkEvery: 50, schedules: 12 },
    plan: (random) => scheduleOf(mix, USUAL_SIZE, random),
    build: (kernel) => {
      const options = optionsOf(mix, USUAL_SIZE, kernel.random.fork("options"));
      return new ClusterTrial(kernel, { ...options, migrate: true });
    },
    limits: { stepsMax: 600_000, virtualMsMax: 600_000 },
  });
}

test("L1, G1: leaving, joining, dying and losing disks at once", () => {
  tryPages("leaving and dying", ["leave", "join", "crash", "wipe"]);
});

test("C1: pages follow their hosts after joins, and one copy of each is visible", () => {
  tryPages("joins with migration", ["join"]);
});
