/**
 * Counts of URLs: how many came out of the sieve, how many ended, why some were refused, and how many
 * another agent has. Every URL that came out of the sieve either waits, or has ended here, or is elsewhere.
 */
import assert from "node:assert/strict";
import type { FrontierRefusal } from "../frontier.ts";

export interface SavedTally {
  readonly open: number;
  /** Left out by earlier versions. */
  readonly elsewhere?: number;
  readonly refused: Readonly<Partial<Record<FrontierRefusal, number>>>;
}

export class Tally {
  readonly #refused = new Map<FrontierRefusal, number>();
  #open = 0;
  #elsewhere = 0;

  /** URLs that came out of the sieve and have not ended. */
  get open(): number {
    return this.#open;
  }

  /** URLs that came out of the sieve, and count where their host has gone, or where their page is. */
  get elsewhere(): number {
    return this.#elsewhere;
  }

  get refusals(): Readonly<Partial<Record<FrontierRefusal, number>>> {
    return Object.fromEntries(this.#refused);
  }

  save(): SavedTally {
    return { open: this.#open, elsewhere: this.#elsewhere, refused: this.refusals };
  }

  restore({ open, elsewhere = 0, refused }: SavedTally): void {
    this.#open = open;
    this.#elsewhere = elsewhere;
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

  /** A URL that waited is another agent's from now on, or has been fetched there. */
  leave(): void {
    this.ended(1);
    this.#elsewhere += 1;
  }

  /** A URL that was elsewhere waits here again. */
  comeBack(): void {
    this.#elsewhere = Math.max(0, this.#elsewhere - 1);
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
