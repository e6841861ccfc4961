/**
 * The crawler as a library: `crawl(options)` starts a crawl in this process and gives the program its
 * pages; `openCrawl(directory)` opens one that runs or has ended, for questions.
 *
 * How it works. `crawl-options.ts` says what the options are; `read-options.ts` checks them, all at once,
 * and turns functions that stand where the configuration has modules into such (`option-modules.ts`). The
 * crawl is opened by the same function as that of `trobar crawl`. Its pages come from the last unit of
 * the topology, which shows each to a `PageReader` and holds it until that has replied: here the
 * `PageDesk`, where pages wait for a loop or a handler. So a slow program slows the crawl down, and
 * memory stays bounded. `CrawlRun` is what the program holds: pages, progress, the end.
 *
 * `openCrawl(directory)` opens one to be read: `StoredCrawl`, a thin layer over the view that the
 * `store` commands have.
 *
 * Read `crawl-run.ts` first, then `page-desk.ts`.
 */
export { crawl } from "./crawl.ts";
export type {
  AddedLinks,
  CrawlOptions,
  CrawlSettings,
  OwnAtoms,
  PageHandler,
} from "./crawl-options.ts";
export type { CrawlRun } from "./crawl-run.ts";
export { openCrawl } from "./open-crawl.ts";
export type { Page, PageContent } from "./page.ts";
export type { StoredAnswer, StoredCrawl, StreamedPage, StreamOptions } from "./stored-crawl.ts";
