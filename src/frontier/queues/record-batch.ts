/**
 * Records that were pulled, in the order of their queue: one stretch of bytes and where each record
 * is in it. No object is made for a record unless it is asked for.
 */
import assert from "node:assert/strict";

export class RecordBatch {
  /** Holds all records, and between them whatever there was. */
  bytes: Uint8Array;
  #starts: Uint32Array;
  #ends: Uint32Array;
  #count = 0;

  constructor(bytes: Uint8Array, recordsMax: number) {
    this.bytes = bytes;
    this.#starts = new Uint32Array(recordsMax);
    this.#ends = new Uint32Array(recordsMax);
  }

  get count(): number {
    return this.#count;
  }

  /** Where the record begins in `bytes`. */
  startOf(index: number): number {
    assert(index >= 0 && index < this.#count, "a batch has only so many records");
    return this.#starts[index] ?? 0;
  }

  /** Where the record ends in `bytes`. */
  endOf(index: number): number {
    assert(index >= 0 && index < this.#count, "a batch has only so many records");
    return this.#ends[index] ?? 0;
  }

  /** The record, as a view. */
  recordOf(index: number): Uint8Array {
    return this.bytes.subarray(this.startOf(index), this.endOf(index));
  }

  /** For implementers: the bytes [start, end) are the next record. */
  add(start: number, end: number): void {
    assert(this.#count < this.#starts.length, "a batch has room for only so many records");
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#count += 1;
  }
}
