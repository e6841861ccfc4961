/**
 * What a simulated database keeps: the rows and marks that survive the process, and the faults that
 * a test or a fault planner arranges. It belongs to a machine; each start of the process on that
 * machine opens a `SimDatabase` on it.
 *
 * A batch is applied in one step, so all or nothing of it is there, whenever the process dies.
 */

import type { Schema, Value } from "../../../base/database/index.ts";
import type { ErrorCode } from "../../../base/errors/index.ts";
import type { Batch, Row } from "../../../base/seams/index.ts";

type Key = string | number;

export class SimDatabaseDisk {
  /** While true, commits are answered `DATABASE_FULL`. */
  isFull = false;
  /** An operation takes a time drawn evenly from these bounds. */
  latencyMsMin = 0.1;
  latencyMsMax = 20;
  /** Set by tests: what readers of other processes keep from being freed. */
  logBytes = 0;
  schema: Schema = {};
  readonly #tables = new Map<string, Map<Key, Row>>();
  readonly #marks = new Map<string, string | number>();
  /** The keys of a table in order, until a key is added or removed. */
  readonly #orders = new Map<string, readonly Key[]>();
  readonly #failures = new Map<number, ErrorCode>();
  #calls = 0;
  #bytes = 0;

  /** A batch that may or may not have been written; see `doubt`. */
  #doubtful: Batch | null = null;

  /** Lets the n-th operation from now fail with this code; 1 is the next one. */
  failCall(n: number, code: ErrorCode): void {
    this.#failures.set(this.#calls + n, code);
  }

  /** Counts an operation; the code it must fail with, if a fault was arranged for it. */
  nextFailure(): ErrorCode | undefined {
    this.#calls += 1;
    return this.#failures.get(this.#calls);
  }

  /** Operations so far, to aim `failCall` at. */
  get calls(): number {
    return this.#calls;
  }

  /** Bytes in use: the sizes of all values, a number counting eight. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many bytes would be in use after this batch. */
  bytesAfter(batch: Batch): number {
    let bytes = this.#bytes;
    const touched = new Map<string, number>();
    const resize = (table: string, key: Key, size: number) => {
      const id = `${table} ${typeof key} ${key}`;
      bytes += size - (touched.get(id) ?? sizeOf(this.row(table, key)));
      touched.set(id, size);
    };
    for (const { table, key } of batch.remove ?? []) resize(table, key, 0);
    for (const { table, row } of batch.put ?? [])
      resize(table, this.#keyOf(table, row), sizeOf(row));
    return bytes;
  }

  apply(batch: Batch): void {
    this.#bytes = this.bytesAfter(batch);
    for (const { table, key } of batch.remove ?? []) this.#remove(table, key);
    for (const { table, row } of batch.put ?? []) this.#put(table, row);
    for (const [name, value] of Object.entries(batch.marks ?? {})) {
      if (value === null) this.#marks.delete(name);
      else this.#marks.set(name, plain(value));
    }
    this.#doubtful = null;
  }

  /**
   * After an error of the disk under a commit, the running process sees nothing of the batch, but
   * it may have reached the disk: the next opening finds it there, unless another commit has taken
   * its place before.
   */
  doubt(batch: Batch): void {
    this.#doubtful = structuredClone(batch);
  }

  /** What a new process finds: doubts are settled. */
  recover(): void {
    if (this.#doubtful !== null) this.apply(this.#doubtful);
  }

  row(table: string, key: Key): Row | null {
    const row = this.#tables.get(table)?.get(key);
    return row === undefined ? null : copyOf(row);
  }

  rowsAfter(table: string, after: Key | null, limit: number): Row[] {
    const rows: Row[] = [];
    for (const key of this.#keysInOrder(table)) {
      if (rows.length === limit) break;
      if (after !== null && compareKeys(key, after) <= 0) continue;
      const row = this.row(table, key);
      if (row !== null) rows.push(row);
    }
    return rows;
  }

  marks(): Record<string, string | number> {
    return Object.fromEntries(this.#marks);
  }

  #put(table: string, row: Row): void {
    const rows = this.#tables.get(table) ?? new Map<Key, Row>();
    const key = this.#keyOf(table, row);
    if (!rows.has(key)) this.#orders.delete(table);
    this.#tables.set(table, rows.set(key, copyOf(row)));
  }

  #remove(table: string, key: Key): void {
    if (this.#tables.get(table)?.delete(plain(key) as Key)) this.#orders.delete(table);
  }

  #keyOf(table: string, row: Row): Key {
    return plain(row[this.schema[table]?.key ?? ""] ?? "") as Key;
  }

  #keysInOrder(table: string): readonly Key[] {
    const known = this.#orders.get(table);
    if (known !== undefined) return known;
    const keys = [...(this.#tables.get(table)?.keys() ?? [])].sort(compareKeys);
    this.#orders.set(table, keys);
    return keys;
  }
}

/** Numbers by value, text by its UTF-8 bytes; a table never mixes them. */
function compareKeys(one: Key, other: Key): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

function copyOf(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, plain(value)]));
}

/** A value as a disk would give it back: other bytes than those handed over, and no -0. */
function plain<V extends Value>(value: V): V;
function plain(value: Value): Value {
  if (value instanceof Uint8Array) return value.slice();
  return value === 0 ? 0 : value;
}

function sizeOf(row: Row | null): number {
  let bytes = 0;
  for (const value of Object.values(row ?? {})) {
    if (typeof value === "string") bytes += Buffer.byteLength(value);
    else bytes += value instanceof Uint8Array ? value.byteLength : 8;
  }
  return bytes;
}
