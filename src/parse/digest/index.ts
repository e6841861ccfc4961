/**
 * Digests: is this page, or nearly this page, one that we have already?
 *
 * Two questions, two fingerprints, both made while the page is parsed. A parser tells a `PageSink`
 * of tags and text; there are two sinks.
 *
 * - `StrippedDigest` answers "the same but for numbers, attributes and white space?", as BUbiNG does:
 *   what remains of the page flows through blocks of 4 KiB (`KeyedBlocks`) into SipHash with a key
 *   of the crawl. Equal digests are duplicates. Bodies that are no pages have digests too.
 * - `SimHash` answers "the same main text, whatever is around it?": `WordScanner` finds words in the
 *   bytes, `Passages` weighs them by where they stand, `BitVotes` lets them vote on 64 bits. Hashes
 *   that differ in at most three bits are near duplicates.
 *
 * For the latter `NearIndex` (`openNearIndex`) finds a page within three bits among tens of millions,
 * in microseconds, with eight bytes of memory for each. New entries go into a log (module `log`) and
 * into a `NearBatch` in memory. A full batch becomes a run, a file sorted by each half of the hash
 * (`run-layout.ts`), and runs are merged into bigger ones (`run-tasks.ts`), both in the background
 * (`RunStack`). A search goes through the batches, then through the runs' `HalfTable`s in memory,
 * and asks the disk only about what these hit (`RunSearch`). A checkpoint records `index.end`; what
 * is behind it is cut off at the next opening, and runs that do not fit are made anew from the log.
 *
 * What the methods find and what they confuse is measured in docs/near-duplicates.md; why they are
 * as they are is in docs/adr/0017. Read `sim-hash.ts` first, then `near-index.ts`.
 */
export { KeyedBlocks } from "./keyed-blocks.ts";
export type { NearEntry, PageId } from "./near-entry.ts";
export type { NearIndex, NearIndexSize, Sighting } from "./near-index.ts";
export type { NearQuery } from "./near-run.ts";
export { type NearIndexOptions, openNearIndex } from "./open-near-index.ts";
export { SimHash } from "./sim-hash.ts";
export { StrippedDigest } from "./stripped-digest.ts";
