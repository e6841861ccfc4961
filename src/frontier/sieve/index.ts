/**
 * The sieve: every URL found is offered to it, and it gives each one out once, in the order in which
 * they were first offered, however often they are offered and even if the process is killed.
 *
 * `sieve.ts` is the contract. `MemorySieve` is the simplest implementation; `openDiskSieve` opens the
 * one that crawls use, whose memory is bounded and whose keys are on disk. Both pass the
 * suite in `lab/conformance/sieve-suite.ts`.
 *
 * In the sieve on disk an offer's fingerprint goes into an `OfferBatch`, typed arrays, and its text
 * by way of an `OfferFrame` into a log (module `log`). A batch that is full, or flushed, is frozen:
 * its text is made durable and its keys move to the background (`decide-batch.ts`), where they are
 * sorted, looked up in the runs (module `runs`) and judged; what is new becomes another run. Then
 * the text is read back, frame by frame, and what is new is reported (`giving.ts`) as the listener
 * asks for more. Meanwhile the next batch fills; when both are full, offers are refused. While a
 * sieve is small, all of this happens in memory, and only the log is written (`small-sieve.ts`,
 * `growing-sieve.ts`, docs/adr/0050).
 *
 * A checkpoint answers with marks: which runs count, and three positions in the text. Opening with
 * them restores that moment (`sieve-state.ts`, `text-replay.ts`); files that older marks
 * need are removed at the next one. `disk-sieve-crash.test.ts` cuts the power at every event. Sieves
 * that are closed can be divided among another number of lanes (`split-sieves.ts`).
 *
 *     openDiskSieve({ clock, storage, background, random, folder: "frontier/sieve", listener,
 *       withDepth: false, memoryBytes, marks: null }, (error, sieve) => …)
 *
 * Words of this module:
 * - *verdict*: an offer is *known*; *fresh*, never offered before; or *improved*, given out before
 *   at a greater depth
 * - *pair*: two depths in one number, each of which may improve (`depth-pair.ts`)
 * - *batch*: the offers that are decided together; it is filling, frozen or given out
 *
 * Read `sieve.ts` first, then `disk-sieve.ts`. Why it is so is in docs/adr/0027, the files byte by
 * byte in docs/data-on-disk.md.
 */

export { checkSieve } from "./check-sieve.ts";
export { bestDepth, depthsOfPair, pairOfDepths, SINGLE_DEPTH_MAX } from "./depth-pair.ts";
export { MemorySieve } from "./memory-sieve.ts";
export { openDiskSieve } from "./open-disk-sieve.ts";
export { type FreshBatch, RECORD_BYTES_MAX, type Sieve, type SieveListener } from "./sieve.ts";
export { countsIn } from "./sieve-state.ts";
export { splitSieves } from "./split-sieves.ts";
