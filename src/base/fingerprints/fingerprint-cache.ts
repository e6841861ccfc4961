/**
 * Fingerprints in a table of fixed size that forgets: each has its place in one bucket of eight
 * slots, and where a bucket is full, one of them gives way. Which one, and what belongs to a
 * fingerprint, is the owner's business: it has columns by slot, and knows by them which slots are
 * in use. Slots never move.
 *
 * Invariant: no two slots have the same fingerprint, since an owner puts one only where `find` has
 * not found it; a slot that is no longer in use keeps its fingerprint until then.
 */
import assert from "node:assert/strict";
import { FingerprintSlots } from "./fingerprint-slots.ts";

/** Slots of a bucket. */
export const BUCKET_SLOTS = 8;

/** Answered for a fingerprint that no slot has. */
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

  /** The slot of a fingerprint, in use or not; `NO_SLOT` when it was never put, or gave way. */
  find(high: number, low: number): number {
    return this.#slots.findAmong(this.bucketOf(high, low), BUCKET_SLOTS, high, low);
  }

  /** The slot is one of the bucket of the fingerprint, which is in no other. */
  put(slot: number, high: number, low: number): void {
    this.#slots.put(slot, high, low);
  }
}
