/**
 * The limit on pages of a crawl with several lanes, as its desk keeps it: lanes take places from what it
 * has handed out (`shared-limits.ts`). Another limit, while the crawl runs, hands out more or takes back.
 */
import type { SharedNumbers } from "./shared-limits.ts";

export class PagePlaces {
  readonly #numbers: Pick<SharedNumbers, "addPlaces" | "pages">;
  /** Pages of earlier runs, which have used their places. */
  readonly #before: number;
  /** Places that were ever handed out, those of earlier runs included. */
  #given: number;
  #limit: number | null = null;

  constructor(numbers: Pick<SharedNumbers, "addPlaces" | "pages">, before: number) {
    this.#numbers = numbers;
    this.#before = before;
    this.#given = before;
  }

  /** Null for none; then lanes take no places. */
  set limit(pages: number | null) {
    if (pages !== null) {
      this.#numbers.addPlaces(pages - this.#given);
      this.#given = pages;
    }
    this.#limit = pages;
  }

  /** Whether there are as many pages as there may be. */
  get areUsed(): boolean {
    return this.#limit !== null && this.#before + this.#numbers.pages >= this.#limit;
  }
}
