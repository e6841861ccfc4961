/**
 * When each address may be visited next, and whether it is being visited now: one table in shared
 * memory for all lanes of an agent, so that lanes with hosts at the same address are polite to it
 * together.
 *
 * An address has a row by its hash alone, which needs neither names nor removal. The hash is keyed
 * with the crawl's secret, so that an attacker cannot choose an address that shares a row with
 * another. A visit holds the row's mark, taken by compare-and-exchange; the instant beside it is
 * written only by the holder before it releases the mark, and read only by the next holder.
 *
 * Two addresses that share a row by chance delay one another and no more. Those of one lane hold the
 * mark together. Those of different lanes take turns: a lane that finds the mark taken leaves its
 * *wish*, and any other lane yields to a wish once.
 */
import assert from "node:assert/strict";
import { KEY_BYTES, type KeySlot, SipHasher, TEXT_AT } from "../../../base/hash/index.ts";

/**
 * Rows of a table for an agent: with a thousand addresses busy, one claim in 250 meets a stranger.
 */
const ROWS = 1 << 18;
const FREE = 0;
/** Marks, wishes and instants. */
const ROW_BYTES = 2 * Int32Array.BYTES_PER_ELEMENT + Float64Array.BYTES_PER_ELEMENT;
/** The longest text of an address, with a zone. */
const ADDRESS_BYTES_MAX = 256;

export interface AddressTableOptions {
  /** The 16 secret bytes of the crawl, the same in all lanes; zeros when left out. */
  readonly key?: Uint8Array;
  /** The memory that all lanes share, from `AddressTable.memory`; own memory when left out. */
  readonly memory?: SharedArrayBuffer;
  /** The lane's number, from 0. */
  readonly lane?: number;
  /** What must be added to this lane's clock to get the clock that all lanes agree upon. */
  readonly clockOffsetMs?: number;
}

/** For how long which rows of a table rest, as plain values. */
export interface SavedAddresses {
  readonly rows: number;
  readonly resting: readonly (readonly [row: number, restMs: number])[];
}

/** Which rows are saved, all when left out, and since when their rests count. */
export interface SavedRows {
  /** Now when left out; the moment of a checkpoint may be a little earlier. */
  readonly momentMs?: number;
  readonly from?: number;
  readonly to?: number;
}

export class AddressTable {
  readonly #hasher = new SipHasher(ADDRESS_BYTES_MAX);
  readonly #key: KeySlot;
  readonly #marks: Int32Array;
  /** By row: the mark of a lane that found the row taken. */
  readonly #wishes: Int32Array;
  readonly #restsUntilMs: Float64Array;
  readonly #mask: number;
  readonly #mark: number;
  readonly #clockOffsetMs: number;
  /** Rows whose mark this lane holds for several addresses: how many more than one. */
  readonly #joined = new Map<number, number>();

  constructor({ key, memory, lane = 0, clockOffsetMs = 0 }: AddressTableOptions = {}) {
    const shared = memory ?? AddressTable.memory();
    const rows = AddressTable.rowsIn(shared);
    const instantBytes = rows * Float64Array.BYTES_PER_ELEMENT;
    this.#key = this.#hasher.addKey(key ?? new Uint8Array(KEY_BYTES));
    this.#restsUntilMs = new Float64Array(shared, 0, rows);
    this.#marks = new Int32Array(shared, instantBytes, rows);
    this.#wishes = new Int32Array(shared, instantBytes + rows * Int32Array.BYTES_PER_ELEMENT, rows);
    this.#mask = rows - 1;
    this.#mark = lane + 1;
    this.#clockOffsetMs = clockOffsetMs;
  }

  /** Memory for one table; `rows` is a power of two. */
  static memory(rows: number = ROWS): SharedArrayBuffer {
    assert(rows > 0 && (rows & (rows - 1)) === 0, "the rows of the table are a power of two");
    return new SharedArrayBuffer(rows * ROW_BYTES);
  }

  /** How many rows a table in this memory has. */
  static rowsIn(memory: SharedArrayBuffer): number {
    return memory.byteLength / ROW_BYTES;
  }

  get memoryBytes(): number {
    return this.#marks.length * ROW_BYTES;
  }

  rowOf(address: string): number {
    const length = this.#hasher.bytes.write(address, TEXT_AT, ADDRESS_BYTES_MAX, "utf8");
    this.#hasher.hash(this.#key, TEXT_AT, length);
    return this.#hasher.low & this.#mask;
  }

  /**
   * Takes the row's mark when no other lane has it and its instant has come, and returns that
   * instant, not after `nowMs`. Otherwise takes nothing and returns an instant after `nowMs`: the
   * one to wait for, or Infinity while another lane has the mark or goes first. A lane asks for an
   * address only while it does not visit it: when it has the mark itself, that is for another
   * address.
   */
  tryClaim(row: number, nowMs: number): number {
    const holder = Atomics.compareExchange(this.#marks, row, FREE, this.#mark);
    if (holder === FREE) return this.#claimed(row, nowMs);
    if (holder !== this.#mark) Atomics.compareExchange(this.#wishes, row, FREE, this.#mark);
    else if (this.#otherWish(row) === FREE) {
      const restsUntilMs = this.#restOf(row);
      // While the mark is held, an instant is written only when one of its addresses was left.
      if (restsUntilMs > nowMs) return restsUntilMs;
      this.#joined.set(row, (this.#joined.get(row) ?? 0) + 1);
      return restsUntilMs;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Releases the mark: the address rests until the instant given. */
  release(row: number, restsUntilMs: number): void {
    assert(Atomics.load(this.#marks, row) === this.#mark, "a mark is released by its holder");
    this.#rest(row, restsUntilMs);
    const joined = this.#joined.get(row) ?? 0;
    if (joined === 0) Atomics.store(this.#marks, row, FREE);
    else if (joined === 1) this.#joined.delete(row);
    else this.#joined.set(row, joined - 1);
  }

  get rows(): number {
    return this.#marks.length;
  }

  /** Those of some rows that still rest, and those that are being visited, for their delay from now on. */
  save(
    nowMs: number,
    delayMsOf: (row: number) => number,
    { momentMs = nowMs, from = 0, to = this.rows }: SavedRows = {},
  ): SavedAddresses {
    const resting: [number, number][] = [];
    const sharedMs = nowMs + this.#clockOffsetMs;
    for (let row = from; row < to; row += 1) {
      const restMs = (this.#restsUntilMs[row] as number) - sharedMs;
      // Not read as one with the instant: a visit that begins or ends now is followed by a rest anyway.
      const leastMs = this.#marks[row] === FREE ? 0 : delayMsOf(row);
      if (restMs > 0 || leastMs > 0) {
        resting.push([row, Math.max(restMs, leastMs) + nowMs - momentMs]);
      }
    }
    return { rows: this.#marks.length, resting };
  }

  /** The same crawl has saved this, and it was so at this instant. A table of another size is new. */
  restore({ rows, resting }: SavedAddresses, savedAtMs: number): void {
    if (rows !== this.#marks.length) return;
    for (const [row, restMs] of resting) this.#rest(row, savedAtMs + restMs);
  }

  /** No address is visited before the instant that is given for its row. */
  restAll(untilMsOf: (row: number) => number): void {
    for (let row = 0; row < this.#marks.length; row += 1) this.#rest(row, untilMsOf(row));
  }

  /** Releases what a lane that has ended had claimed. */
  forget(lane: number, restsUntilMs: number): void {
    for (let row = 0; row < this.#marks.length; row += 1) {
      Atomics.compareExchange(this.#wishes, row, lane + 1, FREE);
      if (Atomics.load(this.#marks, row) !== lane + 1) continue;
      this.#rest(row, restsUntilMs);
      Atomics.store(this.#marks, row, FREE);
    }
  }

  /** The mark was free and is ours: keeps it, unless it is too early or another lane goes first. */
  #claimed(row: number, nowMs: number): number {
    const restsUntilMs = this.#restOf(row);
    const wish = restsUntilMs <= nowMs ? this.#otherWish(row) : FREE;
    if (wish !== FREE) Atomics.compareExchange(this.#wishes, row, wish, FREE);
    else if (restsUntilMs <= nowMs) {
      Atomics.compareExchange(this.#wishes, row, this.#mark, FREE);
      return restsUntilMs;
    }
    Atomics.store(this.#marks, row, FREE);
    return wish === FREE ? restsUntilMs : Number.POSITIVE_INFINITY;
  }

  #otherWish(row: number): number {
    const wish = Atomics.load(this.#wishes, row);
    return wish === this.#mark ? FREE : wish;
  }

  #restOf(row: number): number {
    return (this.#restsUntilMs[row] as number) - this.#clockOffsetMs;
  }

  /** An instant is never taken back: it may be that of another address in this row. */
  #rest(row: number, restsUntilMs: number): void {
    const sharedMs = restsUntilMs + this.#clockOffsetMs;
    if (sharedMs > (this.#restsUntilMs[row] as number)) this.#restsUntilMs[row] = sharedMs;
  }
}
