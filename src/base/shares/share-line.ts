/**
 * Items that wait for a slot, by key. Keys take turns; items of one key are served in order of
 * arrival. Quick keys go before crowded ones and those before slow ones, except that after seven
 * turns in which a key was passed over, one turn begins at the other end: keys at the back are
 * delayed, never starved.
 *
 * Invariant: a key with waiting items is in exactly one of the three lines. It may be in the wrong
 * one after its precedence changed; that is corrected when its turn comes, and by `settle`.
 */
import type { Precedence, ShareLedger } from "./share-ledger.ts";

const ORDER: readonly Precedence[] = ["quick", "crowded", "slow"];
const BACKWARDS: readonly Precedence[] = ["slow", "crowded", "quick"];
/** How many turns may pass over waiting keys before one begins at the other end. */
const PASSES_MAX = 7;

export class ShareLine<Item> {
  readonly #ledger: ShareLedger;
  readonly #waiting = new Map<string, Set<Item>>();
  /** Keys, the next one first. */
  readonly #lines: Readonly<Record<Precedence, Set<string>>> = {
    quick: new Set(),
    crowded: new Set(),
    slow: new Set(),
  };
  #size = 0;
  #passes = 0;

  constructor(ledger: ShareLedger) {
    this.#ledger = ledger;
  }

  get size(): number {
    return this.#size;
  }

  /** Whether a quick key waits. */
  get hasQuick(): boolean {
    return this.#firstOf("quick") !== null;
  }

  /** Whether `take` would give something. */
  has(withSlow: boolean): boolean {
    if (this.#size === 0) return false;
    if (withSlow || this.hasQuick) return true;
    return this.#firstOf("crowded") !== null;
  }

  offer(key: string, item: Item): void {
    const items = this.#waiting.get(key);
    if (items === undefined) {
      this.#waiting.set(key, new Set([item]));
      this.#lines[this.#ledger.precedenceOf(key)].add(key);
    } else items.add(item);
    this.#size += 1;
  }

  /** Removes an item; nothing happens when it does not wait. */
  remove(key: string, item: Item): void {
    const items = this.#waiting.get(key);
    if (items === undefined || !items.delete(item)) return;
    this.#size -= 1;
    if (items.size === 0) this.#forget(key);
  }

  /** The next item; undefined when none waits. Without `withSlow`, slow keys are never served. */
  take(withSlow: boolean): Item | undefined {
    if (this.#size === 0) return undefined;
    if (this.#lines.crowded.size + this.#lines.slow.size === 0) this.#passes = 0;
    const isBackwards = this.#passes === PASSES_MAX;
    this.#passes = isBackwards ? 0 : this.#passes + 1;
    const first = isBackwards ? this.#takeIn(BACKWARDS, withSlow) : undefined;
    return first ?? this.#takeIn(ORDER, withSlow);
  }

  /** To be called after a slot of this key was released or work was noted for it. */
  settle(key: string): void {
    if (!this.#waiting.has(key)) return;
    const precedence = this.#ledger.precedenceOf(key);
    if (this.#lines[precedence].has(key)) return;
    for (const line of ORDER) this.#lines[line].delete(key);
    this.#lines[precedence].add(key);
  }

  #takeIn(order: readonly Precedence[], withSlow: boolean): Item | undefined {
    for (const precedence of order) {
      const key = precedence === "slow" && !withSlow ? null : this.#firstOf(precedence);
      if (key !== null) return this.#takeFrom(key);
    }
    return undefined;
  }

  /** The first key that still belongs to this line or an earlier one; moves the others. */
  #firstOf(precedence: Precedence): string | null {
    for (const key of this.#lines[precedence]) {
      const now = this.#ledger.precedenceOf(key);
      if (ORDER.indexOf(now) <= ORDER.indexOf(precedence)) return key;
      this.#lines[precedence].delete(key);
      this.#lines[now].add(key);
    }
    return null;
  }

  #takeFrom(key: string): Item | undefined {
    const items = this.#waiting.get(key) as Set<Item>;
    for (const item of items) {
      this.remove(key, item);
      // The key goes to the end of its line.
      for (const precedence of ORDER) {
        if (this.#lines[precedence].delete(key)) this.#lines[precedence].add(key);
      }
      return item;
    }
    return undefined;
  }

  #forget(key: string): void {
    this.#waiting.delete(key);
    for (const precedence of ORDER) this.#lines[precedence].delete(key);
  }
}
