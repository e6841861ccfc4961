/**
 * The cluster: what identical agents agree on without a coordinator, and how nothing is lost when some of them come, go, or lose their disks. Everything here decides and
 * nothing acts: functions and state machines over the seams, which the simulator runs as they are.
 *
 * - `custody`: who must see to a URL; hosts that change hands, places that are given up, copies.
 * - `delivery`: outboxes and the inbox: how agents tell each other of URLs.
 * - `limits`: how many pages, bytes and how much time the whole crawl may use.
 * - `membership`: who is there, in the view of each agent; the barrier for those who come.
 * - `messages`: how agents talk, and which messages count.
 * - `node`: all of them put together, for an agent.
 * - `pages`: how pages go from one agent to another, when one leaves or hosts have moved.
 * - `queries`: what users ask of all agents together.
 * - `ring`: which agent a host or an address belongs to; every agent computes the same.
 * - `slots`: how agents are polite together to an address that several of them visit.
 * - `state`: what an agent must know after any crash, in one small file.
 * - `termination`: how agents know that a crawl has ended.
 *
 * docs/protocol.md has the rules, and why they suffice.
 *
 * Start with `ring/ring.ts`, then `node/cluster-node.ts`.
 */
export {};
