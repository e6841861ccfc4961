/**
 * The cluster, a part of which is not yet built: what identical agents agree on without a coordinator,
 * and how nothing is lost when some of them come, go, or lose their disks. Everything here decides and
 * nothing acts: functions and state machines over the seams, which the simulator runs as they are.
 *
 * - `custody`: who must see to a URL; hosts that change hands, places that are given up, copies.
 * - `delivery`: outboxes and the inbox: how agents tell each other of URLs.
 * - `membership`: who is there, in the view of each agent; the barrier for those who come.
 * - `messages`: how agents talk, and which messages count.
 * - `ring`: which agent a host or an address belongs to; every agent computes the same.
 * - `slots`: how agents are polite together to an address that several of them visit.
 * - `termination`: how agents know that a crawl has ended.
 *
 * Not yet built, and to follow here: limits, queries.
 * docs/protocol.md has the rules, and why they suffice.
 *
 * Start with `ring/ring.ts`.
 */
export {};
