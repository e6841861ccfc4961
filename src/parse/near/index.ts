/**
 * Near duplicates: which earlier page has nearly this text?
 *
 * A `NearIndex` (`openNearIndex`) finds a page whose SimHash differs in at most three bits among tens
 * of millions, in microseconds, with eight bytes of memory for each. New entries go into a log (module
 * `base/log`) and into a `NearBatch` in memory. A full batch becomes two runs (module `base/runs`),
 * each sorted by one half of the hash, and runs are merged into larger ones, all in the background
 * (`NearRuns`, with `HalfRuns` for each half). A search looks into the batches, then into the
 * `HalfTable` of each run, which is in memory, and reads from disk only what these hit (`RunSearch`).
 * A small file names the runs that count (`near-marks.ts`). A checkpoint records `index.end`; what is
 * behind it is cut off at the next opening, and runs that do not fit are rebuilt from the log.
 *
 * Words of this module:
 * - *entry*: a SimHash and the id of its page
 * - *half*: the upper or lower 32 bits of a hash; a *block* of a hash is one of its four parts of 16
 *   bits, a block of a run what is read of it at once
 * - *hit*: entries of a run that may be near, by what is in memory; the disk decides
 * - *sighting*: the immediate answer: a near page, none, or that the disk was asked
 * - *overflow*: a search that had to leave something out; counted
 *
 * Read `near-index.ts` first; docs/adr/0017 has the reasons, docs/near-duplicates.md the figures.
 */
export type { NearEntry, PageId } from "./near-entry.ts";
export type { NearIndex } from "./near-index.ts";
export { type NearIndexOptions, openNearIndex } from "./open-near-index.ts";
