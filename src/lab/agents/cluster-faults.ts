/**
 * The faults that strike simulated clusters, and how schedules of them are drawn: those of the simulator,
 * and those that only clusters know.
 *
 * | kind        | nodes | meaning                                                                  |
 * |-------------|-------|--------------------------------------------------------------------------|
 * | `join`      | one   | a spare agent starts, with an empty disk                                 |
 * | `crash`     | one   | the power fails: what was not durable is lost or torn; back soon or late |
 * | `wipe`      | some  | they die together, and start again with empty disks                      |
 * | `leave`     | one   | it hands over and goes; after the duration it is back, if that is not 0  |
 * | `seed`      | one   | a user adds a seed there                                                 |
 * | `forget`    | one   | a user gives it up by command, which is refused while it lives           |
 * | `disk-full` | one   | its disk has little room, or none                                        |
 * | `robots`    | none  | robots.txt files of a third of the hosts are not to be had               |
 * | `web`       | none  | a third of the pages are not to be had                                   |
 * | `scramble`  | all   | all die, and what their disks say of each other and hold is drawn anew   |
 *
 * The last disk that has taken part in the crawl is never wiped, nor does its agent leave.
 */
import type { Random } from "../../base/seams/index.ts";
import { type Fault, planFaults, type Schedule, STANDARD_FAULTS } from "../simulator/index.ts";

type DrawFault = (draw: {
  readonly random: Random;
  readonly nodes: readonly string[];
  readonly durationMsMax: number;
}) => Omit<Fault, "kind" | "atMs"> | null;

export interface ClusterFaultPlan {
  readonly agents: number;
  readonly spares: number;
  readonly faultsMax: number;
  readonly kinds: readonly string[];
}

/**
 * Some faults strike while the first agents join, most while they crawl: agents are active after some eight to
 * sixteen seconds, half of the pages are fetched after 25, and all after 26 to 40.
 */
const FROM_MS = 2000;
const CRAWL_FROM_MS = 10_000;
const UNTIL_MS = 32_000;
const EARLY_RATIO = 0.2;
const DURATION_MS_MAX = 25_000;

/** Back before it is suspected, before it is given up, about then, or long after. */
const AWAY_MS = [500, 4000, 9000, 25_000];
const SOON_MS = [500, 1500, 4000];

/** All kinds that strike clusters together; full disks have a mix of their own. */
export const CLUSTER_FAULTS: readonly string[] = [
  ...["join", "wipe", "crash", "seed", "forget", "leave", "robots"],
  ...["zombie", "sleep", "cut", "cut-both", "partition", "clog", "noise", "drift", "clock-jump"],
];

const DRAWS: Readonly<Record<string, DrawFault>> = {
  ...STANDARD_FAULTS,
  crash: ({ random, nodes }) => struck([pick(random, nodes)], pick(random, AWAY_MS)),
  "crash-soon": ({ random, nodes }) => struck([pick(random, nodes)], pick(random, SOON_MS)),
  "crash-late": ({ random, nodes }) => struck([pick(random, nodes)], 14_000 + random.below(12_000)),
  wipe: ({ random, nodes }) => struck([pick(random, nodes)], pick(random, AWAY_MS)),
  "wipe-many": ({ random, nodes }) => {
    const spared = random.below(nodes.length);
    const many = nodes.filter((_node, at) => at !== spared && random.below(3) > 0);
    return many.length === 0 ? null : struck(many, pick(random, AWAY_MS));
  },
  // Of two agents one alone is not more than half.
  "wipe-last": ({ random, nodes }) =>
    nodes.length < 3 ? null : struck(nodes.slice(-1), pick(random, AWAY_MS)),
  leave: ({ random, nodes }) => ({
    ...struck([pick(random, nodes)], random.below(2) * (1000 + random.below(15_000))),
    parameters: { isDiskNew: random.below(2) },
  }),
  seed: ({ random, nodes }) => ({
    ...struck([pick(random, nodes)], 0),
    parameters: { number: random.below(ISLANDS_MAX) },
  }),
  forget: ({ random, nodes }) => struck([pick(random, nodes)], 0),
  scramble: ({ random, nodes }) => struck(nodes, SCRAMBLED_MS_MIN + random.below(3000)),
  "scramble-deep": ({ random, nodes }) => ({
    ...struck(nodes, SCRAMBLED_MS_MIN + random.below(3000)),
    parameters: { isDeep: 1 },
  }),
  "disk-full": ({ random, nodes }) => ({
    ...struck([pick(random, nodes)], 1000 + random.below(12_000)),
    // Often none at all; else enough to hand over, and to take what others tell.
    parameters: { roomBytes: random.below(2) * (1 + random.below(ROOM_BYTES_MAX)) },
  }),
  robots: ({ random }) => ({
    ...struck([], 1000 + random.below(10_000)),
    parameters: { third: random.below(3) },
  }),
  web: ({ random }) => ({
    ...struck([], 1000 + random.below(10_000)),
    // The whole host waits, or the page alone.
    parameters: { third: random.below(3), status: random.below(4) === 0 ? 429 : 503 },
  }),
};

const ISLANDS_MAX = 3;
const SCRAMBLED_MS_MIN = 500;
/** A disk of a simulated agent has some thousands of bytes. */
const ROOM_BYTES_MAX = 20_000;

/** Kinds that are drawn in their own way, and strike like another. */
const STRIKES_AS: Readonly<Record<string, string>> = {
  "crash-soon": "crash",
  "crash-late": "crash",
  "wipe-many": "wipe",
  "wipe-last": "wipe",
  "scramble-deep": "scramble",
};

export function planClusterFaults(random: Random, plan: ClusterFaultPlan): Schedule {
  const { agents, spares, faultsMax, kinds } = plan;
  const join: DrawFault = (draw) =>
    spares === 0 ? null : struck([`a${agents + draw.random.below(spares)}`], 0);
  const draws = { ...DRAWS, join };
  const planned = planFaults(random, {
    kinds: Object.fromEntries(
      kinds.map((kind) => [kind, (draws as Record<string, DrawFault>)[kind] ?? (() => null)]),
    ),
    nodes: Array.from({ length: agents }, (_none, number) => `a${number}`),
    ...{ fromMs: FROM_MS, untilMs: UNTIL_MS, durationMsMax: DURATION_MS_MAX },
    budget: { faultsMin: 1, faultsMax },
  });
  return planned.map((fault) => ({
    ...fault,
    kind: STRIKES_AS[fault.kind] ?? fault.kind,
    atMs: strikesAtMs((fault.atMs - FROM_MS) / (UNTIL_MS - FROM_MS)),
  }));
}

/** Keeps the order of instants that are drawn evenly. */
function strikesAtMs(drawn: number): number {
  const early = drawn / EARLY_RATIO;
  const late = (drawn - EARLY_RATIO) / (1 - EARLY_RATIO);
  const atMs =
    early < 1
      ? FROM_MS + early * (CRAWL_FROM_MS - FROM_MS)
      : CRAWL_FROM_MS + late * (UNTIL_MS - CRAWL_FROM_MS);
  return Math.round(atMs);
}

function struck(nodes: readonly string[], durationMs: number): Omit<Fault, "kind" | "atMs"> {
  return { nodes, durationMs, parameters: {} };
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.below(items.length)] as Item;
}
