/**
 * The seats of a workbench that have waited long enough, by their rank: what a traversal that
 * compares hosts chooses from. Each workbench entry has a heap of its ready seats; the entries that
 * are *shown*, because their address may be visited too, are in a heap by their best seat.
 *
 * Invariant: a shown entry has a ready seat. The smallest rank comes first, and of one rank the seat
 * that was ready first. (Both heaps are those of instants: a rank is a number like any other.)
 */
import assert from "node:assert/strict";
import { grownFloats, grownInts } from "./growing-array.ts";
import { InstantHeap } from "./instant-heap.ts";
import { NONE, SeatHeaps } from "./seat-heaps.ts";

export class ReadySeats {
  readonly #shown = new InstantHeap();
  readonly #seats = new SeatHeaps();
  /** By entry: its first ready seat plus one, so that a fresh array says "none". */
  #firsts: Int32Array = new Int32Array(16);
  /** By seat. */
  #ranks: Float64Array = new Float64Array(16);

  has(seat: number): boolean {
    return this.#seats.has(seat);
  }

  hasAny(entry: number): boolean {
    return (this.#firsts[entry] ?? 0) !== 0;
  }

  /** The shown entry with the best seat, or `NONE`. */
  get firstEntry(): number {
    return this.#shown.size === 0 ? NONE : this.#shown.first;
  }

  setRank(seat: number, rank: number): void {
    if (seat >= this.#ranks.length) this.#ranks = grownFloats(this.#ranks, seat + 1);
    this.#ranks[seat] = rank;
  }

  /** A seat of this entry has become ready. */
  add(entry: number, seat: number): void {
    if (entry >= this.#firsts.length) this.#firsts = grownInts(this.#firsts, entry + 1);
    this.#setFirst(entry, this.#seats.put(this.#first(entry), seat, this.#ranks[seat] as number));
  }

  remove(entry: number, seat: number): void {
    this.#setFirst(entry, this.#seats.remove(this.#first(entry), seat));
  }

  /** Takes the best ready seat of an entry. */
  take(entry: number): number {
    const seat = this.#first(entry);
    assert(seat !== NONE, "a seat is taken where one is ready");
    this.#setFirst(entry, this.#seats.take(seat));
    return seat;
  }

  show(entry: number): void {
    const seat = this.#first(entry);
    assert(seat !== NONE, "an entry that is shown has a ready seat");
    this.#shown.put(entry, this.#ranks[seat] as number);
  }

  hide(entry: number): void {
    this.#shown.remove(entry);
  }

  #first(entry: number): number {
    return (this.#firsts[entry] as number) - 1;
  }

  #setFirst(entry: number, seat: number): void {
    this.#firsts[entry] = seat + 1;
  }
}
