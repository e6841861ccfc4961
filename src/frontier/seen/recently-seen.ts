/**
 * A table of fixed size that remembers which URLs passed a moment ago, so that most repetitions are
 * dropped before anything is asked of disk or network. It may forget; it never takes one URL for
 * another, unless their fingerprints are equal.
 *
 * Entries have reference bits (Crawler.NET, §5.3.1): a hit sets the bit; when room is needed a hand
 * goes round the table, clears the bits it meets and evicts the first entry without one. So what is
 * met again and again stays, at the cost of one bit, and an insertion costs a few steps, while
 * clearing the table of all unreferenced entries at once would hold the lane up.
 *
 * A URL met at a smaller depth than remembered is no repetition: with a depth limit its links may
 * now be wanted. Chains of entries hang from buckets; everything is in typed arrays.
 */
import assert from "node:assert/strict";

const NONE = -1;
const DEPTH_MAX = 0xffff;

export class RecentlySeen {
  readonly #highs: Uint32Array;
  readonly #lows: Uint32Array;
  readonly #depths: Uint16Array;
  readonly #isReferenced: Uint8Array;
  /** The next entry of the same bucket. */
  readonly #next: Int32Array;
  readonly #buckets: Int32Array;
  #count = 0;
  /** The entry that is looked at first when room is needed. */
  #hand = 0;

  /** How many URLs are remembered at most; 23 to 27 bytes for each. */
  constructor(capacity: number) {
    assert(capacity >= 1, "a table remembers something");
    this.#highs = new Uint32Array(capacity);
    this.#lows = new Uint32Array(capacity);
    this.#depths = new Uint16Array(capacity);
    this.#isReferenced = new Uint8Array(capacity);
    this.#next = new Int32Array(capacity);
    this.#buckets = new Int32Array(2 ** Math.ceil(Math.log2(capacity * 1.5))).fill(NONE);
  }

  /** How many URLs are remembered. */
  get count(): number {
    return this.#count;
  }

  get memoryBytes(): number {
    const columns = [this.#highs, this.#lows, this.#depths, this.#isReferenced, this.#next];
    return columns.reduce((sum, { byteLength }) => sum + byteLength, this.#buckets.byteLength);
  }

  get capacity(): number {
    return this.#highs.length;
  }

  /**
   * Meets a URL by the halves of its fingerprint and remembers it. True when it was remembered
   * already, at no greater depth: then it may be dropped. Depths beyond 65,535 count as that.
   */
  meet(high: number, low: number, depth: number): boolean {
    const bounded = depth < DEPTH_MAX ? depth : DEPTH_MAX;
    const bucket = low & (this.#buckets.length - 1);
    for (let at = this.#buckets[bucket] as number; at !== NONE; at = this.#next[at] as number) {
      if (this.#lows[at] !== low || this.#highs[at] !== high) continue;
      this.#isReferenced[at] = 1;
      if (bounded >= (this.#depths[at] as number)) return true;
      this.#depths[at] = bounded;
      return false;
    }
    const entry = this.#room();
    this.#highs[entry] = high;
    this.#lows[entry] = low;
    this.#depths[entry] = bounded;
    this.#isReferenced[entry] = 0;
    this.#next[entry] = this.#buckets[bucket] as number;
    this.#buckets[bucket] = entry;
    return false;
  }

  /** A free entry, taken from another URL when there is none. */
  #room(): number {
    if (this.#count < this.capacity) {
      this.#count += 1;
      return this.#count - 1;
    }
    let entry = this.#hand;
    while (this.#isReferenced[entry] === 1) {
      this.#isReferenced[entry] = 0;
      entry = entry + 1 === this.capacity ? 0 : entry + 1;
    }
    this.#hand = entry + 1 === this.capacity ? 0 : entry + 1;
    this.#unlink(entry);
    return entry;
  }

  #unlink(entry: number): void {
    const bucket = (this.#lows[entry] as number) & (this.#buckets.length - 1);
    const first = this.#buckets[bucket] as number;
    const after = this.#next[entry] as number;
    if (first === entry) {
      this.#buckets[bucket] = after;
      return;
    }
    let before = first;
    while (this.#next[before] !== entry) before = this.#next[before] as number;
    this.#next[before] = after;
  }
}
