/**
 * Checks the files of a store of lines (`pages/`) against the crawl log: every line is a page, every page is
 * of a fetch that the log has, once; and where the store is the crawl's own, every fetch has its line. A
 * content that is kept in a line has the digest that the line names. Both sides are sorted on disk.
 *
 * Of a crawl that was killed, or is running, only what its checkpoint knows is looked at: the rest is cut off
 * when the crawl goes on.
 */
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { printFingerprint } from "../../../base/fingerprints/index.ts";
import { answered, type FileName, type Storage } from "../../../base/seams/index.ts";
import { sha1Digest } from "../../../formats/warc/index.ts";
import { type CrawlLine, noteOf } from "../../archive/index.ts";
import { LineSorter, type PageRow, type RowMark } from "../../export/index.ts";
import { finalOf, isOfSeries, ROWS_FOLDER, readRowFile, serialOf } from "../../pages/index.ts";
import type { CrawlKeys } from "../crawl-parts.ts";
import { rowOf } from "../line-row.ts";
import { type ProblemList, SORTED_BYTES_MAX } from "./problem-list.ts";

/** What a checkpoint says of rows. */
export interface KnownRows {
  /** Lines of the crawl log before it have their rows; infinite for all. */
  readonly logEnd: number;
  readonly stores: readonly {
    /** What its files are named by. */
    readonly name: string;
    /** Whether it is the store that the configuration names, so that every page has a row in it. */
    readonly isOwn: boolean;
    /** Where the rows end that are known; null for all that are there. */
    readonly mark: RowMark | null;
  }[];
}

export interface RowCheckParts {
  readonly storage: Storage;
  readonly keys: CrawlKeys;
  readonly agent: string;
  /** Absolute. */
  readonly scratch: string;
  readonly problems: ProblemList;
}

type KnownStore = KnownRows["stores"][number];

const REMEDY =
  "Restore the file from a copy, or let `trobar store verify --rebuild` queue the pages of the crawl. The " +
  "other lines can be read, and the crawl goes on all the same.";

/** What is said of a line of the crawl log that must have its row. */
const DUE = "due";

export class RowCheck {
  readonly #parts: RowCheckParts;
  readonly #known: KnownRows;
  readonly #sorter: LineSorter;
  #count = 0;

  constructor(parts: RowCheckParts, known: KnownRows) {
    this.#parts = parts;
    this.#known = known;
    this.#sorter = new LineSorter(join(parts.scratch, "rows"), SORTED_BYTES_MAX);
  }

  /** Before the log is read, so that every row has its line. */
  async read(): Promise<void> {
    const { storage, agent } = this.#parts;
    const names = await answered<readonly FileName[]>((done) => storage.list(ROWS_FOLDER, done));
    for (const [at, store] of this.#known.stores.entries()) {
      const series = { name: store.name, agent };
      const files = new Set(names.map(finalOf).filter((name) => isOfSeries(name, series)));
      for (const name of [...files].sort()) await this.#readFile(name, { ...store, at });
      const { mark } = store;
      if (mark?.file != null && !files.has(mark.file)) this.#tell(mark.file, null, "it is missing");
    }
  }

  addLine(line: CrawlLine, position: number): void {
    if (position >= this.#known.logEnd) return;
    const isLost = noteOf(line, "lost") !== null;
    const notes = line.notes.filter(([word]) => word !== "lost");
    const row = rowOf(isLost ? { ...line, notes } : line);
    const key = row === null ? null : this.#parts.keys.keyOf(row.url);
    if (row === null || key === null) return;
    const mayLack = isLost || noteOf(line, "unstored") !== null;
    const page = printFingerprint(this.#parts.keys.ofKey(key));
    for (const [at, { isOwn }] of this.#known.stores.entries()) {
      this.#add([at, page, factsOf(row), "a", isOwn && !mayLack ? DUE : "-", row.url]);
    }
  }

  /** After the last line. */
  compare(): void {
    const missing = this.#known.stores.map(() => ({ count: 0, first: "" }));
    for (const { store, lines, rows } of groupsOf(this.#sorter.sorted())) {
      for (const { place, url } of rows.slice(lines.length)) {
        this.#tell(place, url, "a line is of no fetch that the crawl log has, or is there twice");
      }
      for (const { place, url } of lines.slice(rows.length)) {
        const lacks = missing[store];
        if (place !== DUE || lacks === undefined) continue;
        if (lacks.count === 0) lacks.first = url;
        lacks.count += 1;
      }
    }
    for (const { count, first } of missing) {
      if (count === 0) continue;
      const more = count === 1 ? "" : `, nor of ${count - 1} more`;
      this.#tell(ROWS_FOLDER, first, `there is no line of a page that the crawl log has${more}`);
    }
  }

  close(): void {
    this.#sorter.close();
  }

  async #readFile(
    name: FileName,
    { mark, at }: KnownStore & { readonly at: number },
  ): Promise<void> {
    if (mark !== null && serialOf(name) >= mark.nextSerial) return;
    const length = mark?.file === name ? mark.bytes : Number.MAX_SAFE_INTEGER;
    for await (const step of readRowFile(this.#parts.storage, name, length)) {
      if (step.kind === "damage") {
        this.#tell(name, null, step.problem);
        continue;
      }
      const row = parsed(step.text);
      const key = row === null ? null : this.#parts.keys.keyOf(row.url);
      if (row === null || key === null) this.#tell(name, null, "a line is not a page as JSON");
      else {
        if (!hasItsContent(row)) this.#tell(name, row.url, "the content has not the digest named");
        const page = printFingerprint(this.#parts.keys.ofKey(key));
        this.#add([at, page, factsOf(row), "b", name, row.url]);
      }
    }
  }

  /** The sorter tells equal lines once, so each has a number. */
  #add(fields: readonly (string | number)[]): void {
    this.#count += 1;
    const texts = [...fields, this.#count].map((field) => String(field).replace(/[\t\r\n]/g, " "));
    this.#sorter.add(texts.join("\t"));
  }

  #tell(file: FileName, url: string | null, problem: string): void {
    this.#parts.problems.add({ file, at: null, url, problem, remedy: REMEDY });
  }
}

/** What rows and lines of the log say of one fetch. */
interface Group {
  readonly store: number;
  readonly lines: Said[];
  readonly rows: Said[];
}

interface Said {
  /** The file of a row; whether a line is `DUE`. */
  readonly place: string;
  readonly url: string;
}

/** A line of the log comes before the rows of its fetch. */
function* groupsOf(lines: Iterable<string>): Generator<Group> {
  let last = "";
  let group: Group | null = null;
  for (const line of lines) {
    const text = Buffer.from(line, "latin1").toString("utf8");
    const [store = "", page, facts, side, place = "", url = ""] = text.split("\t");
    const fetched = `${store} ${page} ${facts}`;
    if (group === null || fetched !== last) {
      if (group !== null) yield group;
      group = { store: Number(store), lines: [], rows: [] };
      last = fetched;
    }
    (side === "a" ? group.lines : group.rows).push({ place, url });
  }
  if (group !== null) yield group;
}

/** What line and row both say, of one fetch. */
function factsOf(row: PageRow): string {
  const { url, via, status, bytes, digest, error, fetchedAt, depth, truncated } = row;
  const facts = [url, via, status, bytes, digest, error, fetchedAt, depth, truncated];
  return crc32(JSON.stringify(facts)).toString(16);
}

/** Null for what is not a page as JSON. */
function parsed(text: string): PageRow | null {
  try {
    const row: unknown = JSON.parse(text);
    const isRow = typeof row === "object" && row !== null && "url" in row;
    return isRow && typeof row.url === "string" ? (row as PageRow) : null;
  } catch {
    return null;
  }
}

/** The digest is that of the answer as it came, so it can be compared where that had no encodings. */
function hasItsContent({ body, headers, digest, bytes }: PageRow): boolean {
  if (typeof body !== "string" || digest === null) return true;
  if (headers?.some(([name]) => /^(?:content|transfer)-encoding$/i.test(name)) !== false)
    return true;
  const content = Buffer.from(body, "base64");
  return content.length === bytes && sha1Digest(content) === digest;
}
