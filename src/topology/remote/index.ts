/**
 * Remote connectors: inlets in one process, outlets in another.
 *
 * The sending side encodes blocks into batches and writes them to a log; when they are durable it sends
 * them, as frames with growing numbers, over a `Transport` that may lose, double, delay and reorder them.
 * The receiving side takes frames in their order, writes them to a log of its own, and acknowledges them
 * when they are durable there. Acknowledged frames leave the sender's log, which is also the spill while
 * the other side is away or full. Both sides may be stopped, or killed, and started again: they go on
 * where their logs end.
 *
 * What is promised:
 * - The items of one sender come out in the order in which they were offered, blocks unbroken.
 * - Items that were offered and became durable are never lost. A sender that dies loses what was offered
 *   in its last moments; `length` counts what has not arrived.
 * - Every item comes out once, except after the death of the receiver: what its consumers took since the
 *   last mark in its log comes again.
 * - When all producers have closed, the outlets are drained at the other side. If all consumers have
 *   finished before an orderly end, the receiver's next life is a new beginning.
 *
 * There is no timer, promise, file or socket in here but those of the seams.
 *
 * Words of this module:
 * - *frame*: what is sent at once; its number is its place in the sender's log
 * - *piece*: the part of a batch that is in one frame, mostly all of it
 * - *stream*: everything that one log of a sender ever holds
 * - *mark*: a note in the receiver's log of what consumers have taken
 * - *spill*: what waits on the sender's disk
 *
 * Read `remote-frame.ts` first, then `outbound-log.ts`, `send-window.ts` and `receiving-connector.ts`.
 */
export { BatchWriter } from "./batch-writer.ts";
export { nonsenseOf } from "./frame-sense.ts";
export { decodeRecord, encodeArrival, encodeMark } from "./inbound-record.ts";
export { type InboundStream, InboundStreams } from "./inbound-streams.ts";
export { openReceivingConnector } from "./open-inbound.ts";
export { type OutboundLog, openOutboundLog, streamFile } from "./outbound-log.ts";
export type { ReceivingConnector } from "./receiving-connector.ts";
export {
  decodeFrame,
  decodePiece,
  encodeAnswer,
  type Frame,
  type FrameAnswer,
  type Piece,
} from "./remote-frame.ts";
export { type FrameSource, SendWindow } from "./send-window.ts";
export type { Inherited, SendingConnector } from "./sending-connector.ts";
export { openSendingConnector } from "./sending-connector.ts";
export { Switchboard } from "./switchboard.ts";
