/**
 * Host queues: the URLs of each host that wait for the host's turn; and the numbers of the hosts.
 *
 * `HostQueues` is the contract: push, pull in bulk, count, drop, checkpoint; first-in first-out,
 * last-in first-out, or by bands of priority (`bandOf`). `MemoryHostQueues` is the simplest form;
 * `DiskHostQueues` (`openDiskHostQueues`) is for a million hosts and tens of millions of URLs.
 *
 * On disk, inside, there are *queues* with numbers: one for each host, or one for each host and
 * band. New records gather in a *buffer* (`RecordBuffer`), each queue a list in it. A full buffer
 * is frozen and written, queue by queue, to a *bundle* (`BundleWriter`, `BufferFlush`), while the
 * next one fills. Bundles are merged (`BundleMerge`, `merge-policy.ts`) so that there are few and a
 * queue's records come to lie side by side. Of each bundle memory has a directory
 * (`BundleDirectory`): 16 bytes for each queue in it, nothing for its records. A `Pull` reads where
 * the directories say, together with what others want to read (`GatheredReads`), takes what it read
 * and what the buffers have at one moment, and answers.
 *
 * Every change is also in one of two *journals*, each a log of module `log`: pushes and takes of
 * buffers in the one, takes from bundles in the other. A checkpoint makes both durable and answers
 * with *marks*; opening with them cuts the journals there, reads the directories and replays the
 * journals. Files that the last recorded checkpoint needs stay until the next one is asked for.
 *
 * `HostTable` gives hosts their numbers; it keeps them in a log of names (`openHostTable`) or in
 * memory alone.
 *
 * Words of this module:
 * - *bundle*: an immutable file of records sorted by queue; not a run, which has keys of one width
 * - *part*: the records of one queue in one bundle, side by side in the order of pulling
 * - *directory*: where each part begins, how much of it was taken and what is left
 * - *flush*: the writing of a frozen buffer to a bundle
 * - *take*: records gone from a buffer or a bundle, as a journal records it
 * - *heir*: the bundle into which others are being merged; what is taken from them during the merge
 *   is taken from it too
 *
 * Read `host-queues.ts` first, then `queue-contents.ts` and `pull.ts`; `bundle-layout.ts` and
 * docs/data-on-disk.md have the bytes, docs/adr/0028 and 0029 the reasons.
 */

export { ChangedPieces, type PieceSink } from "./changed-pieces.ts";
export { checkHostNames, checkQueues } from "./check-queues.ts";
export type { DiskHostQueues } from "./disk-host-queues.ts";
export { Fifo } from "./fifo.ts";
export type { HostQueues, QueueMarks, QueueOrder } from "./host-queues.ts";
export { HostTable, type HostTableMarks } from "./host-table.ts";
export { MemoryHostQueues } from "./memory-host-queues.ts";
export { openDiskHostQueues } from "./open-disk-host-queues.ts";
export { openHostTable } from "./open-host-table.ts";
export { bandOf } from "./priority-band.ts";
export { QueueNumbers } from "./queue-numbers.ts";
export { RecordBatch } from "./record-batch.ts";
export { viewHostNumber, viewQueue } from "./view-queues.ts";
