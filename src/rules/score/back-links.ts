/**
 * The back-link count while crawling: a URL's priority is the number of pages seen so far that link
 * to it. (Cho, Garcia-Molina, Page: Efficient crawling through URL ordering, 1998.)
 *
 * A page counts once for a URL, however often it links to it.
 */
import { FingerprintTable } from "../../base/fingerprints/index.ts";
import { NumberTable } from "./number-table.ts";
import type { Score, ScoredLink } from "./score.ts";

/** 12 MiB, for a million URLs. */
const SLOTS = 1 << 20;

export class BackLinks implements Score {
  readonly #counts: NumberTable;
  /** What the page at hand has linked to so far. */
  #linked = new FingerprintTable(null);

  constructor(slots: number = SLOTS) {
    this.#counts = new NumberTable(slots);
  }

  pageFetched(): void {
    if (this.#linked.count > 0) this.#linked = new FingerprintTable(null);
  }

  priorityOf({ high, low }: ScoredLink): number {
    if (this.#linked.has(high, low)) return this.#counts.get(high, low);
    this.#linked.set(high, low);
    return this.#counts.add(high, low, 1);
  }

  save(): Uint8Array {
    return this.#counts.save();
  }

  restore(saved: Uint8Array): void {
    this.#counts.restore(saved);
  }
}
