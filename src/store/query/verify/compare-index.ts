/**
 * Compares the rows of the page index with the lines of the crawl log, and with the runs that lead to
 * them: each page of the log up to the index's mark has a row that tells of its last fetch, each row has
 * its line, and the runs lead from each page to its row. All are in the order of the pages' fingerprints,
 * rows and lines sorted on disk, so memory does not grow.
 */
import { crc32 } from "node:zlib";
import {
  type Fingerprint,
  printFingerprint,
  readFingerprint,
} from "../../../base/fingerprints/index.ts";
import type { PageRow } from "../../export/index.ts";
import type { NumberedPage } from "../../index/index.ts";
import type { KeyedNumbers } from "./keyed-numbers.ts";
import { type ProblemList, REBUILD } from "./problem-list.ts";

/** What is sorted. */
interface Lines {
  add(line: string): void;
  sorted(): Iterable<string>;
}

/** A line of the crawl log that is the last word about a page. */
export interface IndexedLine {
  readonly row: PageRow;
  /** Where it begins. */
  readonly position: number;
  /** Whether it tells of no request; then the row of an earlier fetch may have stayed. */
  readonly isUnfetched: boolean;
}

const NUMBER_DIGITS = 15;
const REMEDY = `Pages are found all the same, by reading the crawl log. ${REBUILD}.`;

export class IndexComparison {
  readonly #lines: Lines;
  readonly #problems: ProblemList;

  constructor(lines: Lines, problems: ProblemList) {
    this.#lines = lines;
    this.#problems = problems;
  }

  addRow(page: Fingerprint, row: NumberedPage): void {
    const said = `${padded(row.number)}\t${factsOf(row)}\t-\t${row.url}`;
    this.#lines.add(`${printFingerprint(page)}\tb\t${said}`);
  }

  addLine(page: Fingerprint, { row, position, isUnfetched }: IndexedLine): void {
    const said = `${padded(position)}\t${factsOf(row)}\t${isUnfetched ? "u" : "-"}\t${row.url}`;
    this.#lines.add(`${printFingerprint(page)}\ta\t${said}`);
  }

  /** Lines before `mark` must have their rows. */
  async compare(mark: number, keys: Pick<KeyedNumbers, "of" | "greatest">): Promise<void> {
    for (const group of groupsOf(this.#lines.sorted())) {
      this.#compareRow(group, mark);
      await this.#compareKey(group, keys);
    }
  }

  #compareRow({ rows, lines }: Group, mark: number): void {
    const due = lines.findLast(({ number }) => number < mark);
    const [row] = rows;
    const url = row?.url ?? due?.url ?? null;
    const isOfRow = ({ facts }: Said): boolean => facts === row?.facts;
    if (rows.length > 1) this.#tell(url, "the page has several rows");
    else if (row === undefined) {
      if (due !== undefined) this.#tell(url, "the page has no row");
    } else if (lines.length === 0) {
      this.#tell(url, "the row is of a page that the crawl log does not have");
    } else if (!lines.some(isOfRow)) {
      this.#tell(url, "the row is not of a fetch that the crawl log has");
    } else if (!latest(lines, mark).some(isOfRow)) {
      this.#tell(url, "the row is not of the last fetch of its page");
    }
  }

  async #compareKey(
    { page, rows }: Group,
    keys: Pick<KeyedNumbers, "of" | "greatest">,
  ): Promise<void> {
    const [row] = rows;
    if (row === undefined) return;
    const found = await keys.of(readFingerprint(page));
    if (found === null && row.number <= keys.greatest) {
      this.#tell(row.url, "the row is not found by the key of its page", "index");
    } else if (typeof found === "number" && found !== row.number) {
      this.#tell(row.url, "the key of its page leads to another row", "index");
    }
  }

  #tell(url: string | null, problem: string, file = "crawl.db"): void {
    this.#problems.add({ file, at: null, url, problem, remedy: REMEDY });
  }
}

/** A row with its number, or a line with its position. */
interface Said {
  readonly number: number;
  readonly facts: string;
  readonly isUnfetched: boolean;
  readonly url: string;
}

interface Group {
  /** The fingerprint of the page. */
  readonly page: string;
  readonly rows: Said[];
  /** In the order of the log. */
  readonly lines: Said[];
}

function* groupsOf(lines: Iterable<string>): Generator<Group> {
  let group: Group = { page: "", rows: [], lines: [] };
  for (const line of lines) {
    const [page = "", kind, number = "", facts = "", flag, url = ""] = line.split("\t");
    if (group.page !== page) {
      if (group.page !== "") yield group;
      group = { page, rows: [], lines: [] };
    }
    const said = { number: Number(number), facts, isUnfetched: flag === "u", url };
    (kind === "b" ? group.rows : group.lines).push(said);
  }
  if (group.page !== "") yield group;
}

/** The last line of a request before the mark, and all that follow. */
function latest(lines: readonly Said[], mark: number): readonly Said[] {
  const last = lines.findLastIndex(({ number, isUnfetched }) => number < mark && !isUnfetched);
  return lines.slice(Math.max(0, last));
}

/** What line and row both say. Depth and role may become known later, and duplicates be others. */
function factsOf(row: PageRow | NumberedPage): string {
  const { url, via, status, bytes, digest, redirectTo, error } = row;
  const { fetchedAt, warc, offset, length } = row;
  const facts = [url, via, error, fetchedAt];
  // Of a page that failed there may be an answer, which only its line knows of.
  if (error === null) facts.push(digest, redirectTo, warc);
  const numbers = error === null ? [status, bytes, offset, length] : [];
  return crc32(JSON.stringify([...facts, ...numbers])).toString(16);
}

function padded(number: number): string {
  return String(number).padStart(NUMBER_DIGITS, "0");
}
