/**
 * Opening the page index: to write it, in the process that crawls, or to read it, in any process and
 * also while the crawl runs.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import { openRunTable, type RunTable } from "../../base/runs/index.ts";
import {
  type Acknowledge,
  type Background,
  type Clock,
  type Database,
  type Done,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import {
  CRAWL_LOG_MARK,
  countIn,
  damagedIndex,
  type IndexMarks,
  NEXT_NUMBER_MARK,
  TEXTS_MARK,
  tableMarksIn,
} from "./index-marks.ts";
import { PageIndex, type PageIndexOptions } from "./page-index.ts";
import { PageIndexWriter, type PageIndexWriterParts } from "./page-index-writer.ts";
import { INDEX_FILE, INDEX_SHAPE, KEYS_FOLDER, KEYS_FORMAT, PAGES } from "./page-table.ts";

export interface PageIndexWriterOptions
  extends PageIndexOptions,
    Pick<PageIndexWriterParts, "revisits" | "pageOf" | "due" | "failed" | "report" | "texts"> {
  readonly clock: Clock;
  readonly background: Background;
  /** For the keys of pages that are not on disk yet. */
  readonly memoryBytes: number;
}

/** An index that is open for writing, and what it has. */
export interface OpenedIndex {
  readonly writer: PageIndexWriter;
  /** What holds the memory of `memoryBytes`. */
  readonly keys: RunTable;
  /** The lines of the crawl log from here on have no rows yet. */
  readonly logged: Position;
  /** The length of the log of texts that the rows know. */
  readonly texts: Position;
}

export function openPageIndexWriter(
  options: PageIndexWriterOptions,
  done: Done<OpenedIndex>,
): void {
  const { databases, storage, background, memoryBytes, revisits, failed } = options;
  const openKeys = (rows: Database, marks: IndexMarks): void => {
    const keyMarks = tableMarksIn(marks);
    const nextNumber = countIn(marks, NEXT_NUMBER_MARK, 1);
    const logged = countIn(marks, CRAWL_LOG_MARK, 0);
    const texts = countIn(marks, TEXTS_MARK, 0);
    if (keyMarks === null || nextNumber === null || logged === null || texts === null) {
      done(damagedIndex("its marks"), undefined);
      return;
    }
    const format = { ...KEYS_FORMAT, valueBytes: KEYS_FORMAT.payloadBytes };
    const table = { ...format, folder: KEYS_FOLDER, memoryBytes, marks: keyMarks };
    // Keys are looked up with every page then, and most are not there.
    openRunTable(
      { ...table, storage, background, fillsFilter: revisits, report: failed },
      withValue(done, (keys) => {
        const opened = (): void => {
          const writer = new PageIndexWriter({ ...options, keys, rows, nextNumber });
          done(null, { writer, keys, logged, texts });
        };
        addKeys({ rows, keys, options }, keyMarks.greatest, whenDone(done, opened));
      }),
    );
  };
  databases.open(
    INDEX_FILE,
    INDEX_SHAPE,
    withValue(done, (rows) => rows.marks(withValue(done, (marks) => openKeys(rows, marks)))),
  );
}

/** The index of a crawl that may be running, in this process or another. */
export function openPageIndex(options: PageIndexOptions, done: Done<PageIndex>): void {
  options.databases.open(
    INDEX_FILE,
    INDEX_SHAPE,
    withValue(done, (rows) => done(null, new PageIndex(rows, options))),
  );
}

const ROWS_AT_ONCE = 1000;

interface KeysToAdd {
  readonly rows: Database;
  readonly keys: Pick<RunTable, "set">;
  readonly options: Pick<PageIndexOptions, "fingerprintOf">;
}

/** What was in memory when the last process ended. */
function addKeys(to: KeysToAdd, after: number, done: Acknowledge): void {
  const { rows, keys, options } = to;
  rows.scan(PAGES, after, ROWS_AT_ONCE, (error: CrawlError | null, found) => {
    if (error !== null || found === undefined) return done(error);
    for (const row of found) {
      const { high, low } = options.fingerprintOf(String(row["key"]));
      keys.set(high, low, Number(row["number"]));
    }
    const last = found.at(-1);
    if (last === undefined) done(null);
    else addKeys(to, Number(last["number"]), done);
  });
}
