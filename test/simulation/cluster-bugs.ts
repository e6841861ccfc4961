/**
 * Bugs of the cluster's protocol that schedules of whole agents must find, each a line of the sources
 * changed. Those that show only in a rare order of events have directed tests beside their modules.
 */
import type { PlantedBug } from "./planted-bugs.ts";

export interface ClusterBug extends PlantedBug {
  /** The mix of faults that shows it, and the seed of a run that does. */
  readonly mix: string;
  readonly seed: number;
}

export const CLUSTER_BUGS: readonly ClusterBug[] = [
  {
    name: "what a lost agent was told is not told anew (G1, noRetain)",
    file: "cluster/custody/giving-up.ts",
    from: "          dispatch({ ...entry, holders: entry.holders.filter(isLive) }, true);",
    to: "          isLive(place);",
    mix: "disk",
    seed: 4,
  },
  {
    name: "a later disk of an agent counts as the earlier one (noGeneration)",
    file: "cluster/membership/view/ring-changes.ts",
    from: "    if (entry === undefined || place.generation <= entry.generation) return;",
    to: "    if (entry !== null) return;",
    mix: "disk",
    seed: 4,
  },
  {
    name: "a place that is back is not asked what it holds (G5, noReannounce)",
    file: "cluster/custody/custody.ts",
    from: "    this.#announcements.ask(place);",
    to: "",
    mix: "outage",
    seed: 7,
  },
  {
    name: "an agent is idle while it is being asked or has entries to send (T1)",
    file: "cluster/node/cluster-node.ts",
    from: "    const isQuiet = !open.inbox.isBehind && open.custody.isIdle && agent.work.isIdle;",
    to: "    const isQuiet = !open.inbox.isBehind && agent.work.isIdle;",
    mix: "none",
    seed: 3,
  },
  {
    name: "a joiner does not wait for the others (B1, noBarrier)",
    file: "cluster/membership/barrier/join-barrier.ts",
    from: "    if (!others.every((place) => round.has(place))) this.#tellWaiting(nowMs);",
    to: "    if (this.#isReady()) return void ((this.#round = null), this.#parts.joined(() => true, []));",
    mix: "restart",
    seed: 4,
  },
  {
    name: "an agent that is asked to hand over says at once that it has (B2)",
    file: "cluster/custody/custody.ts",
    from: "    this.#whenSettled(() => this.#parts.outboxes.whenAcknowledged(to, done));",
    to: "    this.#parts.clock.after(0, done);",
    mix: "leave",
    seed: 20,
  },
  {
    name: "an agent that slept visits hosts before it has asked who has them now (B5, noFence)",
    file: "cluster/membership/life/loop-watch.ts",
    from: "    return elapsedMs(this.#clock, this.#ranAt) > this.#silenceMsMax;",
    to: "    return this.#silenceMsMax === 0;",
    mix: "pause",
    seed: 21,
  },
  {
    name: "a place that only an outbox names is never missed (G2)",
    file: "cluster/custody/custody.ts",
    from: "    const places = [...outboxes.places(), ...claims.places()];",
    to: "    const places = outboxes.places().length > 0 ? claims.places() : [];",
    mix: "states",
    seed: 14,
  },
  {
    name: "pages of a disk do not count when its agent starts again (M1)",
    file: "cluster/node/node-limits.ts",
    from: "ledger: this.#ledger, ...agent.spent() });",
    to: "ledger: this.#ledger, ...agent.spent(), used: { pages: 0, bytes: 0 } });",
    mix: "limit",
    seed: 9,
  },
  {
    name: "an agent does not know who has a page of its host (Q1)",
    file: "cluster/node/cluster-node.ts",
    from: "    if (this.#opening === null) answer([]);",
    to: "    if (page !== null || this.#opening === null) answer([]);",
    mix: "outage",
    seed: 2,
  },
];
