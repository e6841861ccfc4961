/**
 * The frontier: everything between the discovery of a URL and its fetch.
 *
 * How it works. `frontier.ts` is the contract: tickets are offered, errands are acquired and ended.
 * `HostFrontier` keeps it. A ticket becomes a record (`ticket/ticket-record.ts`) and passes the
 * sieve; what is new goes, by the `Distributor`, into the visit state of its host or into the host's
 * queue.
 *
 *     offer ─► sieve ─► Distributor ─┬─► VisitState (window of records) ─► Workbench and lines
 *                          ▲         └─► host queue ──refill──┘                     │
 *                          └── hungry ◄────────────────────────── acquire ◄─────────┘
 *
 * A `VisitState` is a host while it is crawled. Only its own methods change it, and after each of
 * them it moves to where it belongs (`visit-place.ts`): to be resolved, on the workbench, waiting,
 * ending, idle. `VisitLines` says whose turn it is. The `Workbench` holds those that wait for
 * politeness, in entries by address (`instant-heap.ts`, `seat-heaps.ts`); the `AddressTable` makes
 * the lanes of an agent polite together. Where names of one server count as one host, they wait for
 * one another before that, on the `AliasBench`. `RobotsDesk` handles robots.txt per origin, `Pace` the
 * delay of a host, `retry-policy.ts` and `page-ends.ts` what follows a failure, `DepthBook` better
 * depths. `FrontSize` says how many hosts should be awake. Module `traversal` says in which order
 * all this happens: which URL of a host is next, and which host of those that may be visited
 * (`ready-seats.ts`).
 *
 * Words of this module:
 * - *seat*: the small number by which the workbench knows a visit state; seats are reused
 * - *phase*: what a visit state is doing or waiting for: idle, filling, resolving, polite, retry,
 *   robots, visited, ending
 * - *flight*: an errand that is at a host, from `takeOff` to `land`
 * - *window*: the few records of a host that are in memory
 * - *workbench entry*: all visit states that share one address, with the next-fetch time of that
 *   address
 * - *ready seat*: a seat that has waited long enough; ready seats are compared by rank, the
 *   smallest goes first
 * - *required front*: how many hosts should be awake; it grows when a connection has nothing to do
 * - *dormant host*: a host with queued URLs and no visit state, because the front does not need it
 *   or memory is short
 * - *robots task*: one robots.txt on its way, redirects included, and the visit state that waits
 *   for it
 * - *promote*: to queue a URL that already waits again, in a better band
 * - *give way*: a slow visit is cancelled because others wait for its slot; it is retried later
 * - *end of a host*: why nothing more of it will be fetched: given up, over its limit, refused
 *   address
 *
 * A checkpoint (`saving/`) holds the marks of sieve, queues and tables and what is only in memory, all
 * of one moment; `openDiskFrontier` goes on from it. When a crawl goes on with another number of lanes,
 * `relaneFrontiers` makes the checkpoints and files of the new lanes from those of the old.
 *
 * Everything here is synchronous, over `Clock` and `Random`; nothing touches the network or the disk
 * but through sieve and queues. Read `frontier.ts` first, then `host-frontier.ts`, then
 * `visit-state.ts` and `workbench.ts`. docs/adr/0030 has the reasons.
 */

export { AddressTable } from "./bench/address-table.ts";
export { AliasTable } from "./bench/alias-table.ts";
export type {
  Errand,
  ExpandErrand,
  Frontier,
  FrontierListener,
  FrontierStatus,
  PageEnd,
  PageErrand,
  RefusalListener,
  RefusedSeed,
  Resolution,
  ResolveErrand,
  RobotsEnd,
  RobotsErrand,
  Settlement,
} from "./frontier.ts";
export type { MemoryHolder } from "./frontier-memory.ts";
export type { FrontierSettings } from "./frontier-settings.ts";
export type { HostPoliteness } from "./hosts/host-rules.ts";
export type { HostView } from "./hosts/host-views.ts";
export { politeRate } from "./hosts/polite-rate.ts";
export {
  type DiskFrontierOptions,
  type FrontierOptions,
  openDiskFrontier,
  openMemoryFrontier,
} from "./open-frontier.ts";
export type { FrontierCheckpoint } from "./saving/frontier-checkpoint.ts";
export {
  type FrontiersToRelane,
  relaneFrontiers,
  type SavedLane,
} from "./saving/relane-frontiers.ts";
export { RestingFrontier } from "./saving/resting-frontier.ts";
