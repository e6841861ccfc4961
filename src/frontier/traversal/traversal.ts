/**
 * Traversals: in which order a crawl visits pages. A traversal decides in two places and nowhere
 * else: which URL of a host comes first (the order of its queue), and which of the hosts that
 * politeness allows now goes first (the rank on the workbench). It cannot override politeness.
 *
 * The priority of a URL serves both: inside a host by bands (`bandOf`), between hosts exactly.
 * docs/traversal.md is the page for users, docs/adr/0031 has the reasons.
 */
import type { QueueOrder } from "../queues/index.ts";
import type { Ticket } from "../ticket/index.ts";

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
  /** Whether no two tickets are the same, so that no sieve is needed. */
  readonly repeats: boolean;
  /** The priority by which a ticket is queued; null takes what the ticket says. */
  readonly priorityOf: ((ticket: Ticket) => number) | null;
}

/** Seeds have the best band, each step of depth the next one, and from 7 on all are in the last. */
const SEED_BAND_LOG2 = 6;

const PLAIN = { ranksHosts: false, promotes: false, repeats: false, priorityOf: null } as const;
const RANKED = { ranksHosts: true, promotes: true, repeats: false } as const;

export const TRAVERSALS: Readonly<Record<TraversalName, Traversal>> = {
  "breadth-first": { ...PLAIN, order: "fifo" },
  "global-breadth-first": {
    ...{ ...RANKED, order: "priority" },
    priorityOf: ({ depth }) => 2 ** (SEED_BAND_LOG2 - depth),
  },
  "depth-first": { ...PLAIN, order: "lifo" },
  priority: { ...RANKED, order: "priority", priorityOf: null },
  // Where a walker goes is decided when it is offered; here its steps only wait for politeness.
  "random-walk": { ...PLAIN, order: "fifo", repeats: true },
};

/** For tickets of another frontier, which has decided their order. */
export const AS_ASKED: Traversal = { ...PLAIN, order: "fifo", repeats: true };

/** In the best band, alone. */
const REQUISITE_PRIORITY = 64;
const PAGE_PRIORITY_MAX = 63;

/**
 * The same traversal for pages, with requisites before all pages of their host, so that a page and
 * what it is shown with are fetched close together.
 */
export function withRequisites(traversal: Traversal): Traversal {
  const { priorityOf } = traversal;
  return {
    ...traversal,
    order: "priority",
    priorityOf: (ticket) => {
      if ((ticket.requisite ?? 0) > 0) return REQUISITE_PRIORITY;
      return Math.min(
        PAGE_PRIORITY_MAX,
        priorityOf === null ? ticket.priority : priorityOf(ticket),
      );
    },
  };
}
