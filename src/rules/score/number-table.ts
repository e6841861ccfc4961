/**
 * Numbers by fingerprint, as many as fit: the memory of a score, of a bounded size. Where a bucket of
 * the cache is full and it cannot grow, the smallest number is replaced. So what scores high is remembered, and what
 * is forgotten starts again at 0.
 */
import { BUCKET_SLOTS, FingerprintCache, NO_SLOT } from "../../base/fingerprints/index.ts";

const TRIPLE = 3;
const TRIPLE_BYTES = TRIPLE * Uint32Array.BYTES_PER_ELEMENT;

const FIRST_SLOTS = 1024;

export class NumberTable {
  readonly #slotsMax: number;
  #cache: FingerprintCache;
  /** 0 marks a free slot, which is as good as a number of 0. */
  #numbers: Float32Array;

  /** `slotsMax`, a power of two, take 12 bytes each; there are fewer until a bucket is full. */
  constructor(slotsMax: number) {
    const slots = Math.min(FIRST_SLOTS, slotsMax);
    this.#slotsMax = slotsMax;
    this.#cache = new FingerprintCache(slots);
    this.#numbers = new Float32Array(slots);
  }

  get(high: number, low: number): number {
    const slot = this.#cache.find(high, low);
    return slot === NO_SLOT ? 0 : (this.#numbers[slot] as number);
  }

  /** Adds to the number of a fingerprint, and returns the sum. */
  add(high: number, low: number, more: number): number {
    const known = this.#cache.find(high, low);
    const slot = known === NO_SLOT ? this.#vacancy(high, low) : known;
    const number = (known === NO_SLOT ? 0 : (this.#numbers[slot] as number)) + more;
    this.#cache.put(slot, high, low);
    this.#numbers[slot] = number;
    return number;
  }

  /** Removes a number and returns it; 0 if there was none. */
  take(high: number, low: number): number {
    const slot = this.#cache.find(high, low);
    if (slot === NO_SLOT) return 0;
    const number = this.#numbers[slot] as number;
    this.#numbers[slot] = 0;
    return number;
  }

  /** All numbers, as triples of 32 bits: the halves of the fingerprint, the number. */
  save(): Uint8Array {
    const slots = this.#numbers.length;
    let used = 0;
    for (let slot = 0; slot < slots; slot += 1) if (this.#numbers[slot] !== 0) used += 1;
    const halves = new Uint32Array(used * TRIPLE);
    const numbers = new Float32Array(halves.buffer);
    let at = 0;
    for (let slot = 0; slot < slots; slot += 1) {
      if (this.#numbers[slot] === 0) continue;
      halves[at] = this.#cache.high(slot);
      halves[at + 1] = this.#cache.low(slot);
      numbers[at + 2] = this.#numbers[slot] as number;
      at += TRIPLE;
    }
    return new Uint8Array(halves.buffer);
  }

  /** Takes what a table has saved, of whatever size it was. */
  restore(saved: Uint8Array): void {
    const whole = saved.length - (saved.length % TRIPLE_BYTES);
    const { buffer } = Uint8Array.from(saved.subarray(0, whole));
    const halves = new Uint32Array(buffer);
    const numbers = new Float32Array(buffer);
    for (let at = 0; at < halves.length; at += TRIPLE) {
      this.add(halves[at] as number, halves[at + 1] as number, numbers[at + 2] as number);
    }
  }

  /** Where a number goes that has no slot: the place of another one only where all slots are there. */
  #vacancy(high: number, low: number): number {
    for (;;) {
      const slot = this.#smallest(this.#cache.bucketOf(high, low));
      if (this.#numbers[slot] === 0 || this.#numbers.length === this.#slotsMax) return slot;
      this.#double();
    }
  }

  /** What was in one bucket is in two, so that it fits. */
  #double(): void {
    const [cache, numbers] = [this.#cache, this.#numbers];
    this.#cache = new FingerprintCache(2 * numbers.length);
    this.#numbers = new Float32Array(2 * numbers.length);
    for (const [slot, number] of numbers.entries()) {
      if (number === 0) continue;
      const [high, low] = [cache.high(slot), cache.low(slot)];
      const place = this.#smallest(this.#cache.bucketOf(high, low));
      this.#cache.put(place, high, low);
      this.#numbers[place] = number;
    }
  }

  #smallest(from: number): number {
    let smallest = from;
    for (let slot = from + 1; slot < from + BUCKET_SLOTS; slot += 1) {
      if ((this.#numbers[slot] as number) < (this.#numbers[smallest] as number)) smallest = slot;
    }
    return smallest;
  }
}
