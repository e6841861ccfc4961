/** Counts of URLs: how many came out of the sieve, how many ended, and why some were refused. */
import assert from "node:assert/strict";
import type { FrontierRefusal } from "../frontier.ts";

export interface SavedTally {
  readonly open: number;
  readonly refused: Readonly<Partial<Record<FrontierRefusal, number>>>;
}

export class Tally {
  readonly #refused = new Map<FrontierRefusal, number>();
  #open = 0;

  /** URLs that came out of the sieve and have not ended. */
  get open(): number {
    return this.#open;
  }

  get refusals(): Readonly<Partial<Record<FrontierRefusal, number>>> {
    return Object.fromEntries(this.#refused);
  }

  save(): SavedTally {
    return { open: this.#open, refused: this.refusals };
  }

  restore({ open, refused }: SavedTally): void {
    this.#open = open;
    for (const [reason, count] of Object.entries(refused)) {
      this.#refused.set(reason as FrontierRefusal, count);
    }
  }

  taken(count: number): void {
    this.#open += count;
  }

  /** URLs that were fetched for good, or given up. */
  ended(count: number): void {
    this.#open -= count;
    assert(this.#open >= 0, "no URL ends twice");
  }

  refused(reason: FrontierRefusal, count: number): void {
    if (count === 0) return;
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + count);
    this.ended(count);
  }

  /** A URL that was refused before it could be taken. */
  turnedAway(reason: FrontierRefusal): void {
    this.taken(1);
    this.refused(reason, 1);
  }
}
