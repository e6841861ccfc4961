/**
 * Clusters of agents under every mix of faults: every page is had, one copy of each is visible, connected
 * agents never visit a host at once, and the crawl ends, neither early nor never. Where agents can know
 * that somebody has a page, it is not fetched again; under other faults that hardly ever happens.
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

/** For each unit of a mix's weight: in all about 1,000, 10,000 in the full tests, 100,000 for a release. */
const SCHEDULES = 45;
const SCHEDULES_FULL = 600;
const SCHEDULES_RELEASE = 6000;

/** Mixes in which a page may now and then be fetched again that need not be: one in so many schedules. */
const LENIENT: ReadonlySet<string> = new Set([
  ...["limit", "bytes", "time", "scramble", "address", "all", "bad"],
]);
const AVOIDABLE_IN = 100;

for (const mix of CLUSTER_MIXES.filter(({ weight }) => weight > 0)) {
  test(`a cluster has every page once, whatever happens: ${mix.meaning}`, () => {
    const mayAvoid = LENIENT.has(mix.name);
    const avoidable: string[] = [];
    let last: ClusterTrial | null = null;
    const { runs } = simulate({
      ...{ suite: `cluster, ${mix.name}`, file: import.meta.url, checkEvery: 50 },
      schedules: SCHEDULES * mix.weight,
      schedulesFull: SCHEDULES_FULL * mix.weight,
      schedulesRelease: SCHEDULES_RELEASE * mix.weight,
      plan: (random) => scheduleOf(mix, SIZE, random),
      build: (kernel) => {
        const options = optionsOf(mix, SIZE, kernel.random.fork("options"));
        avoidable.push(...(last?.causes.avoidable ?? []));
        last = new ClusterTrial(kernel, { ...options, mayAvoid });
        return last;
      },
      limits: { stepsMax: 600_000, virtualMsMax: 600_000 },
    });
    assert.ok(avoidable.length <= Math.max(5, runs / AVOIDABLE_IN), avoidable.join("\n"));
  });
}
