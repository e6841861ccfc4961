/**
 * The one loss that no protocol without a quorum prevents (X20): a seed that was accepted on one side of a
 * partition is gone when all disks of that side are. It is counted, and everything else is still found.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClusterMix, ClusterTrial, mixNamed, optionsOf } from "../../src/lab/agents/index.ts";
import { type Fault, runOnce, type Schedule } from "../../src/lab/simulator/index.ts";

const SIZE = { agents: 3, spares: 0 };
const CALM = mixNamed("calm") as ClusterMix;

const strike = (kind: string, id: string, atMs: number, durationMs: number): Fault => ({
  ...{ kind, nodes: [id], atMs, durationMs, parameters: { number: 0 } },
});

/** `a2` is alone long enough to give up the others, is given a seed then, and loses its disk. */
function lostAlone(keepsDisk: boolean): Schedule {
  const loss = keepsDisk ? "crash" : "wipe";
  return [
    strike("partition", "a2", 14_000, 24_000),
    strike("seed", "a2", 31_000, 0),
    strike(loss, "a2", 36_000, 4000),
  ];
}

function tried(schedule: Schedule): ClusterTrial {
  let trial: ClusterTrial | null = null;
  const { failure } = runOnce(
    {
      build: (kernel) => {
        trial = new ClusterTrial(kernel, optionsOf(CALM, SIZE, kernel.random.fork("options")));
        return trial;
      },
      ...{ limits: { stepsMax: 600_000, virtualMsMax: 600_000 }, checkEvery: 50 },
    },
    "lost alone",
    schedule,
  );
  assert.equal(failure, null);
  return trial as unknown as ClusterTrial;
}

test("S1: a seed is lost with the one side of a partition that had accepted it, and nothing else is", () => {
  assert.equal(tried(lostAlone(false)).end.lostSeeds().length, 1);
});

test("S1: a seed that one side of a partition has accepted is crawled when its disk is back", () => {
  assert.equal(tried(lostAlone(true)).end.lostSeeds().length, 0);
});
