/**
 * Checks the page index: every row of `crawl.db` with its checksum and its text, the tally that is kept
 * with the rows, and rows, runs and crawl log with one another (`compare-index.ts`). It is read before
 * the log, so that every row of a crawl that runs has its line.
 */
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isCrawlError } from "../../../base/errors/index.ts";
import type { Fingerprint } from "../../../base/fingerprints/index.ts";
import { answered } from "../../../base/seams/index.ts";
import type { DiskStorage } from "../../../base/storage/index.ts";
import { SystemClock } from "../../../base/time/index.ts";
import { LineSorter } from "../../export/index.ts";
import {
  EMPTY_TALLY,
  type NumberedPage,
  type PageIndex,
  type Tally,
  TallyCount,
} from "../../index/index.ts";
import { type KeptText, TextView } from "../../texts/index.ts";
import { type CrawlKeys, openIndexOf } from "../crawl-parts.ts";
import { IndexRows } from "../index-rows.ts";
import { IndexComparison, type IndexedLine } from "./compare-index.ts";
import { KeyedNumbers } from "./keyed-numbers.ts";
import { type ProblemList, REBUILD, SORTED_BYTES_MAX } from "./problem-list.ts";

const ROWS_AT_ONCE = 1000;
const REMEDY = `${REBUILD}. Without it pages are found more slowly.`;
const TEXT_REMEDY = `Texts are read from the archive instead. ${REBUILD}.`;

export interface IndexCheckParts {
  readonly storage: DiskStorage;
  readonly keys: CrawlKeys;
  /** Absolute. */
  readonly scratch: string;
  readonly problems: ProblemList;
}

/** What is open from the first row to the last comparison. */
interface Opened {
  readonly index: PageIndex;
  readonly rows: IndexRows;
  readonly numbers: KeyedNumbers;
}

export class IndexCheck {
  readonly #parts: IndexCheckParts;
  readonly #sorter: LineSorter;
  readonly #comparison: IndexComparison;
  #opened: Opened | null = null;
  /** Lines before it have their rows; null if the rows cannot be compared. */
  #mark: number | null = null;

  constructor(parts: IndexCheckParts) {
    this.#parts = parts;
    this.#sorter = new LineSorter(join(parts.scratch, "pages"), SORTED_BYTES_MAX);
    this.#comparison = new IndexComparison(this.#sorter, parts.problems);
  }

  /** Reads all rows; returns how many. */
  async read(): Promise<number> {
    try {
      return await this.#read();
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      // Whoever reads the log tells of that.
      if (error.code !== "LOG_DAMAGED") this.#tell(error.message);
      return 0;
    }
  }

  addLine(page: Fingerprint, line: IndexedLine): void {
    if (this.#mark !== null) this.#comparison.addLine(page, line);
  }

  /** After the last line. */
  async compare(): Promise<void> {
    if (this.#mark === null || this.#opened === null) return;
    const { index, numbers } = this.#opened;
    try {
      await this.#comparison.compare(this.#mark, numbers);
      await numbers.end(index);
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      this.#tell(error.message);
    }
  }

  async close(): Promise<void> {
    this.#sorter.close();
    await this.#opened?.numbers.close();
    await this.#opened?.rows.close();
  }

  async #read(): Promise<number> {
    const { storage, keys, problems } = this.#parts;
    const index = await openIndexOf(storage, keys);
    const rows = new IndexRows({ index, storage, clock: new SystemClock(), keyOf: keys.keyOf });
    const numbers = await KeyedNumbers.open(storage, index, problems);
    this.#opened = { index, rows, numbers };
    if (!(await rows.isOwn())) {
      this.#tell("it belongs to another crawl");
      return 0;
    }
    const mark = await rows.logged();
    const before = await rows.tally();
    const count = await this.#addRows(index);
    const after = await rows.tally();
    this.#mark = mark;
    const { tally } = count;
    // Otherwise the crawl has added rows meanwhile.
    if (isDeepStrictEqual(before, after) && !isSameTally(tally, after)) {
      this.#tell("the numbers of pages that are kept with the rows are not those of the rows");
    }
    return tally.pages + tally.requisites;
  }

  async #addRows(index: PageIndex): Promise<TallyCount> {
    const { keys, storage } = this.#parts;
    const texts = new TextView(storage);
    const count = new TallyCount(EMPTY_TALLY);
    for (let after: number | null = null; ; ) {
      const from: number | null = after;
      const rows: readonly NumberedPage[] = await answered((done) =>
        index.pages({ after: from, limit: ROWS_AT_ONCE }, done),
      );
      const last = rows.at(-1);
      if (last === undefined) return count;
      for (const row of rows) {
        this.#comparison.addRow(keys.ofKey(row.key), row);
        const { requisite, bytes, status, mime, language, depth } = row;
        const counted = { bytes, status, mime, language, depth, requisite: Number(requisite) };
        count.count(counted, 1);
        if (row.textBlock !== null) await this.#checkText(texts, row);
      }
      after = last.number;
    }
  }

  async #checkText(
    texts: TextView,
    { url, textBlock: block, textEntry: entry }: NumberedPage,
  ): Promise<void> {
    if (block === null || entry === null) return;
    const tell = (problem: string): void =>
      this.#parts.problems.add({ file: "texts", at: block, url, problem, remedy: TEXT_REMEDY });
    try {
      const place = { block, entry };
      const text = await answered<KeptText | null>((done) => texts.textOf(place, url, done));
      if (text === null) tell("the text that the row refers to is that of another page");
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      tell(error.message);
    }
  }

  #tell(problem: string): void {
    this.#parts.problems.add({ file: "crawl.db", at: null, url: null, problem, remedy: REMEDY });
  }
}

/** Beyond some names the order in which pages came decides what is counted under which. */
function isSameTally(counted: Tally, kept: Tally): boolean {
  const { pages, requisites, bytes, status } = counted;
  return isDeepStrictEqual(
    { pages, requisites, bytes, status },
    { pages: kept.pages, requisites: kept.requisites, bytes: kept.bytes, status: kept.status },
  );
}
