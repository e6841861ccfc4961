/**
 * Clocks whose rates differ by a third, far more than any real ones: agents with slow clocks beat later, and
 * take others for dead later. Everything holds that holds with good clocks, with `fence` too, whose proof
 * allows for so much (docs/protocol.md).
 */
import { test } from "node:test";
import type { Random } from "../../src/base/seams/index.ts";
import {
  type ClusterMix,
  ClusterTrial,
  mixNamed,
  optionsOf,
  scheduleOf,
  USUAL_SIZE,
} from "../../src/lab/agents/index.ts";
import type { Fault, Schedule } from "../../src/lab/simulator/index.ts";
import { simulate } from "../support/lab/simulation.ts";

/** A second of others is three quarters of one here. */
const SLOW_PPM = -250_000;
const UNTIL_MS = 60_000;

/** Some agents have slow clocks from the beginning, until everything else is over. */
function slowed(mix: ClusterMix, random: Random): Schedule {
  const slow = Array.from({ length: USUAL_SIZE.agents }, (_none, number) => `a${number}`)
    .filter(() => random.below(2) === 0)
    .map(
      (id): Fault => ({
        ...{ kind: "drift", nodes: [id], atMs: 1, durationMs: UNTIL_MS },
        parameters: { ppm: SLOW_PPM },
      }),
    );
  return [...slow, ...scheduleOf(mix, USUAL_SIZE, random)];
}

for (const name of ["none", "restart", "disk", "fence", "leave"]) {
  test(`P2, B5: rates of clocks may differ by a third: ${name}`, () => {
    const mix = mixNamed(name) as ClusterMix;
    simulate({
      ...{ suite: `slow clocks, ${name}`, file: import.meta.url, checkEvery: 50, schedules: 4 },
      plan: (random) => slowed(mix, random),
      build: (kernel) =>
        new ClusterTrial(kernel, optionsOf(mix, USUAL_SIZE, kernel.random.fork("options"))),
      limits: { stepsMax: 600_000, virtualMsMax: 600_000 },
    });
  });
}
