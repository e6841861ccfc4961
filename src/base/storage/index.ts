/**
 * Storage: the files of a crawl directory, by the contract `Storage` in `seams`.
 *
 * Everything durable that is not SQLite goes through here: logs, archives, queues. The module is
 * small on purpose. A file can grow, be synced, be read, be cut; a small file can be replaced as a
 * whole; a name can be changed or taken away. Out of these few, whose behaviour at a crash is
 * written down sentence by sentence in the contract, the log builds everything else.
 *
 * `DiskStorage` keeps the names: it opens files, replaces and renames them, lists them, each name's
 * affairs in the order in which they were asked for (`turns.ts`). `DiskFile` is one open file: a
 * queue of appends, syncs, reads and cuts, in which appends that stand together become one
 * `writev`. `folder-names.ts` makes names durable; `write-fully.ts` copes with systems that write
 * less than asked; `storage-error.ts` sorts failures into full, missing and failed;
 * `disk-calls.ts` is the only file that names `node:fs`.
 *
 * The simulator has `SimStorage` with the same contract; `lab/conformance/storage-suite.ts` holds the
 * tests that both must pass. Read `disk-storage.ts` first.
 */
export type { DiskCalls } from "./disk-calls.ts";
export { DiskStorage } from "./disk-storage.ts";
export { Turns } from "./turns.ts";
