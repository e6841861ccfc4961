/**
 * Traversals: in which order pages are visited, within what politeness allows.
 *
 * `TRAVERSALS` is the table: for each traversal the order of a host's queue and how hosts are ranked.
 * With `PromotingQueues` a URL can rise while it waits in its queue.
 *
 * Words of this module:
 * - *leftover*: a record in a host's queue whose URL was promoted since; it is dropped when it
 *   comes out
 * - *rank*: the number by which hosts that may be visited now are compared; the smallest goes
 *   first
 *
 * Read `traversal.ts` first; docs/traversal.md is the page for users, docs/adr/0031 has the reasons.
 */
export { PromotingQueues } from "./promoting-queues.ts";
export {
  AS_ASKED,
  TRAVERSALS,
  type Traversal,
  type TraversalName,
  withRequisites,
} from "./traversal.ts";
