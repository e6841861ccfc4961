/**
 * Parse: from the body of an answer to what it says and where it leads.
 *
 * A lane has one `Parsing`, made from the configuration. A page's way through it:
 *
 * 1. `body-pieces.ts` reads the body: at once where it lies in memory, in pieces where it is on
 *    disk. SHA-1 is taken of what was received, before any decoding.
 * 2. `page-reading.ts` asks the parsers of `parse.parsers` in their order who reads this document,
 *    by its media type and its first bytes (`media-type.ts`). `html-documents.ts`,
 *    `entry-documents.ts` and `plain-documents.ts` are ours; a user's module is a
 *    `DocumentParser` too. What nobody reads is binary, and has digests only.
 * 3. The parser and the digests (`page-digests.ts`) are fed by the same pass over the bytes.
 * 4. What the headers say joins in: `X-Robots-Tag`, `Link`, `Content-Language`.
 *
 * With `parse.requisites` pages are also searched for what they need to be shown (`requisites.ts`),
 * and style sheets have a parser (`css-documents.ts`).
 *
 * The result is a `ParsedPage`. A `LinkFollower` then takes its links through the URL module and
 * hands each on as a `FollowedLink`, which is also what filters look at.
 *
 * Words of this module:
 * - *document parser*: reads one kind of document; the first in `parse.parsers` that accepts a
 *   document gets it
 * - *findings*: what a document parser found, before the headers join in
 *
 * Nothing here throws because of a document, and nothing touches the world. Read `parsing.ts`
 * first, then `page-reading.ts`; docs/adr/0025-one-pass.md says why one pass.
 */
export type { DocumentParser } from "./document-parser.ts";
export { FollowedLink } from "./followed-link.ts";
export { LinkFollower, type LinkTaker } from "./link-follower.ts";
export { type Digest64, digestHex, type ParsedPage, type ParseSource } from "./parsed-page.ts";
export { Parsing } from "./parsing.ts";
export { isRequisite } from "./requisites.ts";
