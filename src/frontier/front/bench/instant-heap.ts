/**
 * Numbers ordered by an instant, the earliest first; those of one instant in the order in which they
 * were put there. A heap of four branches over typed arrays, keys beside the numbers: a step looks
 * at four neighbours in one line of the processor's cache, and nothing is allocated.
 *
 * Invariant: every number is inside at most once, and `#places` says where.
 */
import assert from "node:assert/strict";
import { grownFloats, grownInts } from "./growing-array.ts";

const BRANCHES_LOG2 = 2;
const OUTSIDE = 0;

export class InstantHeap {
  #size = 0;
  #puts = 0;
  /** By position in the heap. */
  #numbers: Int32Array = new Int32Array(16);
  #atMs: Float64Array = new Float64Array(16);
  #turns: Float64Array = new Float64Array(16);
  /** By number: its position plus one, so that a fresh array says "outside". */
  #places: Int32Array = new Int32Array(16);

  get size(): number {
    return this.#size;
  }

  /** The earliest instant; Infinity when nothing is inside. */
  get firstAtMs(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : (this.#atMs[0] as number);
  }

  /** The number of the earliest instant; only when something is inside. */
  get first(): number {
    assert(this.#size > 0, "an empty heap has no first");
    return this.#numbers[0] as number;
  }

  has(number: number): boolean {
    return number < this.#places.length && this.#places[number] !== OUTSIDE;
  }

  /** Puts a number in, or gives it another instant; either way it is the last of that instant. */
  put(number: number, atMs: number): void {
    if (number >= this.#places.length) this.#places = grownInts(this.#places, number + 1);
    const place = this.#places[number] as number;
    const turn = this.#puts;
    this.#puts += 1;
    if (place === OUTSIDE) {
      if (this.#size === this.#numbers.length) this.#grow();
      this.#size += 1;
      this.#rise(this.#size - 1, number, atMs, turn);
    } else if (atMs < (this.#atMs[place - 1] as number)) {
      this.#rise(place - 1, number, atMs, turn);
    } else {
      this.#sink(place - 1, number, atMs, turn);
    }
  }

  /** Takes a number out; nothing happens when it is not inside. */
  remove(number: number): void {
    if (!this.has(number)) return;
    const hole = (this.#places[number] as number) - 1;
    this.#places[number] = OUTSIDE;
    this.#size -= 1;
    const last = this.#size;
    if (hole === last) return;
    const moved = this.#numbers[last] as number;
    const atMs = this.#atMs[last] as number;
    const turn = this.#turns[last] as number;
    if (hole > 0 && this.#isBefore(atMs, turn, (hole - 1) >> BRANCHES_LOG2)) {
      this.#rise(hole, moved, atMs, turn);
    } else {
      this.#sink(hole, moved, atMs, turn);
    }
  }

  #isBefore(atMs: number, turn: number, position: number): boolean {
    const otherAtMs = this.#atMs[position] as number;
    return atMs < otherAtMs || (atMs === otherAtMs && turn < (this.#turns[position] as number));
  }

  #rise(from: number, number: number, atMs: number, turn: number): void {
    let hole = from;
    while (hole > 0) {
      const above = (hole - 1) >> BRANCHES_LOG2;
      if (!this.#isBefore(atMs, turn, above)) break;
      this.#move(above, hole);
      hole = above;
    }
    this.#set(hole, number, atMs, turn);
  }

  #sink(from: number, number: number, atMs: number, turn: number): void {
    let hole = from;
    for (;;) {
      const below = this.#earliestBelow(hole);
      if (below === -1 || this.#isBefore(atMs, turn, below)) break;
      this.#move(below, hole);
      hole = below;
    }
    this.#set(hole, number, atMs, turn);
  }

  #earliestBelow(position: number): number {
    const from = (position << BRANCHES_LOG2) + 1;
    if (from >= this.#size) return -1;
    const to = Math.min(from + (1 << BRANCHES_LOG2), this.#size);
    let best = from;
    for (let child = from + 1; child < to; child += 1) {
      if (this.#isBefore(this.#atMs[child] as number, this.#turns[child] as number, best)) {
        best = child;
      }
    }
    return best;
  }

  #move(from: number, to: number): void {
    this.#set(
      to,
      this.#numbers[from] as number,
      this.#atMs[from] as number,
      this.#turns[from] as number,
    );
  }

  #set(position: number, number: number, atMs: number, turn: number): void {
    this.#numbers[position] = number;
    this.#atMs[position] = atMs;
    this.#turns[position] = turn;
    this.#places[number] = position + 1;
  }

  #grow(): void {
    const length = this.#size + 1;
    this.#numbers = grownInts(this.#numbers, length);
    this.#atMs = grownFloats(this.#atMs, length);
    this.#turns = grownFloats(this.#turns, length);
  }
}
