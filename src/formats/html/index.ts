/**
 * HTML: what a page links to and says, straight from its bytes.
 *
 * A `PageParser` is made once with what is asked for (kinds of links, text, limits) and reads page
 * after page, whole (`read`) or in chunks (`open`). The steps of a page:
 *
 * 1. `page-reader.ts` finds the encoding (module `charset`). UTF-8 and single-byte encodings are
 *    scanned as they are; all others are turned into UTF-8 first.
 * 2. `tokens/tokenizer.ts` follows the HTML standard's tokenizer over the bytes. Tags of no
 *    interest are skipped where they are found; for the others attributes are located, not decoded.
 *    What a chunk leaves unfinished is carried over to the next. Digests of the page are computed
 *    in the same pass (`PageSource.sink`; docs/adr/0025-one-pass.md).
 * 3. `tokens/tree-rules.ts` answers the one question a tokenizer has for the tree: how is the content
 *    of this element read? It follows foreign content (SVG, MathML), framesets and templates as far as
 *    they have a say, and builds no tree.
 * 4. `page-collector.ts` keeps what was asked for. Strings are made last, and as few as possible.
 *
 * Errors in markup have the meaning that the standard gives them; nothing throws. Work is linear in
 * the length of the page and memory is bounded; limits that cut something off are reported
 * (`truncated`). Scripts are not run: `noscript` is read as markup, and URL-like
 * strings in scripts are an option (kind `string`); docs/adr/0016-extractor-on-bytes.md.
 *
 * Words of this module:
 * - *tag number*: an element as one byte; all elements that HTML does not know share one
 * - *token sink*: takes tags and text from the tokenizer and answers how content is to be read
 * - *carry*: what a chunk of a page left unfinished, kept for the next one
 * - *character reference*: `&amp;` and the like
 * - *inert element*: one whose tags are of no interest; they are only counted
 * - *integration point*: an element of foreign content whose content is HTML again
 *   (`foreignObject`, `mi`, …)
 *
 * Read `tokens/tokenizer.ts` first, then `page-collector.ts`.
 */
export { isBinary } from "./binary.ts";
export { isoDate } from "./dates.ts";
export type { ExtractOptions } from "./extract-options.ts";
export { refreshUrl } from "./links/refresh.ts";
export { documentBase, resolveLink } from "./links/resolve.ts";
export type { Declared, Link, Page, Truncation } from "./page.ts";
export { PageParser, type PageSource } from "./page-parser.ts";
export type { PageSink } from "./page-sink.ts";
export { readPlainText } from "./plain-text.ts";
export { TAG_NUMBERS, type TagNumber, tagNumber, tagTable } from "./tag-numbers.ts";
export { countWords } from "./words.ts";
