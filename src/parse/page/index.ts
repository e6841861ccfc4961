/**
 * Parse: what the body of an answer says and where it leads.
 *
 * A lane has one `Parsing`, made from the configuration. A page passes through it like this:
 *
 * 1. `body-pieces.ts` reads the body: at once if it is in memory, in pieces if it is on disk. SHA-1
 *    is taken of what was received, before any decoding.
 * 2. `page-reading.ts` chooses the first parser of `parse.parsers` that accepts the document, by its
 *    media type and its first bytes (`media-type.ts`). `html-documents.ts`,
 *    `entry-documents.ts` and `plain-documents.ts` are ours; a user's module is a
 *    `DocumentParser` too. What no parser accepts is binary, and is only digested.
 * 3. The parser and the digests (`page-digests.ts`) are fed by the same pass over the bytes.
 * 4. Headers are added: `X-Robots-Tag`, `Link`, `Content-Language`.
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
 * - *findings*: what a document parser found, without the headers
 *
 * Nothing here throws because of a document, or does input or output. Read `parsing.ts` first, then
 * `page-reading.ts`; docs/adr/0025-one-pass.md says why there is one pass.
 */
export type { DocumentParser } from "./document-parser.ts";
export { ENTRY_KINDS } from "./entry-documents.ts";
export { FollowedLink } from "./followed-link.ts";
export { LinkFollower, type LinkTaker, type PageOfLinks } from "./link-follower.ts";
export { type Digest64, digestHex, type ParsedPage, type ParseSource } from "./parsed-page.ts";
export { Parsing, parsingByTerms } from "./parsing.ts";
export { isRequisite } from "./requisites.ts";
export {
  loadParser,
  type UserDocument,
  type UserFindings,
  type UserParser,
} from "./user-parser.ts";
