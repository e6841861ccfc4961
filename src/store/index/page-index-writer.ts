/**
 * Takes the pages of a crawl for its index. A page costs the lane some values in an array; batches of
 * them are written on the background thread, each in one transaction with the marks of the logs.
 *
 * Invariant: the index has the pages of exactly those lines of the crawl log that its mark covers.
 * So a batch holds the pages that were logged before one moment (`seal`), also those that come later
 * (`expect`, `add`), and is written when the log is durable up to there (`commit`). What is behind the
 * mark after a crash is made again from the log.
 *
 * A number is given to a page when something first refers to it, and never to another page.
 */
import assert from "node:assert/strict";
import type { Value } from "../../base/database/index.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { type Fingerprint, NO_VALUE } from "../../base/fingerprints/index.ts";
import type { Position } from "../../base/log/index.ts";
import type { RunTable, TableMarks } from "../../base/runs/index.ts";
import {
  type Acknowledge,
  type Background,
  type Clock,
  type Database,
  type Databases,
  type Done,
  type Timer,
  withValue,
} from "../../base/seams/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import { type IndexMarks, KEYS_MARK, NEXT_NUMBER_MARK, TEXTS_MARK } from "./index-marks.ts";
import type { IndexedPage, NumberedPage } from "./indexed-page.ts";
import { LogWatch } from "./log-watch.ts";
import { joined, PageBatch, takeReady } from "./page-batch.ts";
import { INDEX_FILE, numberOf, PAGES, placeText, valuesOf } from "./page-table.ts";
import { pagesAfter } from "./pages-after.ts";
import { WriteFailures } from "./write-failures.ts";
import { closePages, type PageChange, type PagesToWrite, writePages } from "./write-pages.ts";

export interface PageIndexWriterParts {
  readonly clock: Clock;
  readonly background: Background;
  /** Fingerprints of keys to numbers. */
  readonly keys: RunTable;
  /** The same file for reading, on the lane's own thread. */
  readonly rows: Database;
  /** Which have those rows, and close them. */
  readonly databases: Databases;
  readonly nextNumber: number;
  /** Whether a page may come that has a row already; `expectRevisits` says so later. */
  readonly revisits: boolean;
  /** The fingerprint of a page by its URL, where what comes with the page is another. */
  readonly pageOf?: ((url: string) => Fingerprint) | undefined;
  /** The length of the log of texts now; without it, it stays as it was. */
  readonly texts?: (() => Position) | undefined;
  /** Called when there is much to write: the caller commits soon. */
  readonly due: () => void;
  /** Called once for each problem; `DATABASE_FULL` and `DATABASE_LOCKED` pass. */
  readonly failed: (error: CrawlError) => void;
  /** Called with what is only to be told. */
  readonly report: (error: CrawlError) => void;
}

/** So many pages are written at once. */
const BATCH_PAGES = 4000;
/** So many may wait before no more pages should be begun. */
const WAITING_PAGES_MAX = 20_000;
const AGAIN_MS = SECOND_MS;

/** A page that has a number, and perhaps no row yet. */
interface UnwrittenPage {
  readonly url: string;
  /** What has become known of it before its row came. */
  change: PageNews | null;
  hasRow: boolean;
  /** Whether the file can have no row of it. */
  readonly isNew: boolean;
}

/** A shorter path to a page, if one is known, and whether it is still only a requisite. */
export type PageNews = Omit<PageChange, "number">;

/** A row that was added, for what becomes known of it before it is written. */
export type AddedRow = Value[];

/** What a page that was logged is waited for in. */
export type Expected = PageBatch;

export class PageIndexWriter {
  readonly #parts: PageIndexWriterParts;
  readonly #log: LogWatch;
  readonly #failures = new WriteFailures();
  /** Pages whose rows are not in the file yet. */
  readonly #unwritten = new Map<number, UnwrittenPage>();
  readonly #sealed: PageBatch[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #flushes: { readonly upTo: number; readonly done: Acknowledge }[] = [];
  #filling = new PageBatch();
  #nextNumber: number;
  #writing: PagesToWrite | null = null;
  /** How many batches were sealed, and how many of them are written, in order. */
  #sealedCount = 0;
  #writtenCount = 0;
  /** Those of the last transaction, as JSON; it is not repeated while nothing has changed. */
  #marks = "";
  #timer: Timer | null = null;
  #isBroken = false;
  /** Rows and changes that are not written. Asked for with every page that is begun. */
  #waitingPages = 0;
  #isDueTold = false;
  /** Every page is looked up, on disk too. */
  #revisits: boolean;

  constructor(parts: PageIndexWriterParts) {
    this.#parts = parts;
    this.#log = new LogWatch(parts.report);
    this.#revisits = parts.revisits;
    this.#nextNumber = parts.nextNumber;
  }

  /** Whether more pages should be begun. After a failure for good nothing waits. */
  get hasRoom(): boolean {
    return this.#isBroken || (this.trouble === null && this.#waitingPages < WAITING_PAGES_MAX);
  }

  /** Why nothing is written now. */
  get trouble(): CrawlError | null {
    return this.#failures.last;
  }

  /** Calls back, never inside this call, when there is room again. */
  whenRoom(callback: () => void): void {
    this.#waiting.push(callback);
    if (this.hasRoom) this.#parts.clock.after(0, () => this.#tellRoom());
    else this.#tellDue();
  }

  /** From now on a page may come that has a row already. */
  expectRevisits(): void {
    this.#revisits = true;
  }

  /**
   * The number of a page, which it keeps. Answers inside the call unless the disk must be read. If that fails
   * the page has no number, and the owner is told.
   */
  reserve(page: Fingerprint, url: string, done: Done<number>): void {
    const { keys, pageOf, failed } = this.#parts;
    const { high, low } = pageOf?.(url) ?? page;
    const known = keys.recall(high, low);
    const decide = (found: number): void => {
      const number = found === NO_VALUE ? this.#nextNumber : found;
      if (found === NO_VALUE) {
        this.#nextNumber += 1;
        keys.set(high, low, number);
      }
      if (!this.#unwritten.has(number)) {
        const isNew = found === NO_VALUE;
        this.#unwritten.set(number, { url, change: null, hasRow: false, isNew });
      }
      done(null, number);
    };
    if (known !== NO_VALUE || !this.#revisits || !keys.mayFind(high, low)) {
      decide(known);
      return;
    }
    keys.find(high, low, (error, found) => {
      if (error !== null) {
        failed(error);
        done(error, undefined);
      }
      // Another visit of the page may have been faster.
      else decide(found === NO_VALUE ? keys.recall(high, low) : found);
    });
  }

  /** A page is logged now; `add` or `settle` follows, once. */
  expect(): Expected {
    this.#filling.expected += 1;
    return this.#filling;
  }

  /** The row of a page that was logged; null when nothing is written any more. */
  add(batch: Expected, number: number, page: IndexedPage): AddedRow | null {
    if (this.#isBroken) return null;
    const awaited = this.#unwritten.get(number);
    const change = awaited?.change ?? null;
    const isFirst = awaited?.isNew === true && !awaited.hasRow;
    this.#unwritten.set(number, { url: page.url, change: null, hasRow: true, isNew: isFirst });
    const row = valuesOf(number, page);
    batch.rows.push(row);
    this.#waitingPages += 1;
    if (change !== null) this.#change(batch, { number, ...change });
    if (this.#revisits && !isFirst) batch.again.push(number);
    if (this.#filling.size >= BATCH_PAGES) this.#tellDue();
    return row;
  }

  /** Something about a page of this batch is not known yet; `settle` follows, once. */
  hold(batch: Expected): void {
    assert(batch.expected > 0, "what is held is not written yet");
    batch.expected += 1;
  }

  /** Says where the text of a page is, whose batch was held meanwhile. */
  placeText(row: AddedRow, { block, entry }: { block: Position; entry: number }): void {
    placeText(row, block, entry);
  }

  /** What was expected has come, or never comes. */
  settle(batch: Expected): void {
    assert(batch.expected > 0, "what is settled was expected");
    batch.expected -= 1;
    if (batch.expected === 0 && batch !== this.#filling) this.#write();
  }

  /** The page with this number has no row: it was given up. */
  drop(number: number): void {
    if (this.#unwritten.get(number)?.hasRow === false) this.#unwritten.delete(number);
  }

  /**
   * A page turned out to be nearer to a seed, or a requisite to be a page. That is written with the pages that
   * are logged now, or with those of a batch that is waited for.
   */
  improve({ high, low }: Fingerprint, change: PageNews, batch: Expected = this.#filling): void {
    const { keys, failed } = this.#parts;
    batch.expected += 1;
    const note = (number: number): void => {
      const awaited = this.#unwritten.get(number);
      if (awaited?.hasRow === false) awaited.change = change;
      else if (number !== NO_VALUE) this.#change(batch, { number, ...change });
      this.settle(batch);
    };
    const known = keys.recall(high, low);
    if (known !== NO_VALUE || !keys.mayFind(high, low)) note(known);
    else {
      keys.find(high, low, (error, found) => {
        if (error !== null) failed(error);
        note(error === null ? found : NO_VALUE);
      });
    }
  }

  /** The URL of the page with this number; null when it has no row. May answer inside the call. */
  urlOf(number: number, done: Done<string | null>): void {
    const page = this.#unwritten.get(number);
    if (page !== undefined) done(null, page.url);
    else {
      this.#parts.rows.get(PAGES, number, (error, row) => {
        if (error !== null) done(error, undefined);
        else done(null, row === null ? null : String(row["url"]));
      });
    }
  }

  /** Whether a page has a row, written or not. May answer inside the call. */
  has({ high, low }: Fingerprint, done: Done<boolean>): void {
    const { keys, rows } = this.#parts;
    const look = (number: number): void => {
      const page = this.#unwritten.get(number);
      if (number === NO_VALUE || page?.hasRow === true) done(null, number !== NO_VALUE);
      // A number may have been reserved for a page that was given up.
      else
        rows.get(
          PAGES,
          number,
          withValue(done, (row) => done(null, row !== null)),
        );
    };
    const known = keys.recall(high, low);
    if (known !== NO_VALUE || !keys.mayFind(high, low)) look(known);
    else keys.find(high, low, withValue(done, look));
  }

  /** The row of a page; null if it has none that is written. */
  find({ high, low }: Fingerprint, done: Done<NumberedPage | null>): void {
    const { keys, rows } = this.#parts;
    const read = (number: number): void => {
      const after = number - 1;
      if (number === NO_VALUE) done(null, null);
      else
        pagesAfter(
          rows,
          { after, limit: 1 },
          withValue(done, ([row]) => done(null, row?.number === number ? row : null)),
        );
    };
    const known = keys.recall(high, low);
    if (known !== NO_VALUE || !keys.mayFind(high, low)) read(known);
    else keys.find(high, low, withValue(done, read));
  }

  /** Greater than all numbers that pages have. */
  get nextNumber(): number {
    return this.#nextNumber;
  }

  /**
   * All pages with smaller numbers have their rows in the file, or get none; null if that is so of all that
   * have numbers.
   */
  get firstUnwritten(): number | null {
    let first: number | null = null;
    for (const number of this.#unwritten.keys()) {
      if (first === null || number < first) first = number;
    }
    return first;
  }

  /** Rows that are written, in the order of their numbers; none when there are no more now. */
  rowsAfter(number: number, limit: number, done: Done<readonly NumberedPage[]>): void {
    pagesAfter(this.#parts.rows, { after: number, limit }, done);
  }

  /** Pages that are logged from now on are not in the batch that is returned. */
  seal(): Expected {
    const sealed = this.#filling;
    this.#sealed.push(sealed);
    this.#sealedCount += 1;
    this.#filling = new PageBatch();
    this.#isDueTold = false;
    return sealed;
  }

  /**
   * The log is durable up to these marks, which cover the batch and all before it: they are written
   * when all pages in them have come. Without this call a batch is written with the next one.
   */
  commit(batch: Expected, marks: IndexMarks): void {
    batch.marks = marks;
    this.#write();
  }

  /**
   * Answers when everything that was committed before is written, or with what prevents it. What is
   * committed meanwhile is not waited for: where that is faster than writing, there would be no end.
   */
  flush(done: Acknowledge): void {
    const committed = this.#sealed.findLastIndex(({ marks }) => marks !== null) + 1;
    this.#flushes.push({ upTo: this.#takenCount + committed, done });
    this.#parts.clock.after(0, () => this.#settleFlushes());
  }

  /** Answers when all keys are in runs, or with what prevents it. */
  flushKeys(done: Acknowledge): void {
    this.#parts.keys.flush(done);
  }

  /**
   * Writes what was committed, and, if the log is durable up to these marks, all that has come; then
   * closes, also if that could not be written. All keys are in runs afterwards.
   */
  close(marks: IndexMarks | null, done: Acknowledge): void {
    const { keys, background } = this.#parts;
    const end = (error: CrawlError | null): void => {
      this.#timer?.cancel();
      background.run(closePages, null, (...[closeError]) => {
        this.#isBroken = true;
        keys.close((keysError) => {
          this.#parts.databases.close(INDEX_FILE, (rowsError) => {
            done(error ?? closeError ?? keysError ?? rowsError);
          });
        });
      });
    };
    keys.flush((keysError) => {
      if (marks !== null) this.commit(this.seal(), marks);
      this.flush((error) => end(error ?? keysError));
    });
  }

  #write(): void {
    if (this.#writing !== null || this.#isBroken) return;
    const ready = takeReady(this.#sealed);
    if (ready.length === 0) return;
    this.#writing = joined(ready);
    this.#run(this.#writing);
  }

  #run(pages: PagesToWrite): void {
    const { background, keys } = this.#parts;
    const keyMarks = keys.mark();
    const marks = this.#marksOf(pages, keyMarks);
    const text = JSON.stringify(marks);
    const isNews = pages.rows.length + pages.changes.length > 0 || text !== this.#marks;
    if (!isNews) {
      keys.forget(keyMarks);
      this.#ended(pages);
      return;
    }
    background.run(writePages, { ...pages, marks }, (error, logBytes) => {
      if (error === null) {
        keys.keepOnly(keyMarks);
        this.#marks = text;
        this.#ended(pages);
        this.#log.wrote(logBytes);
      } else {
        keys.forget(keyMarks);
        this.#failed(error, pages);
      }
    });
  }

  #marksOf(pages: PagesToWrite, keyMarks: TableMarks): IndexMarks {
    const { texts } = this.#parts;
    return {
      ...pages.marks,
      [NEXT_NUMBER_MARK]: this.#nextNumber,
      [KEYS_MARK]: JSON.stringify(keyMarks),
      ...(texts === undefined ? {} : { [TEXTS_MARK]: texts() }),
    };
  }

  #change(batch: PageBatch, change: PageChange): void {
    batch.changes.push(change);
    this.#waitingPages += 1;
  }

  /** What was being written is in the file. */
  #ended({ rows, changes }: PagesToWrite): void {
    this.#waitingPages -= rows.length + changes.length;
    for (const values of rows) this.#unwritten.delete(numberOf(values));
    this.#writing = null;
    this.#writtenCount = this.#takenCount;
    this.#failures.end();
    this.#write();
    this.#settleFlushes();
    this.#tellRoom();
  }

  #failed(error: CrawlError, pages: PagesToWrite): void {
    const { isNew, isForGood } = this.#failures.add(error);
    this.#isBroken = isForGood;
    if (this.#isBroken || isNew) this.#parts.failed(error);
    if (this.#isBroken) this.#tellRoom();
    else {
      // A thread that died may have written the rows before.
      const again = pages.rows.map(numberOf);
      this.#writing = { ...pages, again };
      this.#timer = this.#parts.clock.after(AGAIN_MS, () => this.#run({ ...pages, again }));
    }
    this.#settleFlushes();
  }

  #settleFlushes(): void {
    const first = this.#flushes.findIndex(({ upTo }) => upTo > this.#writtenCount);
    const { trouble } = this;
    const isAll = trouble !== null || first < 0;
    const due = this.#flushes.splice(0, isAll ? this.#flushes.length : first);
    for (const { done } of due) done(trouble);
  }

  /** How many batches were taken to be written. */
  get #takenCount(): number {
    return this.#sealedCount - this.#sealed.length;
  }

  #tellDue(): void {
    if (this.#isDueTold) return;
    this.#isDueTold = true;
    this.#parts.clock.after(0, this.#parts.due);
  }

  #tellRoom(): void {
    if (!this.hasRoom) return;
    for (const callback of this.#waiting.splice(0)) callback();
  }
}
