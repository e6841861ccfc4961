/**
 * A table of fingerprints of fixed size that evicts: each fingerprint belongs to one bucket of
 * eight slots, and when the bucket is full, another is evicted. The owner decides which one. It
 * also keeps what belongs to each fingerprint, in columns indexed by slot, and knows which slots
 * are in use. Slots never move.
 *
 * Invariant: no two slots have the same fingerprint, since an owner puts one only after `find` did
 * not find it; a slot that is no longer in use keeps its fingerprint until it is reused.
 */
import assert from "node:assert/strict";
import { FingerprintSlots } from "./fingerprint-slots.ts";

export const BUCKET_SLOTS = 8;

/** Returned for a fingerprint that is in no slot. */
export const NO_SLOT = -1;

export class FingerprintCache {
  readonly #slots: FingerprintSlots;

  /** `slots` is a power of two and at least `BUCKET_SLOTS`. */
  constructor(slots: number) {
    assert(slots >= BUCKET_SLOTS, "there is a whole bucket");
    this.#slots = new FingerprintSlots(slots);
  }

  get memoryBytes(): number {
    return this.#slots.memoryBytes;
  }

  /** The first slot of the bucket in which the fingerprint may be. */
  bucketOf(high: number, low: number): number {
    return this.#slots.homeOf(high, low) & -BUCKET_SLOTS;
  }

  /** The slot of a fingerprint, in use or not; `NO_SLOT` when it was never put, or was evicted. */
  find(high: number, low: number): number {
    return this.#slots.findAmong(this.bucketOf(high, low), BUCKET_SLOTS, high, low);
  }

  high(slot: number): number {
    return this.#slots.high(slot);
  }

  low(slot: number): number {
    return this.#slots.low(slot);
  }

  /** The slot is in the bucket of the fingerprint, and no other slot has the fingerprint. */
  put(slot: number, high: number, low: number): void {
    this.#slots.put(slot, high, low);
  }
}
