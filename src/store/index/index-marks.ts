/** The marks that are kept with the rows, in the same transaction. */
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

export function tallyIn(marks: IndexMarks): Tally {
  const text = marks[TALLY_MARK];
  return text === undefined ? EMPTY_TALLY : (JSON.parse(String(text)) as Tally);
}

export function tableMarksIn(marks: IndexMarks): TableMarks {
  const text = marks[KEYS_MARK];
  return text === undefined ? EMPTY_TABLE : (JSON.parse(String(text)) as TableMarks);
}
