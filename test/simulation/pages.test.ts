/**
 * Pages that move between agents: a leaver brings them to others, and with `store.migrate` they follow their
 * hosts. All of them are had, one copy of each is visible, and bodies arrive as they were sent. Leaves alone
 * are a mix of faults (`cluster-features.test.ts`).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RingKey } from "../../src/cluster/ring/index.ts";
import {
  type ClusterMix,
  ClusterTrial,
  mixNamed,
  optionsOf,
  scheduleOf,
  USUAL_SIZE,
} from "../../src/lab/agents/index.ts";
import { runOnce } from "../../src/lab/simulator/index.ts";
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

/** Pages that are shown elsewhere than at the owner of their host, and copies that are hidden. */
function astray({ members }: ClusterTrial): {
  readonly elsewhere: number;
  readonly hidden: number;
} {
  let elsewhere = 0;
  let hidden = 0;
  for (const machine of members) {
    for (const { url, isVisible } of machine.pages()) {
      const owner = machine.agent?.node?.view.ownerOf(new URL(url).host as RingKey);
      if (!isVisible) hidden += 1;
      else if (owner !== machine.id) elsewhere += 1;
    }
  }
  return { elsewhere, hidden };
}

/** Two agents crawl, and two more join in mid-crawl. */
function grown(migrate: boolean): ReturnType<typeof astray> {
  let trial: ClusterTrial | null = null;
  const size = { agents: 2, spares: 2 };
  const join = { kind: "join", durationMs: 0, parameters: {} };
  const { failure } = runOnce(
    {
      build: (kernel) => {
        const calm = mixNamed("calm") as ClusterMix;
        const options = optionsOf(calm, size, kernel.random.fork("options"));
        const built = new ClusterTrial(kernel, { ...options, migrate });
        const isDone = built.isDone.bind(built);
        // In the background, so perhaps after the end.
        built.isDone = () => isDone() && (!migrate || astray(built).elsewhere === 0);
        trial = built;
        return built;
      },
      ...{ limits: { stepsMax: 600_000, virtualMsMax: 120_000 }, checkEvery: 50 },
    },
    "grown",
    [
      { ...join, nodes: ["a2"], atMs: 14_000 },
      { ...join, nodes: ["a3"], atMs: 18_000 },
    ],
  );
  assert.equal(failure, null, `${failure?.check}: ${failure?.message}`);
  return astray(trial as unknown as ClusterTrial);
}

test("C1: with store.migrate pages are shown by the owners of their hosts after joins, else by who fetched them", () => {
  const { elsewhere, hidden } = grown(true);
  assert.equal(elsewhere, 0);
  assert.ok(hidden > 0, "old copies are hidden, not deleted");
  const stayed = grown(false);
  assert.ok(stayed.elsewhere > 0 && stayed.hidden === 0, JSON.stringify(stayed));
});
