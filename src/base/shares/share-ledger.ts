/**
 * How many slots are held for each key, and which keys were slow.
 *
 * A key is *crowded* while it holds its share of the slots, an eighth. It is *slow* from a slow turn
 * until the next quick one. Only slow keys are remembered, a bounded number of them.
 */
import assert from "node:assert/strict";

/** In the order in which they are served. */
export type Precedence = "quick" | "crowded" | "slow";

/** One key's share of the slots, as a divisor, and the least share that is worth counting. */
const SHARE_DIVISOR = 8;
const SHARE_MIN = 4;
const REMEMBERED_MAX = 20_000;

export class ShareLedger {
  share: number = SHARE_MIN;
  readonly #held = new Map<string, number>();
  /** The key that was slow longest ago comes first. */
  readonly #slow = new Set<string>();

  constructor(slots: number) {
    this.slots = slots;
  }

  /** There are this many from now on; what is held stays held. */
  set slots(slots: number) {
    this.share = Math.max(SHARE_MIN, Math.floor(slots / SHARE_DIVISOR));
  }

  precedenceOf(key: string): Precedence {
    if (this.isSlow(key)) return "slow";
    return this.heldFor(key) >= this.share ? "crowded" : "quick";
  }

  isSlow(key: string): boolean {
    return this.#slow.size > 0 && this.#slow.has(key);
  }

  heldFor(key: string): number {
    return this.#held.get(key) ?? 0;
  }

  hold(key: string): void {
    this.#held.set(key, this.heldFor(key) + 1);
  }

  release(key: string): void {
    const held = this.heldFor(key);
    assert(held > 0, "a slot is released once");
    if (held === 1) this.#held.delete(key);
    else this.#held.set(key, held - 1);
  }

  /** Records a piece of work that was done for this key. */
  note(key: string, wasSlow: boolean): void {
    if (this.#slow.size > 0) this.#slow.delete(key);
    if (wasSlow) this.#remember(key);
  }

  #remember(key: string): void {
    this.#slow.add(key);
    if (this.#slow.size <= REMEMBERED_MAX) return;
    for (const oldest of this.#slow) {
      this.#slow.delete(oldest);
      return;
    }
  }
}
