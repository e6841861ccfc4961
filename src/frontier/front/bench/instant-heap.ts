/**
 * Numbers ordered by an instant, the earliest first; those of one instant in the order in which they
 * were put there. It is one of the heaps of `seat-heaps.ts`, with its first number and its size.
 */
import assert from "node:assert/strict";
import { NONE, SeatHeaps } from "./seat-heaps.ts";

export class InstantHeap {
  readonly #heaps = new SeatHeaps();
  #first = NONE;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The earliest instant; Infinity when the heap is empty. */
  get firstAtMs(): number {
    return this.#first === NONE ? Number.POSITIVE_INFINITY : this.#heaps.atMs(this.#first);
  }

  /** The number of the earliest instant; only when the heap is not empty. */
  get first(): number {
    assert(this.#first !== NONE, "an empty heap has no first");
    return this.#first;
  }

  has(number: number): boolean {
    return this.#heaps.has(number);
  }

  /** Puts a number in, or gives it another instant; either way it is the last of that instant. */
  put(number: number, atMs: number): void {
    this.remove(number);
    this.#first = this.#heaps.put(this.#first, number, atMs);
    this.#size += 1;
  }

  /** Takes a number out; nothing happens when it is not inside. */
  remove(number: number): void {
    if (!this.#heaps.has(number)) return;
    this.#first = this.#heaps.remove(this.#first, number);
    this.#size -= 1;
  }
}
