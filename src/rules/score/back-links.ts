/**
 * The back-link count while crawling: a URL's priority is the number of pages seen so far that link
 * to it. (Cho, Garcia-Molina, Page: Efficient crawling through URL ordering, 1998.)
 *
 * A page counts once for a URL, however often it links to it; it is told from others by its number,
 * which is kept for the last page that linked to each of many URLs.
 */
import { NumberTable } from "./number-table.ts";
import type { Score, ScoredLink } from "./score.ts";

/** 12 MiB, for a million URLs. */
const PLACES = 1 << 20;
/** Places for what the page at hand has linked to so far: pages with more links are rare. */
const SEEN_PLACES = 1 << 14;

export class BackLinks implements Score {
  readonly #counts: NumberTable;
  /** By a part of the fingerprint: the rest of it, and the page that linked to it last. */
  readonly #seenHighs = new Uint32Array(SEEN_PLACES);
  readonly #seenLows = new Uint32Array(SEEN_PLACES);
  readonly #seenPages = new Float64Array(SEEN_PLACES);
  #page = 1;

  constructor(places: number = PLACES) {
    this.#counts = new NumberTable(places);
  }

  pageFetched(): void {
    this.#page += 1;
  }

  priorityOf({ high, low }: ScoredLink): number {
    return this.#wasSeen(high, low) ? this.#counts.get(high, low) : this.#counts.add(high, low, 1);
  }

  /** Whether this page has linked there before; it does from now on. */
  #wasSeen(high: number, low: number): boolean {
    const place = low & (SEEN_PLACES - 1);
    const isSame = this.#seenHighs[place] === high && this.#seenLows[place] === low;
    const wasSeen = isSame && this.#seenPages[place] === this.#page;
    this.#seenHighs[place] = high;
    this.#seenLows[place] = low;
    this.#seenPages[place] = this.#page;
    return wasSeen;
  }
}
