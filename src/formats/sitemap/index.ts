/**
 * Sitemaps: lists of URLs that sites publish, in XML, plain text, RSS or Atom, compressed or not.
 *
 * A `SitemapReader` takes bytes as they arrive and reports entries. The bytes go through stages:
 * gzip (`gunzip.ts`, in small steps, so that it neither holds the whole file nor answers
 * asynchronously), a limit on the decompressed size, conversion to UTF-8 (`text-encoding.ts`), and
 * then either a list of lines (`url-list.ts`) or XML: `xml-scanner.ts` finds tags and text in any
 * bytes, `sitemap-grammar.ts` knows which of them are entries, and `sitemap-entry.ts` turns them
 * into URLs.
 *
 * Everything is a pure function of the bytes, independent of how they are cut, and memory does not
 * grow with the file. What is wrong with a file is reported in the outcome, with counts; nothing is
 * thrown. Whether a sitemap may list URLs of another host is for the caller to decide.
 *
 * Words of this module:
 * - *item*: the element that is one entry: `url`, `sitemap`, `item`, `entry`
 * - *alternate*: another address of the same page, such as its translation
 *
 * Read `sitemap-reader.ts` first, then `sitemap-grammar.ts`.
 */
export type { SitemapEntry } from "./sitemap-entry.ts";
export { type SitemapLimits, type SitemapOutcome, SitemapReader } from "./sitemap-reader.ts";
