/**
 * A crawl as one reads it: its pages in the order of their fetches, a page by its URL, the record of
 * its answer, its text and links, and counts of everything. The crawl may be running, finished or
 * damaged. Pages come from the crawl log, so a page is seen as soon as its fetch is logged; the page
 * index adds what the log does not say. Without an index the tables of `log-table.ts` take its place,
 * which grow with the crawl.
 */
import { isCrawlError } from "../../base/errors/index.ts";
import { answered, type Clock, type Storage } from "../../base/seams/index.ts";
import { decodedContent } from "../../formats/http/index.ts";
import { parseHttpBlock } from "../../formats/warc/index.ts";
import {
  baseName,
  type CrawlLine,
  type RefusedLine,
  readLinesAbout,
  readRefusedLog,
} from "../archive/index.ts";
import {
  type ArchivedAnswer,
  type ExportSource,
  type PageBatch,
  PageReading,
  type PageRow,
  type PageText,
  type RecordOutcome,
  type RowLink,
} from "../export/index.ts";
import type { LinkView } from "../links/index.ts";
import type { KeptText } from "../texts/index.ts";
import { CrawlLinks } from "./crawl-links.ts";
import { CrawlCounts, type CrawlStats } from "./crawl-stats.ts";
import type { FoundRow, IndexRows } from "./index-rows.ts";
import { answerOf, rowOf } from "./line-row.ts";
import { endsOf, logSteps } from "./log-steps.ts";
import { LogTable } from "./log-table.ts";
import { PageRecords } from "./page-records.ts";

export interface CrawlViewParts {
  /** The crawl directory. */
  readonly storage: Storage;
  readonly name: string;
  /** Of the crawl: lower-case letters and digits. */
  readonly id: string;
  /** What a URL is compared by; null for what is not a URL. */
  readonly keyOf: (url: string) => string | null;
  /** Null when the crawl keeps no link graph. */
  readonly links: LinkView | null;
  /** Null when the crawl keeps no page index, or it cannot be used. */
  readonly index: IndexRows | null;
  /** Whether pages that the index does not have are read for their title and the like. */
  readonly readsPages: boolean;
  /** Of its store: `warc`, unless pages went elsewhere. */
  readonly storeKind?: string;
  /** The names of its archive files where they are known; otherwise the folder is looked into. */
  readonly archives?: readonly string[];
  /** Why parts of the directory are not used, each as a sentence. */
  readonly faults: readonly string[];
}

export interface ViewedBatch extends PageBatch {
  /** For each page, where reading goes on after it. */
  readonly cursors: readonly number[];
}

export interface LatestPages {
  readonly pages: readonly PageRow[];
  /** How many came before these. */
  readonly skipped: number;
  readonly cursor: number;
}

export class CrawlView implements ExportSource {
  readonly name: string;
  readonly id: string;
  readonly #faults: string[];
  readonly #parts: CrawlViewParts;
  readonly #records: PageRecords;
  readonly #links: CrawlLinks;
  #index: IndexRows | null;
  readonly #reading = new PageReading();
  readonly #byKey: LogTable;

  constructor(parts: CrawlViewParts) {
    this.name = parts.name;
    this.id = parts.id;
    this.#faults = [...parts.faults];
    this.#parts = parts;
    this.#index = parts.index;
    const { storage, keyOf, links: graph } = parts;
    this.#byKey = LogTable.ofKeys(storage, keyOf);
    const find = async (url: string): Promise<PageRow | null> =>
      (await this.#found(url))?.row ?? null;
    this.#records = new PageRecords({ storage, keyOf, find });
    const linksIn = (page: PageRow): Promise<readonly RowLink[] | null> => this.links(page);
    const tell = (fault: string): void => this.#tell(fault);
    this.#links = new CrawlLinks({ graph, keyOf, find, linksIn, pages: () => this.pages(), tell });
  }

  /** Why parts of the crawl are not used, as far as it was met until now; each as a sentence. */
  get faults(): readonly string[] {
    return this.#faults;
  }

  /** Where the pages went if there is no archive, in words; null if there is one. */
  get unarchived(): string | null {
    const { storeKind = "warc" } = this.#parts;
    if (storeKind === "warc") return null;
    return `no archive was kept, since store.kind was ${storeKind}`;
  }

  /** Pages after a cursor, up to those that are there now. */
  async *pages(after = 0): AsyncGenerator<ViewedBatch> {
    const logged = (await this.#asked((index) => index.logged())) ?? 0;
    let reached = after;
    for await (const step of logSteps(this.#parts.storage, after)) {
      const ends = endsOf(step);
      const pages: PageRow[] = [];
      const cursors: number[] = [];
      for (const [at, line] of step.lines.entries()) {
        const row = rowOf(line);
        if (row === null) continue;
        pages.push(await this.#whole(row));
        cursors.push(ends[at] ?? step.end);
      }
      const damagedBytes = step.damage.reduce((total, { from, to }) => total + to - from, 0);
      reached = step.end;
      yield { pages, cursors, cursor: step.end, damagedBytes };
    }
    if (reached < logged) this.#tell(logEndsEarly(reached, logged));
  }

  /**
   * The last pages after a cursor, `count` at most, with how many more there were: as the log has them,
   * without what only the index knows. Null finds the end.
   */
  async latest(after: number | null, count: number): Promise<LatestPages> {
    const pages: PageRow[] = [];
    let [seen, cursor] = [0, after ?? 0];
    for await (const { lines, end } of logSteps(this.#parts.storage, after)) {
      cursor = end;
      for (const line of lines) {
        const row = rowOf(line);
        if (row === null) continue;
        seen += 1;
        pages.push(row);
        if (pages.length > 2 * count) pages.splice(0, pages.length - count);
      }
    }
    if (after === null) return { pages: [], skipped: 0, cursor };
    const last = pages.slice(-count);
    return { pages: last, skipped: seen - last.length, cursor };
  }

  /** As `pages`, and then those that come, until the signal is given. */
  async *follow(
    after: number,
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  ): AsyncGenerator<ViewedBatch> {
    for (let from = after; !signal.aborted; ) {
      for await (const batch of this.pages(from)) {
        from = batch.cursor;
        yield batch;
        if (signal.aborted) return;
      }
      await pause(clock, signal);
    }
  }

  async *answers(): AsyncGenerator<readonly ArchivedAnswer[]> {
    for await (const { lines } of logSteps(this.#parts.storage, 0)) {
      yield lines.map(answerOf).filter((answer) => answer !== null);
    }
  }

  async find(url: string): Promise<PageRow | null> {
    const found = await this.#found(url);
    return found === null || found.isWhole ? (found?.row ?? null) : await this.#read(found.row);
  }

  /** What the crawl log says of these URLs, as they were sent: every fetch, in order. */
  linesAbout(urls: readonly string[]): Promise<readonly CrawlLine[]> {
    return answered((done) => readLinesAbout(this.#parts.storage, new Set(urls), done));
  }

  /** What the log of refused URLs says of these; nothing unless the crawl keeps one. */
  async refusalsOf(urls: readonly string[]): Promise<readonly RefusedLine[]> {
    const wanted = new Set(urls);
    const found: RefusedLine[] = [];
    const take = (line: RefusedLine): boolean => {
      if (wanted.has(line.url)) found.push(line);
      return true;
    };
    await answered((done) => readRefusedLog(this.#parts.storage, take, done));
    return found;
  }

  /** The decoded content of the answer that a line is about; null if it cannot be read. */
  async contentOf({ url, place }: CrawlLine): Promise<Uint8Array | null> {
    if (place === null) return null;
    const { reader } = this.#records;
    const at = { warc: baseName(place.file), offset: place.offset, length: place.lengthBytes };
    const found = await reader.read(at);
    if (found.kind === "damaged" || found.record.targetUri !== url) return null;
    const http = parseHttpBlock(found.record.block);
    const content = http === null ? null : decodedContent(http.headers, http.payload);
    return content?.kind === "content" ? content.bytes : null;
  }

  record(
    page: PageRow,
    { request = false }: { readonly request?: boolean } = {},
  ): Promise<RecordOutcome> {
    return this.#records.record(page, { request });
  }

  async archiveFiles(): ReturnType<ExportSource["archiveFiles"]> {
    const ends = new Map<string, number>();
    for await (const answers of this.answers()) {
      for (const { warc, offset, length } of answers) {
        ends.set(warc, Math.max(ends.get(warc) ?? 0, offset + length));
      }
    }
    const { reader } = this.#records;
    // What follows the last answer of a finished file belongs to it; other files are being written.
    for (const name of this.#parts.archives ?? (await reader.finishedFiles())) {
      ends.set(name, Math.max(ends.get(name) ?? 0, (await reader.lengthOf(name)) ?? 0));
    }
    return [...ends].sort().map(([name, lengthBytes]) => ({ name, lengthBytes }));
  }

  archiveBytes({
    name,
    lengthBytes,
  }: Parameters<ExportSource["archiveBytes"]>[0]): AsyncIterable<Uint8Array> {
    return this.#records.reader.bytes(name, lengthBytes);
  }

  lengthOf(warc: string): Promise<number | null> {
    return this.#records.reader.lengthOf(warc);
  }

  /** As the crawl has kept it, else from the archive. */
  async text(page: PageRow): Promise<PageText | null> {
    const kept = await this.#keptText(page);
    if (kept !== null && kept.text !== "") return { ...kept, kept };
    const outcome = await this.record(page);
    const read = outcome.kind === "record" ? this.#reading.text(outcome.record, page) : null;
    return read === null || kept === null ? read : { ...read, kept };
  }

  async links(page: PageRow): Promise<readonly RowLink[] | null> {
    const outcome = await this.record(page);
    return outcome.kind === "record" ? this.#reading.links(outcome.record, page) : null;
  }

  /** The links of a page; null when neither graph nor archive has them. */
  linksOf(url: string): Promise<readonly RowLink[] | null> {
    return this.#links.of(url);
  }

  /** The links that lead to a page, in batches; `url` is the page that has the link. */
  linksTo(url: string): AsyncIterable<readonly RowLink[]> {
    return this.#links.to(url);
  }

  /** Counts of everything, up to what is there now. Hosts are counted by reading the log. */
  async stats(): Promise<CrawlStats> {
    const counts = new CrawlCounts();
    await this.count(counts, null);
    return counts.stats();
  }

  /** Adds all that is there now, or only the pages that are shown. */
  async count(
    counts: CrawlCounts,
    shows: ((page: PageRow) => Promise<boolean>) | null,
  ): Promise<void> {
    const { storage } = this.#parts;
    const known = await this.#asked(async (index) => {
      return { logged: await index.logged(), tally: await index.tally() };
    });
    const { logged, tally } = known ?? { logged: 0, tally: null };
    if (tally !== null) counts.addTally(tally);
    const takenBack = new Set<string>();
    let reached = 0;
    for await (const { lines, positions, end } of logSteps(storage, 0)) {
      reached = end;
      for (const [at, line] of lines.entries()) {
        const row = rowOf(line);
        if (row === null) continue;
        const isCounted = (positions[at] ?? 0) < logged;
        if (shows === null || (await shows(row))) {
          if (isCounted) counts.addHost(row);
          else counts.add(await this.#read(row));
        } else if (isCounted && !takenBack.has(row.url)) {
          takenBack.add(row.url);
          counts.takeBack((await this.find(row.url)) ?? row);
        }
      }
    }
    if (reached < logged) this.#tell(logEndsEarly(reached, logged));
    counts.addLinks(await this.#links.count());
  }

  async close(): Promise<void> {
    await this.#records.reader.close();
    await this.#parts.index?.close();
  }

  #tell(fault: string): void {
    if (!this.#faults.includes(fault)) this.#faults.push(fault);
  }

  /** An index that turns out to be damaged is not asked again; null when there is none. */
  async #asked<Value>(ask: (index: IndexRows) => Promise<Value>): Promise<Value | null> {
    try {
      return this.#index === null ? null : await ask(this.#index);
    } catch (error) {
      if (!isCrawlError(error) || !INDEX_FAULTS.test(error.code)) throw error;
      this.#index = null;
      this.#tell(`${INDEX_UNUSABLE} ${error.message}`);
      return null;
    }
  }

  /** Damaged texts are read from the archive; why is said once. */
  async #keptText(page: PageRow): Promise<KeptText | null> {
    try {
      return (await this.#index?.text(page)) ?? null;
    } catch (error) {
      if (!isCrawlError(error) || !DAMAGE.has(error.code)) throw error;
      this.#tell(error.message);
      return null;
    }
  }

  async #found(url: string): Promise<FoundRow | null> {
    const found = await this.#asked((index) => index.find(url));
    if (this.#index !== null) return found;
    const key = this.#parts.keyOf(url);
    const line = key === null ? null : await this.#byKey.find(key);
    const row = line === null ? null : rowOf(line);
    return row === null ? null : { row, isWhole: false };
  }

  async #whole(row: PageRow): Promise<PageRow> {
    const known = await this.#asked((index) => index.enriched(row));
    return known ?? (await this.#read(row));
  }

  /** What a page says of itself, where only its line is known; as a crawl reads it. */
  async #read(row: PageRow): Promise<PageRow> {
    const isText = row.mime === "text/html" || row.mime === "application/xhtml+xml";
    const isRead = isText && row.warc !== null && row.status >= 200 && row.status < 300;
    if (!this.#parts.readsPages || !isRead) return row;
    const said = await this.text(row);
    if (said === null) return row;
    const { title, charset, language } = said;
    return { ...row, title: title || null, charset: charset || null, language: language || null };
  }
}

/** A log that is cut ends like one that is being written; only the index knows that there was more. */
function logEndsEarly(reached: number, logged: number): string {
  return (
    `The crawl log ends at ${reached}, but the page index has pages of it up to ${logged}, so pages ` +
    "are missing here; restore the folder logs from a copy."
  );
}

const INDEX_FAULTS = /^(?:DATABASE|RUN|STORAGE)_/;

/** A reason follows. */
export const INDEX_UNUSABLE: string =
  "The page index crawl.db cannot be used, so pages are slower to find:";

const DAMAGE: ReadonlySet<string> = new Set(["TEXTS_DAMAGED", "LOG_DAMAGED", "STORAGE_MISSING"]);

/** The crawl log is written several times a second. */
const LOOK_AGAIN_MS = 250;

function pause(clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      timer.cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = clock.after(LOOK_AGAIN_MS, end);
    signal.addEventListener("abort", end);
  });
}
