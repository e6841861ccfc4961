/**
 * Slots with one fingerprint each: the memory under every table of fingerprints. The halves of a
 * fingerprint lie side by side, so that a comparison touches one line of the processor's cache.
 * They are signed, since V8 compares such numbers as integers, and unsigned ones above 2^31 as
 * floating-point numbers.
 *
 * For the table above, a slot is a number by which it indexes columns of its own. Every slot has
 * the fingerprint 0 at first. The number of slots is a power of two.
 */
import assert from "node:assert/strict";

export const FINGERPRINT_BYTES = 8;

export class FingerprintSlots {
  readonly count: number;
  readonly #halves: Int32Array;
  readonly #mask: number;

  constructor(count: number) {
    assert((count & (count - 1)) === 0 && count > 0, "the number of slots is a power of two");
    this.count = count;
    this.#mask = count - 1;
    this.#halves = new Int32Array(2 * count);
  }

  get memoryBytes(): number {
    return this.#halves.byteLength;
  }

  /**
   * Where the search for a fingerprint begins. Fingerprints are hashes under a secret, so their
   * bits can be used as they are; both halves count, since a random walk numbers its URLs instead.
   */
  homeOf(high: number, low: number): number {
    return (low ^ Math.imul(high, 0x9e3779b1)) & this.#mask;
  }

  /** The slot after this one; after the last comes the first. */
  next(slot: number): number {
    return (slot + 1) & this.#mask;
  }

  /** How many steps it takes from one slot to the other. */
  distance(from: number, to: number): number {
    return (to - from) & this.#mask;
  }

  /** Whether the slot has the fingerprint 0. */
  isZero(slot: number): boolean {
    return this.#halves[2 * slot + 1] === 0 && this.#halves[2 * slot] === 0;
  }

  /**
   * The slot of a fingerprint other than 0; if there is none, -1 - slot for the first slot from its
   * home on that has 0. At least one slot has 0.
   */
  probe(high: number, low: number): number {
    const halves = this.#halves;
    const mask = this.#mask;
    for (let slot = this.homeOf(high, low); ; slot = (slot + 1) & mask) {
      const otherHigh = halves[2 * slot];
      const otherLow = halves[2 * slot + 1];
      if (otherLow === low && otherHigh === high) return slot;
      if (otherLow === 0 && otherHigh === 0) return -1 - slot;
    }
  }

  /** The first of `length` slots, beginning with `from`, that has the fingerprint; -1 if none. */
  findAmong(from: number, length: number, high: number, low: number): number {
    const halves = this.#halves;
    const signedHigh = high | 0;
    const signedLow = low | 0;
    for (let slot = from; slot < from + length; slot += 1) {
      if (halves[2 * slot + 1] === signedLow && halves[2 * slot] === signedHigh) return slot;
    }
    return -1;
  }

  put(slot: number, high: number, low: number): void {
    this.#halves[2 * slot] = high;
    this.#halves[2 * slot + 1] = low;
  }

  high(slot: number): number {
    return (this.#halves[2 * slot] as number) >>> 0;
  }

  low(slot: number): number {
    return (this.#halves[2 * slot + 1] as number) >>> 0;
  }
}
