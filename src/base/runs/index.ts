/**
 * Runs: sorted files of fixed-width records, keyed by 64-bit fingerprints. What has been seen,
 * fetched or linked, by the hundred million, is kept in them, and the SimHashes of pages.
 *
 * Records come in batches. A batch in memory is sorted by `sortKeys` and written by a `RunWriter`;
 * from then on the file never changes. `openRun` opens one for reading; `findKeys` looks up a whole
 * sorted batch in it, `findKey` a single key. A `RunStack` holds the runs of one owner: it merges
 * neighbours of similar size (`mergeRuns`, in the background, a slice at a time), so that there are
 * few runs and every record is written only a few times, and it removes files when no checkpoint
 * needs them any more. A record costs its own width on disk, and a few thousandths of that.
 *
 * A `RunTable` is all of this as a table for look-ups of single keys: a batch in memory (a
 * `FingerprintTable`), runs behind it, and a filter (`KeyFilter`) that rules out most keys that no
 * run has. `checkRuns` reads all records of a stack, for those who check it; a `RunWalk` looks up
 * keys on that way.
 *
 * An owner chooses a format (`RunFormat`): the width of the payload and the number of records in a
 * block. `run-layout.ts` describes the file (byte by byte in docs/data-on-disk.md). Everything that
 * is read is checked. The reasons are in docs/adr/0027.
 *
 * Words of this module:
 * - *block*: 4096 records in columns (one typed array for each field) with one checksum
 * - *slice*: the bounded part of a merge that is done as one task
 * - *stack*: the runs of one owner, the oldest first
 *
 * Read `run-layout.ts` first, then `find-keys.ts` and `merge-runs.ts`.
 */
export { findKey, findKeys } from "./find-keys.ts";
export { findNewest, numberIn } from "./find-newest.ts";
export { MemoryKeyTable } from "./memory-key-table.ts";
export { sortKeys } from "./radix-sort.ts";
export { RunCursor } from "./run-cursor.ts";
export { openRun, type RunFile, type RunMark } from "./run-file.ts";
export type { Block, RunFormat } from "./run-layout.ts";
export { NO_RUNS, openRunStack, type RunStack, type RunStackMarks } from "./run-stack.ts";
export {
  EMPTY_TABLE,
  type KeyTable,
  openRunTable,
  type RunTable,
  type TableMarks,
} from "./run-table.ts";
export { RunWalk } from "./run-walk.ts";
export { type RunWriter, startRun } from "./run-writer.ts";
export { splitStacks } from "./split-stacks.ts";
export { checkRuns } from "./walk-runs.ts";
export { type BatchToWrite, batchOf, writeBatch } from "./write-batch.ts";
