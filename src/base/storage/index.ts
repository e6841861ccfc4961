/**
 * Storage: the files of a crawl directory, by the contract `Storage` in `seams`.
 *
 * Everything durable that is not SQLite goes through here: logs, archives, queues. It offers only
 * the few operations of the contract, whose behaviour in a crash is specified sentence by sentence;
 * the log builds everything else from them.
 *
 * `DiskStorage` opens, replaces, renames and lists files; calls for one name take effect in order
 * (`turns.ts`). `DiskFile` is one open file: a queue of appends, syncs, reads and cuts, in which
 * consecutive appends become one `writev`. `folder-names.ts` makes names durable; `write-fully.ts`
 * copes with systems that write less than asked; `storage-error.ts` maps failures to full, missing
 * and failed; `disk-calls.ts` is the only file that uses `node:fs`.
 *
 * The simulator has `SimStorage` with the same contract; `lab/conformance/storage-suite.ts` holds
 * the tests that both must pass. Read `disk-storage.ts` first.
 */
export { DIRECT_CALLS, type DiskCalls } from "./disk-calls.ts";
export { DiskStorage } from "./disk-storage.ts";
export { Turns } from "./turns.ts";
