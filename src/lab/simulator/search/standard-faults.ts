/**
 * How each kind of fault that the simulator knows is drawn. A cluster strikes those of nodes,
 * clocks and network by itself (`sim-cluster.ts`); those of disks are struck by the world that has
 * the disks. Take the kinds that your world can strike, and add your own.
 *
 * | kind         | nodes    | meaning                                                      |
 * |--------------|----------|--------------------------------------------------------------|
 * | `crash`      | one      | the process dies and is down until the duration is over      |
 * | `zombie`     | one      | the process is stopped for the duration, its clock runs on   |
 * | `sleep`      | one      | the machine sleeps for the duration, its monotonic clock too |
 * | `cut`        | from, to | everything on the way from the one to the other is lost      |
 * | `cut-both`   | two      | the same, both ways                                          |
 * | `partition`  | one side | nothing passes between these nodes and all others            |
 * | `clog`       | some     | everything to and from them is held back                     |
 * | `noise`      | none     | messages are lost, doubled, late and out of order            |
 * | `clock-jump` | one      | its wall clock is set by `byMs`                              |
 * | `drift`      | one      | its clocks run `ppm` too fast, or too slow                   |
 * | `slow-disk`  | one      | its disk takes `factor` times as long                        |
 * | `disk-full`  | one      | nothing can be written to its disk                           |
 * | `disk-loss`  | one      | the process dies and starts again with an empty disk         |
 * | `bit-flip`   | one      | a bit of its disk changes; `where` in [0, 1) chooses it      |
 *
 * With `afterWakes` a crash comes right after that many callbacks of its node. Clogged nodes are
 * unclogged one after the other, in the order named, until the duration is over.
 */
import type { Random } from "../../../base/seams/index.ts";
import type { AgentId } from "../../../base/transport/index.ts";
import { type DrawFault, type FaultDraw, type FaultShape, pick } from "./fault.ts";

const DAY_MS = 86_400_000;

export type StandardFault =
  | "crash"
  | "zombie"
  | "sleep"
  | "cut"
  | "cut-both"
  | "partition"
  | "clog"
  | "noise"
  | "clock-jump"
  | "drift"
  | "slow-disk"
  | "disk-full"
  | "disk-loss"
  | "bit-flip";

export const STANDARD_FAULTS: Readonly<Record<StandardFault, DrawFault>> = {
  crash: (draw) => ({
    ...lasting(draw),
    parameters: draw.random.below(2) === 0 ? {} : { afterWakes: 1 + draw.random.below(30) },
  }),
  zombie: lasting,
  sleep: lasting,
  cut: between,
  "cut-both": between,
  partition: (draw) => {
    if (draw.nodes.length < 2) return null;
    const side = some(draw.random, draw.nodes, draw.nodes.length - 1);
    return { nodes: side, durationMs: drawDuration(draw), parameters: {} };
  },
  clog: (draw) => ({
    nodes: some(draw.random, draw.nodes, draw.nodes.length),
    durationMs: drawDuration(draw),
    parameters: {},
  }),
  noise: (draw) => ({
    nodes: [],
    durationMs: drawDuration(draw),
    parameters: {
      lossRatio: pick(draw.random, [0, 0.05, 0.3]),
      duplicateRatio: pick(draw.random, [0, 0.05, 0.3]),
      lateRatio: pick(draw.random, [0, 0.05, 0.3]),
      lateMsMax: pick(draw.random, [100, 1000, 5000]),
      reorderRatio: pick(draw.random, [0, 1]),
    },
  }),
  "clock-jump": (draw) => instant(draw, { byMs: drawJump(draw.random) }),
  drift: (draw) => ({ ...lasting(draw), parameters: { ppm: draw.random.below(401) - 200 } }),
  "slow-disk": (draw) => ({
    ...lasting(draw),
    parameters: { factor: pick(draw.random, [10, 100, 1000]) },
  }),
  "disk-full": lasting,
  "disk-loss": lasting,
  "bit-flip": (draw) => instant(draw, { where: draw.random.unit() }),
};

/** Durations of every order of magnitude: most faults are short, some last as long as allowed. */
function drawDuration(draw: FaultDraw): number {
  const scale = pick(draw.random, [0.01, 0.1, 1]);
  return 1 + Math.floor(draw.random.unit() * scale * draw.durationMsMax);
}

/** Seconds, hours or days, forward or back. */
function drawJump(random: Random): number {
  const most = pick(random, [10_000, 4 * 3_600_000, 2 * DAY_MS]);
  const byMs = 1 + random.below(most);
  return random.below(2) === 0 ? byMs : -byMs;
}

function lasting(draw: FaultDraw): FaultShape {
  const nodes = [pick(draw.random, draw.nodes)];
  return { nodes, durationMs: drawDuration(draw), parameters: {} };
}

function instant(draw: FaultDraw, parameters: Readonly<Record<string, number>>): FaultShape {
  return { nodes: [pick(draw.random, draw.nodes)], durationMs: 0, parameters };
}

function between(draw: FaultDraw): FaultShape | null {
  if (draw.nodes.length < 2) return null;
  const from = pick(draw.random, draw.nodes);
  const to = pick(
    draw.random,
    draw.nodes.filter((node) => node !== from),
  );
  return { nodes: [from, to], durationMs: drawDuration(draw), parameters: {} };
}

/** From one to `most` of the nodes, in any order. */
function some(random: Random, nodes: readonly AgentId[], most: number): AgentId[] {
  const left = [...nodes];
  const chosen: AgentId[] = [];
  for (let count = 1 + random.below(most); count > 0; count -= 1) {
    chosen.push(...left.splice(random.below(left.length), 1));
  }
  return chosen;
}
