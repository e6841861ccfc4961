/**
 * When the hosts behind a canonical name may be visited next, in memory that all lanes of an agent
 * share: rows as for addresses, found by the hash of the name, and for each row how long the server
 * rests after a visit. That is the longest delay of any of its hosts, in whatever lane they are.
 *
 * A lane writes only its own delays, so that it can forget them when the rules have changed and tell
 * them anew; the longest of all lanes counts. Names that share a row by chance delay one another.
 */
import {
  AddressTable,
  type AddressTableOptions,
  type SavedAddresses,
  type SavedRows,
} from "./address-table.ts";

/** Hosts rest longer than addresses, so strangers in one row cost more: there are more rows. */
const ROWS = 1 << 20;

/** Memory for one table. */
export interface AliasMemory {
  readonly rows: SharedArrayBuffer;
  readonly delays: SharedArrayBuffer;
}

export interface AliasTableOptions extends Omit<AddressTableOptions, "memory"> {
  /** The memory that all lanes share, from `AliasTable.memory`; own memory when left out. */
  readonly memory?: AliasMemory;
}

export class AliasTable {
  readonly rows: AddressTable;
  /** By lane: the delay of each row, in whole milliseconds. */
  readonly #delays: readonly Int32Array[];
  readonly #own: Int32Array;
  readonly #memoryBytes: number;

  constructor({ memory = AliasTable.memory(1), ...options }: AliasTableOptions = {}) {
    this.rows = new AddressTable({ ...options, memory: memory.rows });
    const rows = AddressTable.rowsIn(memory.rows);
    const laneBytes = rows * Int32Array.BYTES_PER_ELEMENT;
    const lanes = memory.delays.byteLength / laneBytes;
    this.#delays = Array.from(
      { length: lanes },
      (_, lane) => new Int32Array(memory.delays, lane * laneBytes, rows),
    );
    this.#own = this.#delays[options.lane ?? 0] as Int32Array;
    this.#memoryBytes = memory.rows.byteLength + memory.delays.byteLength;
  }

  static memory(lanes: number, rows: number = ROWS): AliasMemory {
    return {
      rows: AddressTable.memory(rows),
      delays: new SharedArrayBuffer(lanes * rows * Int32Array.BYTES_PER_ELEMENT),
    };
  }

  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  /** A host of this canonical name wants to rest this long after a visit. */
  tell(canonical: string, delayMs: number): void {
    const row = this.rows.rowOf(canonical);
    if (delayMs > Atomics.load(this.#own, row)) Atomics.store(this.#own, row, Math.ceil(delayMs));
  }

  /** Forgets what this lane has told. */
  forgetDelays(): void {
    this.#own.fill(0);
  }

  /** How long the server of a row rests after a visit. */
  delayMsOf(row: number): number {
    let longestMs = 0;
    for (const delays of this.#delays) longestMs = Math.max(longestMs, Atomics.load(delays, row));
    return longestMs;
  }

  /** As of addresses. */
  save(nowMs: number, part: SavedRows = {}): SavedAddresses {
    return this.rows.save(nowMs, (row) => this.delayMsOf(row), part);
  }

  restore(saved: SavedAddresses, savedAtMs: number): void {
    this.rows.restore(saved, savedAtMs);
  }

  /** Nothing is known of visits before this instant: all rest from then on, for `delayMsMin` at least. */
  restSince(atMs: number, delayMsMin: number): void {
    this.rows.restAll((row) => atMs + Math.max(delayMsMin, this.delayMsOf(row)));
  }
}
