/**
 * Near duplicates: which earlier page has nearly this text?
 *
 * A `NearIndex` (`openNearIndex`) finds a page whose SimHash differs in at most three bits among tens
 * of millions, in microseconds, with eight bytes of memory for each. New entries go into a `NearBatch`
 * in memory. A full batch becomes two runs (module `base/runs`), each sorted by one half of the hash,
 * and runs are merged into larger ones, all in the background (`NearRuns`, with `HalfRuns` for each
 * half). A search looks into the batches, then into the `HalfTable` of each run, which is in memory,
 * and reads from disk only what these hit (`RunSearch`).
 * A checkpoint makes a run of the batch, however full it is, and answers with marks that name the runs
 * that count; opening with them brings that moment back.
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
export { NEAR_FORMAT } from "./near-run.ts";
export type { NearMarks } from "./near-runs.ts";
export { type NearIndexOptions, openNearIndex } from "./open-near-index.ts";
