/**
 * Delivery: how agents tell each other of URLs, so that nothing is lost when an agent dies, with or
 * without its disk.
 *
 * An agent has an *outbox* for each place (an agent and the generation of its disk) that it has ever told
 * of something: a log of *entries*. It is durable before it is sent, and it is sent, in batches with a
 * window, until the place has acknowledged it, which that does when it is durable there (`Inbox`). Streams,
 * frames and windows are those of remote connectors (`topology/remote`): there is one mechanism. What
 * differs is that here nothing is forgotten: what was acknowledged is *retained*, compressed. If the place
 * is given up, all of it is dispatched anew by whoever owns the hosts by then (module `custody`).
 *
 * Suspicion and death only stop the sending. A receiver that is behind, or whose disk is full, asks to
 * wait; the outbox grows on disk meanwhile.
 *
 * Words of this module:
 * - *entry*: what an agent tells another about one URL, a host that it hands over, or a copy to hide
 * - *pending*: not acknowledged; *retained*: acknowledged, and kept
 * - *mark*: a place in the log of the inbox that a checkpoint records
 *
 * Read `entry.ts`, `outbox.ts`, `inbox.ts`, in this order; docs/protocol.md has the rules (D, U).
 */
export {
  checkInbox,
  checkOutboxes,
  checkRetained,
  type FoundOutbox,
  type FoundStreams,
  type LogsToCheck,
  placesUnder,
} from "./check-delivery.ts";
export {
  ENTRY,
  type Entry,
  type HideEntry,
  type HostsEntry,
  isOfHost,
  keptEntry,
  type UrlEntry,
} from "./entry.ts";
export { packBlock, writeEntries } from "./entry-blocks.ts";
export { frameTransport, serveFrames } from "./frame-messages.ts";
export { type Inbox, openInbox } from "./inbox.ts";
export { type DeliverySettings, OUTBOXES } from "./outbox.ts";
export { type Outboxes, openOutboxes } from "./outboxes.ts";
export { placeFolder, placesIn } from "./place-folders.ts";
export { openRetainedLog, type RetainedLog, type RetainedLogParts } from "./retained-log.ts";
export { untilRoom } from "./until-room.ts";
