/**
 * How many slots are held for each key, and which keys were slow.
 *
 * A key is *crowded* while it holds its share of the slots, an eighth. It is *slow* when what was
 * done for it lately took long: one slow turn makes it so, and each quick one halves what is held
 * against it. Only keys that were slow are remembered, a bounded number of them.
 */
import assert from "node:assert/strict";

/** In the order in which they are served. */
export type Precedence = "quick" | "crowded" | "slow";

/** One key's share of the slots, as a divisor, and the least share that is worth counting. */
const SHARE_DIVISOR = 8;
const SHARE_MIN = 4;
/** From here on a key is slow; a slow turn takes it half of the way to 1. */
const SLOW_FROM = 0.5;
const FORGOTTEN_BELOW = 0.1;
const REMEMBERED_MAX = 20_000;

export class ShareLedger {
  readonly share: number;
  readonly #held = new Map<string, number>();
  /** Between 0 and 1; the key that was slow longest ago comes first. */
  readonly #slowness = new Map<string, number>();

  constructor(slots: number) {
    this.share = Math.max(SHARE_MIN, Math.floor(slots / SHARE_DIVISOR));
  }

  precedenceOf(key: string): Precedence {
    if (this.isSlow(key)) return "slow";
    return this.heldFor(key) >= this.share ? "crowded" : "quick";
  }

  isSlow(key: string): boolean {
    return this.#slowness.size > 0 && (this.#slowness.get(key) ?? 0) >= SLOW_FROM;
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

  /** Something was done for this key. */
  note(key: string, wasSlow: boolean): void {
    if (!wasSlow && this.#slowness.size === 0) return;
    const slowness = this.#slowness.get(key) ?? 0;
    if (wasSlow) this.#remember(key, (slowness + 1) / 2);
    else if (slowness >= 2 * FORGOTTEN_BELOW) this.#slowness.set(key, slowness / 2);
    else if (slowness > 0) this.#slowness.delete(key);
  }

  #remember(key: string, slowness: number): void {
    this.#slowness.delete(key);
    this.#slowness.set(key, slowness);
    if (this.#slowness.size <= REMEMBERED_MAX) return;
    for (const oldest of this.#slowness.keys()) {
      this.#slowness.delete(oldest);
      return;
    }
  }
}
