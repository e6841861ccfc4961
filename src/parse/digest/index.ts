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
 * Module `near` finds them among the pages of a crawl.
 *
 * Words of this module:
 * - *feature*: two words that follow each other in a line; it *votes* for or against bits of the
 *   SimHash
 * - *passage*: lines that follow each other with neither links nor landmarks between them
 * - *landmark*: an element that says what its content is for: `main`, `nav`, `aside`, `header`,
 *   `footer`, `article`
 * - *headline*: an `h1`, or a line whose words are all in the title; the main text is below it
 *
 * What the methods find and what they confuse is measured in docs/near-duplicates.md; why they are
 * as they are is in docs/adr/0017. Read `sim-hash.ts` first.
 */
export { hammingDistance } from "./hamming.ts";
export { KeyedBlocks } from "./keyed-blocks.ts";
export { SimHash } from "./sim-hash.ts";
export { StrippedDigest } from "./stripped-digest.ts";
