/**
 * Sitemaps: lists of URLs that sites publish, in XML, plain text, RSS or Atom, packed or not.
 *
 * How it works. A `SitemapReader` is given bytes as they come and gives entries out in batches. The
 * bytes go through stages: gzip is unpacked (`gunzip.ts`, step by step, since it must neither hold
 * the whole file nor answer at another time), a limit on the unpacked size, UTF-8
 * (`text-encoding.ts`), and then either a list of lines (`url-list.ts`) or XML: `xml-scanner.ts`
 * finds tags and text in whatever comes, `sitemap-grammar.ts` knows which of them are entries, and
 * `sitemap-entry.ts` makes URLs, dates and numbers of their texts.
 *
 * Everything is a pure function of the bytes, independent of how they are cut. Memory does not grow
 * with the file. What is wrong with a file is told in the outcome, with counts; nothing is thrown.
 * Whether a sitemap may speak for another host is left to the caller, who is told of each such
 * entry.
 *
 * Words of this module:
 * - *item*: the element that is one entry: `url`, `sitemap`, `item`, `entry`
 * - *alternate*: another address of the same page, such as its translation
 *
 * Read `sitemap-reader.ts` first, then `sitemap-grammar.ts`.
 */
export type { SitemapEntry } from "./sitemap-entry.ts";
export { type SitemapLimits, type SitemapOutcome, SitemapReader } from "./sitemap-reader.ts";
