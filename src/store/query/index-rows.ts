/**
 * What the page index adds to the lines of the crawl log: title, language, what a page repeats, the
 * shortest distance from a seed. Numbers of the index are nearly in the order of the log, so a window
 * of rows moves along with the lines; a page that is not in the window is looked up by its key.
 *
 * Lines behind the index's mark have no rows yet: the *tail*, at most a few seconds of a crawl.
 */
import { answered, type Clock, type Storage } from "../../base/seams/index.ts";
import type { PageRow } from "../export/index.ts";
import type { NumberedPage, PageIndex, Tally } from "../index/index.ts";
import { type KeptText, type TextPlace, TextView } from "../texts/index.ts";
import { pageRow, rowOf } from "./line-row.ts";
import { logSteps } from "./log-steps.ts";

/** A row, and whether it has all that the crawl knows of the page, or only what the log says. */
export interface FoundRow {
  readonly row: PageRow;
  readonly isWhole: boolean;
}

const ROWS_AT_ONCE = 1000;
const WINDOW_MAX = 4 * ROWS_AT_ONCE;

/** Pages that are looked up one after the other need not look at the log each time. */
const LOOK_AGAIN_MS = 100;

export interface IndexRowsParts {
  readonly index: PageIndex;
  readonly storage: Storage;
  readonly clock: Clock;
  /** What a URL is compared by; null for what is not a URL. */
  readonly keyOf: (url: string) => string | null;
}

/** How many steps with pages are looked at: rows may be in another order than lines, by a few. */
const OWN_STEPS = 2;

export class IndexRows {
  readonly #index: PageIndex;
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #keyOf: (url: string) => string | null;
  /** By key, in the order of their numbers. */
  readonly #window = new Map<string, NumberedPage>();
  #windowEnd = 0;
  readonly #texts: TextView;
  /** Where the texts of the rows are that were given out. */
  readonly #places = new WeakMap<PageRow, TextPlace>();
  /** Rows of the tail, by key, and which part of the log they are from. */
  readonly #tail = new Map<string, PageRow>();
  #tailEnd = 0;
  #tailReadAtMs = Number.NEGATIVE_INFINITY;
  /** Shared by all who ask meanwhile. */
  #tailReading: Promise<void> | null = null;

  constructor({ index, storage, clock, keyOf }: IndexRowsParts) {
    this.#index = index;
    this.#storage = storage;
    this.#texts = new TextView(storage);
    this.#clock = clock;
    this.#keyOf = keyOf;
  }

  /** Lines of the crawl log before this position have their rows. */
  logged(): Promise<number> {
    return answered<number>((done) => this.#index.logged(done));
  }

  tally(): Promise<Tally> {
    return answered<Tally>((done) => this.#index.stats(done));
  }

  /**
   * Whether the index is that of this crawl: its first page is among the first of the log. Many lines may
   * come before these that are of no page: tries that failed, and pages that a rebuild has lost.
   */
  async isOwn(): Promise<boolean> {
    const [first] = await this.#rowsAfter(null, 1);
    if (first === undefined) return true;
    let stepsLeft = OWN_STEPS;
    for await (const { lines } of logSteps(this.#storage, 0)) {
      const rows = lines.map(rowOf).filter((row) => row !== null);
      const isFirst = ({ url, fetchedAt }: PageRow): boolean =>
        url === first.url && fetchedAt === first.fetchedAt;
      if (rows.some(isFirst)) return true;
      if (rows.length > 0) stepsLeft -= 1;
      if (stepsLeft === 0) return false;
    }
    return false;
  }

  /** The page with this URL. */
  async find(url: string): Promise<FoundRow | null> {
    const key = this.#keyOf(url);
    if (key === null) return null;
    await this.#lookAtTail();
    const newest = this.#tail.get(key);
    if (newest !== undefined) return { row: newest, isWhole: false };
    const page = await this.#get(key);
    return page === null ? null : { row: this.#rowOf(page), isWhole: true };
  }

  /** The row with what the index knows of the same fetch; null when it has no such row. */
  async enriched(row: PageRow): Promise<PageRow | null> {
    const key = this.#keyOf(row.url);
    if (key === null) return null;
    const page = this.#window.get(key) ?? (await this.#moveTo(key));
    if (page === null || page.fetchedAt !== row.fetchedAt) return null;
    this.#window.delete(key);
    return this.#rowOf(page);
  }

  /** The text that the crawl has kept of a row of the index; null when it has not. */
  async text(row: PageRow): Promise<KeptText | null> {
    const place = this.#places.get(row);
    if (place === undefined) return null;
    return await answered<KeptText | null>((done) => this.#texts.textOf(place, row.url, done));
  }

  close(): Promise<void> {
    return answered((done) => this.#index.close(done));
  }

  #rowOf(page: NumberedPage): PageRow {
    const row = pageRow(page);
    const { textBlock: block, textEntry: entry } = page;
    if (block !== null && entry !== null) this.#places.set(row, { block, entry });
    return row;
  }

  /** Rows ahead of the window come in turn; otherwise the window begins where the page is. */
  async #moveTo(key: string): Promise<NumberedPage | null> {
    if (this.#windowEnd > 0) {
      await this.#readOn();
      const near = this.#window.get(key);
      if (near !== undefined) return near;
    }
    const page = await this.#get(key);
    if (page !== null && page.number > this.#windowEnd) {
      this.#window.clear();
      this.#windowEnd = page.number;
      await this.#readOn();
    }
    return page;
  }

  async #readOn(): Promise<void> {
    for (const page of await this.#rowsAfter(this.#windowEnd, ROWS_AT_ONCE)) {
      this.#window.set(page.key, page);
      this.#windowEnd = page.number;
    }
    for (const oldest of this.#window.keys()) {
      if (this.#window.size <= WINDOW_MAX) break;
      this.#window.delete(oldest);
    }
  }

  #lookAtTail(): Promise<void> | null {
    if (this.#clock.nowMs() - this.#tailReadAtMs < LOOK_AGAIN_MS) return null;
    this.#tailReading ??= this.#readTail().finally(() => {
      this.#tailReading = null;
    });
    return this.#tailReading;
  }

  async #readTail(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const logged = await this.logged();
    if (logged >= this.#tailEnd) {
      this.#tail.clear();
      this.#tailEnd = logged;
    }
    for await (const { lines, end } of logSteps(this.#storage, this.#tailEnd)) {
      for (const line of lines) {
        const row = rowOf(line);
        const key = row === null ? null : this.#keyOf(row.url);
        if (row !== null && key !== null) this.#tail.set(key, row);
      }
      this.#tailEnd = end;
    }
    this.#tailReadAtMs = nowMs;
  }

  #get(key: string): Promise<NumberedPage | null> {
    return answered<NumberedPage | null>((done) => this.#index.get(key, done));
  }

  #rowsAfter(after: number | null, limit: number): Promise<readonly NumberedPage[]> {
    return answered((done) => this.#index.pages({ after, limit }, done));
  }
}
