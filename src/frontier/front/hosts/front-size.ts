/**
 * How many hosts the front should have. The number grows each time a connection has nothing to do
 * although the front has as many hosts as required; it never shrinks, and is bounded by memory alone.
 * How many records a visit state holds in memory follows from it.
 * (After BUbiNG's required front.)
 */

/** The initial size; a small crawl never needs more. */
const FRONT_FIRST = 500;
/** It grows by an eighth each time, but at least by this many hosts. */
const GROWTH_MIN = 50;
/** What a record takes on average, with its frame. */
const RECORD_BYTES = 128;
const WINDOW_MIN = 4;
const WINDOW_MAX = 64;

export class FrontSize {
  #memoryBytes: number;
  #required = FRONT_FIRST;

  constructor(memoryBytes: number) {
    this.#memoryBytes = memoryBytes;
  }

  /** What visit states may take from now on. */
  set memoryBytes(memoryBytes: number) {
    this.#memoryBytes = memoryBytes;
  }

  get required(): number {
    return this.#required;
  }

  hasMemory(heldBytes: number): boolean {
    return heldBytes < this.#memoryBytes;
  }

  /** A connection had nothing to do with this many hosts in the front. */
  hungry(front: number): void {
    if (front >= this.#required) this.#required += Math.max(GROWTH_MIN, this.#required >> 3);
  }

  /** The most records that a visit state has in memory: half of the memory, shared by the front. */
  get windowRecords(): number {
    const share = this.#memoryBytes / 2 / this.#required / RECORD_BYTES;
    return Math.min(WINDOW_MAX, Math.max(WINDOW_MIN, Math.floor(share)));
  }
}
