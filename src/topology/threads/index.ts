/**
 * Threads: a topology that runs on several worker threads of one process, and what joins them.
 *
 * A *lane* carries the items of a connector from one thread to another. `LaneSender` encodes blocks into
 * buffers that are moved, not copied; `LaneReceiver` decodes them into a connector of its own thread, and
 * grants *credit* back for what was taken there: a producer can send only what there is room for.
 * `LaneForwarder` brings items on to consumers that are elsewhere.
 * All of this is driven by a `Port` and a clock; only `thread-port.ts` knows of real threads.
 *
 * Words of this module:
 * - *credit*: room at the other end of a lane, promised to this one
 * - *party*: the producers of one thread, who have a share of a connector's capacity
 *
 * Read `credit-intake.ts` first, then `lane-sender.ts` and `lane-receiver.ts`.
 */
export { LaneForwarder } from "./lane-forwarder.ts";
export { LaneReceiver } from "./lane-receiver.ts";
export { LaneSender } from "./lane-sender.ts";
export type { Port } from "./port.ts";
export { openChannel, ThreadPort } from "./thread-port.ts";
