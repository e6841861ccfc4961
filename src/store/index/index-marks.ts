/**
 * The marks that are kept with the rows, in the same transaction. SQLite does not notice altered
 * bytes in a value, so what is read is checked before it is used.
 */
import { CrawlError } from "../../base/errors/index.ts";
import { EMPTY_TABLE, type TableMarks } from "../../base/runs/index.ts";
import { EMPTY_TALLY, type Tally } from "./tally.ts";

export type IndexMarks = Readonly<Record<string, string | number>>;

/** Of the crawl log: every line before it has its row. */
export const CRAWL_LOG_MARK = "crawl-log";
/** The number of the next page. */
export const NEXT_NUMBER_MARK = "next-number";
/** The runs of the keys, as JSON. */
export const KEYS_MARK = "keys";
/** The length of the log of texts: no row refers to what is behind it. */
export const TEXTS_MARK = "texts";
/** The tally, as JSON. */
export const TALLY_MARK = "tally";

/** Null when it is damaged. */
export function tallyIn(marks: IndexMarks): Tally | null {
  const text = marks[TALLY_MARK];
  const tally = text === undefined ? EMPTY_TALLY : parsed(text);
  return isTally(tally) ? tally : null;
}

/** Null when they are damaged. */
export function tableMarksIn(marks: IndexMarks): TableMarks | null {
  const text = marks[KEYS_MARK];
  const table = text === undefined ? EMPTY_TABLE : parsed(text);
  return isTable(table) ? table : null;
}

/** A position or a number of the marks; null when it is damaged. */
export function countIn(marks: IndexMarks, name: string, otherwise: number): number | null {
  const value = marks[name] ?? otherwise;
  return isCount(value) ? value : null;
}

export function damagedIndex(reason: string): CrawlError {
  const message =
    `The page index crawl.db is damaged: ${reason}. Check the disk; the crawl log and the archive ` +
    "are not affected, and `trobar store verify --rebuild` makes it again from them.";
  return new CrawlError("DATABASE_CORRUPT", message, { reason });
}

function parsed(text: string | number): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

function isTally(value: unknown): value is Tally {
  const { pages, requisites, bytes, ...by } = (value ?? {}) as Partial<Tally>;
  const { status, mime, language, depth } = by;
  const isCounts = (counts: unknown): boolean =>
    typeof counts === "object" && counts !== null && Object.values(counts).every(isCount);
  return (
    [pages, requisites, bytes].every(isCount) && [status, mime, language, depth].every(isCounts)
  );
}

const RUN_NAME = /^index\/run-\d{1,15}$/;

function isTable(value: unknown): value is TableMarks {
  const { stack, greatest } = (value ?? {}) as Partial<TableMarks>;
  const runs: unknown = stack?.runs;
  return (
    isCount(greatest) &&
    isCount(stack?.nextNumber) &&
    Array.isArray(runs) &&
    runs.every((run) => RUN_NAME.test(run?.name) && isCount(run.count) && isCount(run.bytes))
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
