/**
 * A table of fixed size that remembers which URLs passed a moment ago, so that most repetitions are
 * dropped before anything is asked of disk or network. It may forget; it never takes one URL for
 * another, unless their fingerprints are equal.
 *
 * Entries have reference bits (Crawler.NET, §5.3.1): a hit sets the bit; when a bucket of the cache
 * is full, its hand goes round, clears the bits it meets and evicts the first entry without one. So
 * what is met often stays, at the cost of one bit, and an insertion takes a few steps, while clearing
 * all unreferenced entries at once would block the lane.
 *
 * A URL met at a smaller depth than remembered is not a repetition: with a depth limit its links may
 * now be wanted.
 */
import { BUCKET_SLOTS, FingerprintCache, NO_SLOT } from "../../base/fingerprints/index.ts";

const DEPTH_MAX = 0xffff;

/** What is in a slot. */
const NOTHING = 0;
const MET = 1;
const MET_AGAIN = 2;

export class RecentlySeen {
  #cache: FingerprintCache;
  #depths: Uint16Array;
  #states: Uint8Array;
  /** By bucket: which of its slots is looked at first when room is needed. */
  #hands: Uint8Array;

  /** How many URLs are remembered, rounded up to a power of two; 11 bytes for each. */
  constructor(capacity: number) {
    const slots = slotsFor(capacity);
    this.#cache = new FingerprintCache(slots);
    this.#depths = new Uint16Array(slots);
    this.#states = new Uint8Array(slots);
    this.#hands = new Uint8Array(slots / BUCKET_SLOTS);
  }

  /** Another capacity; if that is another size, everything is forgotten. */
  resize(capacity: number): void {
    const slots = slotsFor(capacity);
    if (slots === this.#states.length) return;
    this.#cache = new FingerprintCache(slots);
    this.#depths = new Uint16Array(slots);
    this.#states = new Uint8Array(slots);
    this.#hands = new Uint8Array(slots / BUCKET_SLOTS);
  }

  get memoryBytes(): number {
    const columnBytes = this.#depths.byteLength + this.#states.byteLength + this.#hands.byteLength;
    return this.#cache.memoryBytes + columnBytes;
  }

  /**
   * Meets a URL by the halves of its fingerprint and remembers it. True when it was remembered
   * already, at no greater depth: then it may be dropped. Depths beyond 65,535 count as that.
   */
  meet(high: number, low: number, depth: number): boolean {
    const bounded = depth < DEPTH_MAX ? depth : DEPTH_MAX;
    const known = this.#cache.find(high, low);
    if (known !== NO_SLOT && this.#states[known] !== NOTHING) {
      this.#states[known] = MET_AGAIN;
      if (bounded >= (this.#depths[known] as number)) return true;
      this.#depths[known] = bounded;
      return false;
    }
    const slot = this.#room(this.#cache.bucketOf(high, low));
    this.#cache.put(slot, high, low);
    this.#depths[slot] = bounded;
    this.#states[slot] = MET;
    return false;
  }

  /** A slot of the bucket, taken from another URL when none is free. */
  #room(bucket: number): number {
    const number = bucket / BUCKET_SLOTS;
    let hand = this.#hands[number] as number;
    while (this.#states[bucket + hand] === MET_AGAIN) {
      this.#states[bucket + hand] = MET;
      hand = (hand + 1) % BUCKET_SLOTS;
    }
    this.#hands[number] = (hand + 1) % BUCKET_SLOTS;
    return bucket + hand;
  }
}

function slotsFor(capacity: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(BUCKET_SLOTS, capacity)));
}
