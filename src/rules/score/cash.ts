/**
 * Cash: each seed begins with 1; a page that is fetched shares what it has among its links; what a
 * URL was given while it waited is its importance. (After Abiteboul, Preda, Cobena: Adaptive on-line
 * page importance computation, 2003; here no page is fetched again, so cash that reaches a fetched
 * page stays there.)
 *
 * Cash spans many orders of magnitude and bands only seven doublings, so a priority is made of its
 * cube root: 64 for a whole seed's cash, and a band is a factor of eight.
 */
import { NumberTable } from "./number-table.ts";
import type { Score, ScoredLink, ScoredPage } from "./score.ts";

/** 12 MiB, for a million URLs. */
const SLOTS = 1 << 20;
const SEED_CASH = 1;
const SEED_PRIORITY = 64;

export class Cash implements Score {
  readonly #cash: NumberTable;
  #share = 0;

  constructor(slots: number = SLOTS) {
    this.#cash = new NumberTable(slots);
  }

  pageFetched({ high, low, isSeed, links }: ScoredPage): void {
    const cash = this.#cash.take(high, low) + (isSeed ? SEED_CASH : 0);
    this.#share = links === 0 ? 0 : cash / links;
  }

  priorityOf({ high, low }: ScoredLink): number {
    return SEED_PRIORITY * Math.cbrt(this.#cash.add(high, low, this.#share));
  }

  save(): Uint8Array {
    return this.#cash.save();
  }

  restore(saved: Uint8Array): void {
    this.#cash.restore(saved);
  }
}
