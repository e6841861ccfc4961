/**
 * When each address may be visited next, and whether somebody is visiting it now: one table in
 * shared memory for all lanes of an agent, so that hosts of different lanes that live at one address
 * are polite to it together.
 *
 * An address has a row by its hash alone. Two addresses that share a row are merely polite to one
 * another, which costs a little patience and needs neither names nor removal. Whoever visits holds
 * the row's mark, taken by compare-and-exchange; the instant beside it is written only by the holder
 * before the mark is given back, and read only by the next one after taking it.
 */
import assert from "node:assert/strict";

/** Rows of a table for an agent: with a thousand addresses busy, one claim in 250 meets a stranger. */
const ROWS = 1 << 18;
const FREE = 0;
const ROW_BYTES = Int32Array.BYTES_PER_ELEMENT + Float64Array.BYTES_PER_ELEMENT;

export interface AddressTableOptions {
  /** The memory that all lanes share, from `AddressTable.memory`; own memory when left out. */
  readonly memory?: SharedArrayBuffer;
  /** The lane's number, from 0. */
  readonly lane?: number;
  /** What must be added to this lane's clock to get the clock that all lanes agree upon. */
  readonly clockOffsetMs?: number;
}

export class AddressTable {
  readonly #marks: Int32Array;
  readonly #restsUntilMs: Float64Array;
  readonly #mask: number;
  readonly #mark: number;
  readonly #clockOffsetMs: number;

  constructor({ memory, lane = 0, clockOffsetMs = 0 }: AddressTableOptions = {}) {
    const shared = memory ?? AddressTable.memory();
    const rows = shared.byteLength / ROW_BYTES;
    this.#restsUntilMs = new Float64Array(shared, 0, rows);
    this.#marks = new Int32Array(shared, rows * Float64Array.BYTES_PER_ELEMENT, rows);
    this.#mask = rows - 1;
    this.#mark = lane + 1;
    this.#clockOffsetMs = clockOffsetMs;
  }

  /** Memory for one table; `rows` is a power of two. */
  static memory(rows: number = ROWS): SharedArrayBuffer {
    assert(rows > 0 && (rows & (rows - 1)) === 0, "the rows of the table are a power of two");
    return new SharedArrayBuffer(rows * ROW_BYTES);
  }

  rowOf(address: string): number {
    let hash = 0x811c9dc5;
    for (let at = 0; at < address.length; at += 1) {
      hash = Math.imul(hash ^ address.charCodeAt(at), 0x01000193);
    }
    return (hash ^ (hash >>> 15)) & this.#mask;
  }

  /**
   * Takes the row's mark when nobody has it and its instant has come, and returns that instant, not
   * after `nowMs`. Otherwise takes nothing and returns an instant after `nowMs`: the one to wait
   * for, or Infinity while somebody has the mark.
   */
  tryClaim(row: number, nowMs: number): number {
    if (Atomics.compareExchange(this.#marks, row, FREE, this.#mark) !== FREE) {
      return Number.POSITIVE_INFINITY;
    }
    const restsUntilMs = (this.#restsUntilMs[row] as number) - this.#clockOffsetMs;
    if (restsUntilMs <= nowMs) return restsUntilMs;
    Atomics.store(this.#marks, row, FREE);
    return restsUntilMs;
  }

  /** Gives the mark back: the address rests until the instant given. */
  release(row: number, restsUntilMs: number): void {
    assert(Atomics.load(this.#marks, row) === this.#mark, "only who has a mark gives it back");
    this.#restsUntilMs[row] = restsUntilMs + this.#clockOffsetMs;
    Atomics.store(this.#marks, row, FREE);
  }

  /** Gives back whatever a lane that is no more had claimed. */
  forget(lane: number, restsUntilMs: number): void {
    for (let row = 0; row < this.#marks.length; row += 1) {
      if (Atomics.load(this.#marks, row) !== lane + 1) continue;
      this.#restsUntilMs[row] = restsUntilMs + this.#clockOffsetMs;
      Atomics.store(this.#marks, row, FREE);
    }
  }
}
