/**
 * Compares the page index with the crawl log: each page of the log up to the index's mark has a row
 * that tells of its last fetch, and each row has its line. Both are sorted by key on disk.
 */
import { isCrawlError } from "../../../base/errors/index.ts";
import { answered } from "../../../base/seams/index.ts";
import type { PageRow } from "../../export/index.ts";
import type { NumberedPage, PageIndex } from "../../index/index.ts";
import type { KeptText, TextView } from "../../texts/index.ts";
import { type ProblemList, REBUILD } from "./problem-list.ts";

/** What is sorted. */
interface Lines {
  add(line: string): void;
  sorted(): Iterable<string>;
}

const ROWS_AT_ONCE = 1000;
/** Every so many rows, one is also looked up by its key. */
const LOOKED_UP_EVERY = 100;
const REMEDY = `Pages are found all the same, by reading the crawl log. ${REBUILD}.`;

const TEXT_REMEDY = `Texts are read from the archive instead. ${REBUILD}.`;

/** Adds the rows of the index; returns how many. To be done before the log is read. */
export async function addRows(
  index: PageIndex,
  { lines, texts, problems }: { lines: Lines; texts: TextView; problems: ProblemList },
): Promise<number> {
  let count = 0;
  for (let after: number | null = null; ; ) {
    const from: number | null = after;
    const rows: readonly NumberedPage[] = await answered((done) =>
      index.pages({ after: from, limit: ROWS_AT_ONCE }, done),
    );
    const last = rows.at(-1);
    if (last === undefined) return count;
    for (const row of rows) {
      lines.add(`${row.key}\tb\t${factsOf(row)}\t1\t${row.url}`);
      count += 1;
      await checkText(texts, row, problems);
      if (count % LOOKED_UP_EVERY === 1) await lookUp(index, row, problems);
    }
    after = last.number;
  }
}

/** `isIndexed` when the line is before the index's mark. */
export function addLine(lines: Lines, key: string, row: PageRow, isIndexed: boolean): void {
  lines.add(`${key}\ta\t${factsOf(row)}\t${isIndexed ? 1 : 0}\t${row.url}`);
}

export function compareIndex(lines: Lines, problems: ProblemList): void {
  let key: string | null = null;
  let group: string[][] = [];
  const finish = (): void => {
    const row = group.findLast(([, kind]) => kind === "b");
    // Sorted by time: the last line is that of the last fetch.
    const logged = group.filter(([, kind]) => kind === "a");
    const due = logged.findLast(([, , , , isIndexed]) => isIndexed === "1");
    const url = (row ?? due)?.[5] ?? null;
    const tell = (problem: string): void =>
      problems.add({ file: "crawl.db", at: null, url, problem, remedy: REMEDY });
    if (row === undefined) {
      if (due !== undefined) tell("the page has no row");
    } else if (logged.length === 0) tell("the row is of a page that the crawl log does not have");
    else if (!logged.some((line) => line[2] === row[2] && line[3] === row[3])) {
      tell("the row is not of a fetch that the crawl log has");
    }
  };
  for (const line of lines.sorted()) {
    const words = line.split("\t");
    if (words[0] !== key && key !== null) {
      finish();
      group = [];
    }
    key = words[0] ?? "";
    group.push(words);
  }
  if (key !== null) finish();
}

function factsOf({ fetchedAt, warc, offset, length, status }: PageRow | NumberedPage): string {
  return `${fetchedAt}\t${status} ${warc ?? "-"}@${offset ?? 0}+${length ?? 0}`;
}

async function checkText(
  texts: TextView,
  { url, textBlock: block, textEntry: entry }: NumberedPage,
  problems: ProblemList,
): Promise<void> {
  if (block === null || entry === null) return;
  try {
    const place = { block, entry };
    const text = await answered<KeptText | null>((done) => texts.textOf(place, url, done));
    if (text !== null) return;
    const problem = "the text that the row refers to is that of another page";
    problems.add({ file: "texts", at: block, url, problem, remedy: TEXT_REMEDY });
  } catch (error) {
    if (!isCrawlError(error)) throw error;
    const problem = error.message;
    problems.add({ file: "texts", at: block, url, problem, remedy: TEXT_REMEDY });
  }
}

async function lookUp(index: PageIndex, row: NumberedPage, problems: ProblemList): Promise<void> {
  const found = await answered<NumberedPage | null>((done) => index.get(row.key, done));
  if (found !== null) return;
  const problem = "the row is not found by the key of its page";
  problems.add({ file: "index", at: null, url: row.url, problem, remedy: REMEDY });
}
