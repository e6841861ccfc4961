/**
 * The store: what a crawl keeps of the pages it fetches, and what it logs about each fetch.
 *
 * A fetched page becomes records in the archive (`page-records.ts` says which) and a line in the
 * crawl log. `PageStore.tryStore` does both in memory and returns at once, with the place of the
 * record and the page it repeats, if any; it refuses a page when the disk cannot keep up, is full
 * or failed. `commit` answers when everything taken before is durable, archive first, then log.
 *
 * `WarcFiles` is a series of archive files: chunks of a megabyte are written one after the other,
 * a file that is full is synced, waits until its lines are durable, and gets its final name. Bodies
 * on disk are copied a piece at a time into a series of their own (`spooled-page.ts`), so
 * that pages go on meanwhile. `PayloadTable` knows which bodies the archive has.
 *
 * The crawl log (`crawl-line.ts`, docs/crawl-log.md) has one readable line for each fetch,
 * including those that failed: its lines say what happened to every page. `readCrawlLog` reads it,
 * even while a crawl is writing it.
 *
 * Several stores share one log and their bodies: `ClaimingStore` and `SharedRecords`.
 *
 * `openPageStore` opens all of it, however the last process ended: records and lines are cut back
 * to what agrees, so that every record has its line and every line its record (docs/adr/0026).
 *
 * Words of this module:
 * - *exchange*: the records of one request and its answer, together in one file
 * - *note*: a word at the end of a line, such as `retry` or `duplicate:URL`
 *
 * Nothing here touches the world but through the seams; `test/simulation/store-crash.test.ts` lets
 * power fail after every event. Read `page-store.ts` first, then `open-page-store.ts`.
 */
export { ClaimingStore } from "./claiming-store.ts";
export {
  type CrawlLine,
  type CrawlNote,
  isAboutPage,
  isFinal,
  type NoteWord,
  noteOf,
} from "./crawl-line.ts";
export {
  CRAWL_LOG,
  CRAWL_LOG_LIMITS,
  CrawlLogView,
  type LogStep,
  readCrawlLog,
  readLinesAbout,
} from "./crawl-log.ts";
export type { FetchedPage, StoredPage } from "./fetched-page.ts";
export { HeldLines } from "./held-lines.ts";
export { JsonLines } from "./json-lines.ts";
export {
  openPageStore,
  openSharedRecords,
  type PageStoreOptions,
} from "./open-page-store.ts";
export type { PageStore } from "./page-store.ts";
export { type RefusedLine, RefusedLog, readRefusedLog } from "./refused-log.ts";
export { type Claim, SharedRecords } from "./shared-records.ts";
export { baseName, openName, WARC_FOLDER } from "./warc-name.ts";
export { warcinfoEntries } from "./warcinfo-entries.ts";
