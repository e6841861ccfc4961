/**
 * A slow link between two sites, for tests and benches on one machine: a listener on loopback that forwards
 * TCP connections, late. It stands between the NATS servers of two sites, or in front of anything else that
 * speaks TCP.
 *
 * How it works. Each direction of a connection is a `SlowPipe`, which holds what it has read until it is due
 * and keeps its order. When that is, a `Transit` decides: every segment takes the delay of one way, and a
 * share of them stalls for longer, as a lost one does that has to be sent again. What follows a stalled
 * segment waits for it. A `SlowLink` listens and makes the pipes; while it is cut nothing passes, as if
 * somebody had pulled the cable.
 *
 * Words of this module:
 * - *segment*: what TCP sends in one packet, here at most 1,460 bytes
 * - *stall*: the further time that a segment takes which was lost once
 *
 * Read `transit.ts` first.
 */
export { SlowLink, type SlowLinkOptions } from "./slow-link.ts";
export type { Slowness } from "./transit.ts";
