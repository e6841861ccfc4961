/**
 * Many small heaps of seats in one set of arrays: for each workbench entry, its visit states by the
 * instant from which they may be visited. Most addresses have one host and a few have a hundred
 * thousand, so these are pairing heaps, whose nodes are the seats themselves: an entry stores only
 * its first seat. (Fredman, Sedgewick, Sleator, Tarjan: The pairing heap, 1986.)
 *
 * Invariant: a seat is in one heap at most. Seats of one instant come out in the order of `put`.
 */
import assert from "node:assert/strict";
import { grownFloats, grownInts } from "./growing-array.ts";

/** No seat: an empty heap. */
export const NONE = -1;

/** What `#previous` says of a seat that is in no heap, and of the first seat of one. */
const OUTSIDE = 0;
const FIRST = -1;

export class SeatHeaps {
  #atMs: Float64Array = new Float64Array(16);
  #turns: Float64Array = new Float64Array(16);
  /** Links hold a seat plus one; 0 is none. */
  #child: Int32Array = new Int32Array(16);
  #next: Int32Array = new Int32Array(16);
  /** The seat before it among its siblings, or its parent when it is the first of them. */
  #previous: Int32Array = new Int32Array(16);
  #puts = 0;

  has(seat: number): boolean {
    return seat < this.#previous.length && this.#previous[seat] !== OUTSIDE;
  }

  /** The instant of a seat that is inside. */
  atMs(seat: number): number {
    return this.#atMs[seat] as number;
  }

  /** Puts a seat into the heap that begins with `first`; returns the first seat afterwards. */
  put(first: number, seat: number, atMs: number): number {
    if (seat >= this.#atMs.length) this.#grow(seat + 1);
    assert(this.#previous[seat] === OUTSIDE, "a seat is in one heap at most");
    this.#atMs[seat] = atMs;
    this.#turns[seat] = this.#puts;
    this.#puts += 1;
    this.#previous[seat] = FIRST;
    return first === NONE ? seat : this.#joined(first, seat);
  }

  /** Takes the first seat out; returns the first seat afterwards. */
  take(first: number): number {
    const rest = this.#mergedChildren(first);
    this.#previous[first] = OUTSIDE;
    return rest;
  }

  /** Takes any seat out of the heap that begins with `first`; returns the first seat afterwards. */
  remove(first: number, seat: number): number {
    if (seat === first) return this.take(first);
    this.#cut(seat);
    const rest = this.#mergedChildren(seat);
    this.#previous[seat] = OUTSIDE;
    return rest === NONE ? first : this.#joined(first, rest);
  }

  /** Joins two heaps whose first seats these are. */
  #joined(one: number, other: number): number {
    const isFirst = this.#isBefore(one, other);
    const above = isFirst ? one : other;
    const below = isFirst ? other : one;
    const sibling = this.#child[above] as number;
    this.#next[below] = sibling;
    if (sibling !== 0) this.#previous[sibling - 1] = below + 1;
    this.#previous[below] = above + 1;
    this.#child[above] = below + 1;
    this.#previous[above] = FIRST;
    return above;
  }

  /**
   * The heap of all children of a seat: joined in pairs from the left, then into one from the
   * right.
   */
  #mergedChildren(seat: number): number {
    let waiting = this.#child[seat] as number;
    this.#child[seat] = 0;
    let pairs = NONE;
    while (waiting !== 0) {
      const one = waiting - 1;
      const other = (this.#next[one] as number) - 1;
      waiting = other === NONE ? 0 : (this.#next[other] as number);
      this.#next[one] = 0;
      if (other !== NONE) this.#next[other] = 0;
      const pair = other === NONE ? one : this.#joined(one, other);
      // The pairs wait in a list of their own, the last one first.
      this.#next[pair] = pairs + 1;
      pairs = pair;
    }
    return this.#mergedPairs(pairs);
  }

  #mergedPairs(last: number): number {
    let merged = NONE;
    let pair = last;
    while (pair !== NONE) {
      const before = (this.#next[pair] as number) - 1;
      this.#next[pair] = 0;
      this.#previous[pair] = FIRST;
      merged = merged === NONE ? pair : this.#joined(pair, merged);
      pair = before;
    }
    return merged;
  }

  /** Takes a seat that is not the first out of its place, its children with it. */
  #cut(seat: number): void {
    const previous = (this.#previous[seat] as number) - 1;
    const next = this.#next[seat] as number;
    if (this.#child[previous] === seat + 1) this.#child[previous] = next;
    else this.#next[previous] = next;
    if (next !== 0) this.#previous[next - 1] = previous + 1;
    this.#next[seat] = 0;
  }

  #isBefore(one: number, other: number): boolean {
    const oneAtMs = this.#atMs[one] as number;
    const otherAtMs = this.#atMs[other] as number;
    if (oneAtMs !== otherAtMs) return oneAtMs < otherAtMs;
    return (this.#turns[one] as number) < (this.#turns[other] as number);
  }

  #grow(length: number): void {
    this.#atMs = grownFloats(this.#atMs, length);
    this.#turns = grownFloats(this.#turns, length);
    this.#child = grownInts(this.#child, length);
    this.#next = grownInts(this.#next, length);
    this.#previous = grownInts(this.#previous, length);
  }
}
