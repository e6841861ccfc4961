/**
 * Digests: do we already have this page, or nearly this page?
 *
 * Two questions, two fingerprints, both made while the page is parsed. A parser passes tags and text
 * to a `PageSink`; there are two sinks.
 *
 * - `StrippedDigest` answers "the same except for numbers, attributes and white space?", as in
 *   BUbiNG: what remains of the page goes in blocks of 4 KiB (`KeyedBlocks`) into SipHash with a key
 *   of the crawl. Equal digests are duplicates. Bodies that are not pages have digests too.
 * - `SimHash` answers "the same main text, whatever is around it?": `WordScanner` finds words in the
 *   bytes, `Passages` weighs them by their position, `BitVotes` counts their votes on 64 bits. Pages
 *   whose hashes differ in at most three bits are near duplicates.
 *
 * In a crawl both are made by a kernel, at the end of a page, from what the parser told of it
 * (`PageEvents`, `DigestKernel`). The two sinks are its twins: the same results, one call at a time.
 *
 * Module `near` finds them among the pages of a crawl.
 *
 * Words of this module:
 * - *feature*: two successive words of a line; it *votes* for or against bits of the SimHash
 * - *passage*: successive lines without links or landmarks between them
 * - *landmark*: an element that says what its content is for: `main`, `nav`, `aside`, `header`,
 *   `footer`, `article`
 * - *headline*: an `h1`, or a line whose words are all in the title; the main text is below it
 *
 * What the methods find and confuse is measured in docs/near-duplicates.md; the reasons are in
 * docs/adr/0017. Read `sim-hash.ts` first.
 */
export { DigestKernel, type DigestTerms, type KernelDigests } from "./digest-kernel.ts";
export { hammingDistance } from "./hamming.ts";
export { KeyedBlocks } from "./keyed-blocks.ts";
export { PageEvents } from "./page-events.ts";
export { SimHash } from "./sim-hash.ts";
export { StrippedDigest } from "./stripped-digest.ts";
