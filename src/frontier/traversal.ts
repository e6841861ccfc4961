/**
 * Traversals: in which order a crawl visits pages. A traversal decides in two places and nowhere
 * else: which URL of a host comes first (the order of its queue), and which of the hosts that
 * politeness allows now goes first (the rank on the workbench). Politeness it cannot touch: a host
 * that must rest is not asked, whatever waits there.
 *
 * The priority of a URL serves both: inside a host by bands (`bandOf`), between hosts exactly.
 * docs/traversal.md is the page for users, docs/adr/0031 has the reasons.
 */
import type { QueueOrder } from "../queues/index.ts";
import type { Ticket } from "./frontier.ts";

export type TraversalName =
  | "breadth-first"
  | "global-breadth-first"
  | "depth-first"
  | "priority"
  | "random-walk";

export interface Traversal {
  /** Which URL of a host comes first. */
  readonly order: QueueOrder;
  /**
   * Whether, of the hosts that may be visited now, the one whose next URL has the largest priority
   * goes first. Otherwise the first due is the first served.
   */
  readonly ranksHosts: boolean;
  /** Whether a URL that waits rises when it is offered again with a larger priority. */
  readonly promotes: boolean;
  /** The priority by which a ticket is queued; null takes what the ticket says. */
  readonly priorityOf: ((ticket: Ticket) => number) | null;
}

/** Seeds have the best band, each step of depth the next one, and from 7 on all are in the last. */
const SEED_BAND_LOG2 = 6;

export const TRAVERSALS: Readonly<Record<TraversalName, Traversal>> = {
  "breadth-first": { order: "fifo", ranksHosts: false, promotes: false, priorityOf: null },
  "global-breadth-first": {
    order: "priority",
    ranksHosts: true,
    promotes: true,
    priorityOf: ({ depth }) => 2 ** (SEED_BAND_LOG2 - depth),
  },
  "depth-first": { order: "lifo", ranksHosts: false, promotes: false, priorityOf: null },
  priority: { order: "priority", ranksHosts: true, promotes: true, priorityOf: null },
  // Where a walker goes is decided when it is offered; here its steps only wait for politeness.
  "random-walk": { order: "fifo", ranksHosts: false, promotes: false, priorityOf: null },
};
