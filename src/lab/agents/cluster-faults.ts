/**
 * The faults that strike simulated clusters, and how schedules of them are drawn: those of the simulator,
 * and those that only clusters know.
 *
 * | kind   | nodes | meaning                                                        |
 * |--------|-------|----------------------------------------------------------------|
 * | `join` | one   | a spare agent starts, with an empty disk                       |
 * | `wipe` | one   | the process dies, and starts again with an empty disk          |
 *
 * A crash is one of power: what was not durable is lost. The last disk that has taken part in the crawl is
 * never wiped.
 */
import type { Random } from "../../base/seams/index.ts";
import { type Fault, planFaults, type Schedule, STANDARD_FAULTS } from "../simulator/index.ts";

/** All kinds that strike clusters. */
export const CLUSTER_FAULTS: readonly string[] = [
  ...["join", "wipe", "crash", "zombie", "sleep", "cut", "cut-both", "partition"],
  ...["clog", "noise", "drift", "clock-jump"],
];

export interface ClusterFaultPlan {
  readonly agents: number;
  readonly spares: number;
  readonly faultsMax: number;
  /** All kinds if left out. */
  readonly kinds?: readonly string[];
}

/** Faults strike while agents join, and while they crawl. */
const FROM_MS = 2000;
const UNTIL_MS = 22_000;
const DURATION_MS_MAX = 25_000;

export function planClusterFaults(random: Random, plan: ClusterFaultPlan): Schedule {
  const { agents, spares, faultsMax, kinds = CLUSTER_FAULTS } = plan;
  const nodes = Array.from({ length: agents }, (_none, number) => `a${number}`);
  const spare = (draw: { readonly random: Random }): string =>
    `a${agents + draw.random.below(Math.max(1, spares))}`;
  const all: Parameters<typeof planFaults>[1]["kinds"] = {
    ...STANDARD_FAULTS,
    crash: (draw) => lasting(draw.random, draw.nodes),
    wipe: (draw) => lasting(draw.random, draw.nodes),
    join: (draw) => (spares === 0 ? null : { nodes: [spare(draw)], durationMs: 0, parameters: {} }),
  };
  return planFaults(random, {
    kinds: Object.fromEntries(kinds.map((kind) => [kind, all[kind] ?? (() => null)])),
    ...{ nodes, fromMs: FROM_MS, untilMs: UNTIL_MS, durationMsMax: DURATION_MS_MAX },
    budget: { faultsMax },
  });
}

/** Back before it is suspected, before it is given up, or long after. */
function lasting(random: Random, nodes: readonly string[]): Omit<Fault, "kind" | "atMs"> {
  const durations = [500, 4000, 9000, 25_000];
  return {
    nodes: [nodes[random.below(nodes.length)] ?? "a0"],
    durationMs: durations[random.below(durations.length)] ?? 500,
    parameters: {},
  };
}
