/**
 * Threads: a topology that runs on several worker threads of one process, and what joins them.
 *
 * A *lane* carries the items of a connector from one thread to another. `LaneSender` encodes blocks into
 * buffers that are moved, not copied; `LaneReceiver` decodes them into a connector of its own thread, and
 * grants *credit* back for what was taken there: a producer can send only what there is room for.
 * `LaneForwarder` brings items on to consumers that are elsewhere.
 * `LaneConnector` is what units see; another one can take its place while the ends of its lanes stay
 * (`lane-ends.ts`, and `swap-parts.ts` for all threads).
 * All of this is driven by a `Port` and a clock; only `thread-port.ts`, `node-threads.ts` and
 * `thread-program.ts` know of real threads.
 *
 * A component's `thread: NAME` in a topology file *places* it. `PlacedSystem` starts a thread for each
 * name, which reads the topology again (`topology-source.ts`) and runs a `System` of its part of it
 * (`thread-wiring.ts`, `thread-runner.ts`); `lane-plan.ts` says which lanes join them. Settings, states
 * and metrics of units elsewhere are reached by messages (`control.ts`).
 *
 * Words of this module:
 * - *credit*: room at the other end of a lane, promised to this one
 * - *party*: the producers of one thread, who have a share of a connector's capacity
 *
 * Read `credit-intake.ts` first, then `lane-sender.ts` and `lane-receiver.ts`; for
 * placement `placed-system.ts`.
 */
export { LaneForwarder } from "./lane-forwarder.ts";
export { LaneReceiver } from "./lane-receiver.ts";
export { LaneSender } from "./lane-sender.ts";
export { NodeThreads } from "./node-threads.ts";
export { PlacedSystem, type PlacedUnitStatus } from "./placed-system.ts";
export type { Port } from "./port.ts";
export { openChannel, ThreadPort } from "./thread-port.ts";
export type { TopologySource } from "./topology-source.ts";
