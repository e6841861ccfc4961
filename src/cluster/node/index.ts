/**
 * A node: what an agent among others is made of, put together once. Real agents and simulated ones run it.
 *
 *                        agent around it: frontier, store, fetches (`NodeAgent`, `Holdings`)
 *                             │ found, tokens, work          ▲ take, give away, withhold, seeds
 *     Transport ◄──► Messenger ──► Membership ──► ClusterNode ──► Custody ──► Outboxes ──► others
 *                                      │               ├──► Termination         ▲
 *                                      ├─ view ────────┼──► AddressSlots      Inbox ◄────── others
 *                                      │               ├──► NodeLimits
 *                                      └───────────────┴──► NodeQueries
 *
 * **Opening.** The node joins first: an agent with an empty disk learns from the others which crawl it is.
 * Then the agent opens frontier and store, the node its outboxes and its inbox; pages that no checkpoint
 * knows are replayed, then what came into the inbox since. Only then is anything received, handed over or
 * visited. What membership tells meanwhile waits, in its order.
 *
 * **Visits.** Hosts are withheld while the node is not open or not active; while others are given up, the
 * hosts that come from them are. What else must not be visited is known by membership (`mayFetch`) and by
 * the address slots.
 *
 * **Limits.** A page is fetched with a token (`limits.take`), which is used or put back. The ledger of a founder
 * is on disk before its crawl is founded; tokens are given out once the node is open and its place is known,
 * when the pages of its disk are counted; a node that leaves gives its own away after everything else. The
 * terms of the limits are part of the text that all agents share, around the configuration of the agent
 * (`crawl-text.ts`).
 *
 * **Queries.** Others are answered from the agent's store as soon as the node is open. Which place has a page
 * that is not here, the agent asks its node (`holdersOf`).
 *
 * **Checkpoints.** An agent has one or more lanes, each with a frontier and a sieve for foreign links, and
 * one checkpoint of all of them, recorded at once. The node has its moment first; then each lane has its
 * own, when all that was asked of it until the moment of the node is carried out. Whatever moves meanwhile,
 * a crash loses nothing, by four rules:
 *
 * - *From the node to a lane.* What came out of a log (inbox, book of seeds) before the node's moment was
 *   asked of its lane before, so it is in the lane's part. What came later is behind the mark, and is
 *   replayed. To take an entry twice does no harm. Entries that wait in the memory of custody are in
 *   neither: the node has its moment when there are none (`isSettled`).
 * - *From a lane to the node.* A lane has forgotten what it told (a foreign link is known to its sieve, a
 *   host is given away). So the checkpoint is recorded when all that the lanes told before their moments is
 *   durable (`whenTold`): in an outbox, or, if its host turns out to be ours or is moving, in the log of
 *   the inbox, from where it is dispatched.
 * - *From lane to lane.* The links of a page are on their way while some lanes have had their moments and
 *   others have not. The line of the page is in the store: a checkpoint names the first line whose links had
 *   not all arrived at the node's moment, and pages are replayed from there.
 * - *What is dropped for good* (the outbox of a place that was given up) is dropped when all that came of
 *   it is durable in other outboxes and in a checkpoint that began afterwards (`whenSaved`).
 *
 * **The end.** `isIdle` and `changes` are what the waves of termination ask for: all that could make work,
 * of all parts and of the agent. URLs that wait keep the crawl from ending as long as limits allow to fetch
 * them; `limit` is the reason if they do not.
 *
 * Words of this module:
 * - *mark*: up to where the logs of the node had been handed to the lanes when a checkpoint began
 * - *open*: everything of the last life has been replayed
 *
 * Read `cluster-node.ts` first, then `node-agent.ts`, `node-checkpoints.ts` and `laned-holdings.ts`;
 * docs/protocol.md has the rules, docs/adr/0061 how lanes fit.
 */
export type { NodeMark } from "./checkpoint-waiters.ts";
export { ClusterNode } from "./cluster-node.ts";
export { type CrawlFounding, foundingProblem } from "./crawl-text.ts";
export { type LaneHoldings, lanedHoldings } from "./laned-holdings.ts";
export type { NodeAgent, NodeDesk } from "./node-agent.ts";
export type { ToldStatus } from "./node-queries.ts";
export type { NodeSettings } from "./node-settings.ts";
export { CopiedRing, copyRing, type RingCopy } from "./ring-copy.ts";
export { isWithheldBy } from "./withholding.ts";
