/**
 * Membership: how each agent knows who else is there, without a coordinator, and how agents come and go.
 *
 * Every agent has a view of its own: a table of members, on disk, that heartbeats keep up to date. Silence
 * makes a member suspect, then dead, which changes nothing but what is shown and sent; only when it is
 * *given up* does it leave the ring. An agent that starts, restarts, slept or was given up passes a
 * *barrier* (`barrier/`): it fetches nothing until all others have handed over what it owns by now. Hosts
 * that are gained when somebody is given up pass one too. Seeds and configuration are held by all
 * (`shared/`).
 *
 * The listener does the work that goes with it: it hands over, gives up, withholds hosts
 * (`membership-listener.ts`). A person can give a dead agent up at once (`view/forgetting.ts`), and a side of a
 * partition can be made to wait for a majority (`majority/majority.ts`) of those who founded the crawl
 * (`majority/electorate.ts`).
 *
 * Words of this module:
 * - *beat*: a heartbeat; *vouch*: to say that one hears another directly, who is then not given up
 * - *standing*: alive, suspect, dead or given up
 * - *elector*: an agent that has a vote if partitions are fenced; it *supports* whom it hears, and
 *   *condemns* for good whom it has missed for too long
 * - *probation*: of a place that is named and was not heard yet
 *
 * Read `membership.ts` first, then `membership-listener.ts`; docs/protocol.md has the rules (G, B, P, S, L).
 */
export { CLUSTER_FILE, type ClusterState, parseState, printState } from "./cluster-state.ts";
export { Membership } from "./membership.ts";
export type { Absence, MembershipListener, Told, View } from "./membership-listener.ts";
export type { MembershipSettings } from "./membership-settings.ts";
export { checkSeeds } from "./shared/seed-book.ts";
export type { SharedConfiguration } from "./shared/shared-configuration.ts";
