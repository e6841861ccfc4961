/**
 * Questions about a crawl: a page by its URL, all pages as a stream, links in both directions, the
 * record of an answer, counts. `openCrawlView` opens a crawl directory, in any process, while the
 * crawl runs and afterwards; nothing is written and nothing is locked.
 *
 * The crawl log is the spine: it has a line for every fetch within a second, its lines never move,
 * and a position in it is a cursor. The page index adds titles and the like and finds pages by their
 * keys; the archive has the answers, found by the places in the lines; the link graph has the links.
 * What is missing or damaged becomes an answer in words, and the rest
 * is still there.
 *
 * Archives that others made are read in the same way (`openArchiveView`): their records become lines
 * of a crawl log in a temporary folder.
 *
 * The directories of agents that share a crawl are read as one (`JoinedCrawl`).
 *
 * `verifyCrawl` checks every part of a directory against every other.
 *
 * Read `crawl-view.ts` first.
 */

export { CrawlKeys } from "./crawl-parts.ts";
export type { CrawlStats } from "./crawl-stats.ts";
export { CrawlView, type LatestPages } from "./crawl-view.ts";
export { printCursor, readCursor } from "./cursor.ts";
export { type CrawlReader, JoinedCrawl } from "./joined-crawl.ts";
export { archiveTitle, openArchiveView } from "./open-archive-view.ts";
export { openCrawlView } from "./open-crawl-view.ts";
export { loadPageFilter, type PageFilter } from "./page-filter.ts";
export { type ArchivedExchange, type PastAnswer, PastAnswers } from "./past-answers.ts";
export { type Salvaged, salvage } from "./salvage/salvage.ts";
export type { ArchivedPage, LinkReading } from "./verify/archived-links.ts";
export { ProblemList, REBUILD, SORTED_BYTES_MAX } from "./verify/problem-list.ts";
export type { ReplayedLines } from "./verify/verify-answers.ts";
export {
  type Verification,
  type VerifyOptions,
  verifyArchives,
  verifyCrawl,
} from "./verify/verify-crawl.ts";
export type { KnownRows } from "./verify/verify-rows.ts";
