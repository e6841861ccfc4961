/**
 * What this agent may still use: the budget of its ledger, less what its pages have used, less what
 * fetches in flight have taken (M2).
 *
 * Invariant: a token is taken only if one is free, so pages and fetches never exceed the budget; bytes
 * do by what is in flight when the last are used.
 */
import assert from "node:assert/strict";
import { type Amounts, amountsOf, CURRENCIES, type Currency, isNothing, plus } from "./amounts.ts";
import type { Ledger } from "./ledger.ts";
import type { LimitTerms } from "./limit-terms.ts";

export class Account {
  readonly ledger: Ledger;
  terms: LimitTerms;
  #used: Amounts;
  /** Tokens of fetches in flight. */
  #taken = 0;

  /** `used`: by the pages that this disk has. */
  constructor(ledger: Ledger, terms: LimitTerms, used: Amounts) {
    this.ledger = ledger;
    this.terms = terms;
    this.#used = used;
  }

  get used(): Amounts {
    return this.#used;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Without a limit there is no end of it; negative if more was used than is there. */
  free(currency: Currency): number {
    if (this.terms[currency] === null) return Number.POSITIVE_INFINITY;
    const taken = currency === "pages" ? this.#taken : 0;
    return this.ledger.budget[currency] - this.#used[currency] - taken;
  }

  /** What could be given away. */
  get spare(): Amounts {
    return amountsOf((currency) => {
      const free = this.free(currency);
      return Number.isFinite(free) ? Math.max(0, free) : 0;
    });
  }

  get debt(): Amounts {
    return amountsOf((currency) => Math.max(0, -this.free(currency)));
  }

  get hasSpare(): boolean {
    return !isNothing(this.spare);
  }

  /** Whether a fetch may begin, as far as pages and bytes are limited. */
  get mayBegin(): boolean {
    return CURRENCIES.every((currency) => this.free(currency) > 0);
  }

  /** Takes tokens for fetches that begin: as many as there are, up to `count`. */
  take(count: number): number {
    const taken = this.mayBegin ? Math.min(count, this.free("pages")) : 0;
    this.#taken += taken;
    return taken;
  }

  /** Fetches have ended, and nothing that counts came of them. */
  putBack(count: number): void {
    assert(count <= this.#taken, "only what was taken is put back");
    this.#taken -= count;
  }

  /** Fetches have become pages; or something else has used bytes. */
  use(amounts: Amounts): void {
    assert(amounts.pages <= this.#taken, "a page has a token");
    this.#taken -= amounts.pages;
    this.#used = plus(this.#used, amounts);
  }
}
