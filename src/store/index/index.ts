/**
 * The page index, `crawl.db`: one row for each page, for people with any SQLite program and for the
 * commands of `trobar store`, while the crawl runs and after it.
 *
 * The lane gives each page to a `PageIndexWriter`, which hands batches to the background thread. A
 * batch is one transaction (`write-pages.ts`): rows, the tally, and the marks of the logs that the
 * rows were made from, so that after a crash it is known which lines of the crawl log have their rows;
 * `catchUp` makes the others. A `PageIndex` is a reader: by key, in the order of the numbers, and the
 * tally.
 *
 * Rows are appended by number, which costs the same however many there are. Which number a page has
 * is in sorted runs beside the file (`base/runs`), since an index inside SQLite costs more with every
 * page (docs/adr/0045 has the figures).
 *
 * Words of this module:
 * - *number*: of a page, from 1; also the cursor of a stream of pages
 * - *tally*: how many pages there are, by status, type, language and depth
 *
 * Read `page-table.ts` first, then `page-index-writer.ts`.
 */
export { catchUp, pageOfLine } from "./catch-up.ts";
export {
  type Checkpoint,
  type CheckpointToWrite,
  type FoundCheckpoint,
  openCheckpoint,
  peekCheckpoint,
  readCheckpoint,
  writeCheckpoint,
} from "./checkpoint-table.ts";
export { CRAWL_LOG_MARK } from "./index-marks.ts";
export type { IndexedPage, NumberedPage } from "./indexed-page.ts";
export {
  type OpenedIndex,
  openPageIndex,
  openPageIndexWriter,
} from "./open-page-index.ts";
export type { PageIndex } from "./page-index.ts";
export type { AddedRow, Expected, PageIndexWriter, PageNews } from "./page-index-writer.ts";
export { INDEX_FILE, KEYS_FORMAT, NUMBER_BYTES as PAGE_NUMBER_BYTES } from "./page-table.ts";
export { EMPTY_TALLY, type Tally, TallyCount } from "./tally.ts";
