/**
 * The queues of hosts: what waits for its host's turn, in as many queues as there are hosts.
 *
 * Read `host-queues.ts` first: it is the contract. `MemoryHostQueues` is its plainest form.
 */
export type { DiskHostQueues, QueuesSize } from "./disk-host-queues.ts";
export {
  type HostQueues,
  type QueueMarks,
  type QueueOrder,
  RECORD_BYTES_MAX,
} from "./host-queues.ts";
export type { HostTable, HostTableMarks } from "./host-table.ts";
export { MemoryHostQueues, type MemoryHostQueuesOptions } from "./memory-host-queues.ts";
export { type DiskHostQueuesOptions, openDiskHostQueues } from "./open-disk-host-queues.ts";
export { type HostTableOptions, openHostTable } from "./open-host-table.ts";
export { BANDS, bandOf } from "./priority-band.ts";
export { RecordBatch } from "./record-batch.ts";
