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
  #usedBytes = 0;

  /** A batch for up to `recordsMax` records; they lie in `bytes`, or are appended. */
  constructor(recordsMax: number, bytes: Uint8Array = new Uint8Array(0)) {
    this.bytes = bytes;
    this.#starts = new Uint32Array(recordsMax);
    this.#ends = new Uint32Array(recordsMax);
  }

  get count(): number {
    return this.#count;
  }

  /** Where the record begins in `bytes`. */
  startOf(index: number): number {
    assert(index >= 0 && index < this.#count, "a batch has a record of this index");
    return this.#starts[index] ?? 0;
  }

  /** Where the record ends in `bytes`. */
  endOf(index: number): number {
    assert(index >= 0 && index < this.#count, "a batch has a record of this index");
    return this.#ends[index] ?? 0;
  }

  /** The record, as a view. */
  recordOf(index: number): Uint8Array {
    return this.bytes.subarray(this.startOf(index), this.endOf(index));
  }

  /**
   * For implementers: the next record has this length. Returns where its bytes are to be written.
   */
  append(lengthBytes: number): number {
    const start = this.#usedBytes;
    this.#reserve(lengthBytes);
    this.add(start, this.#usedBytes);
    return start;
  }

  /**
   * For implementers: bytes in which the next records lie. The first ones become those of the
   * batch, the others are copied. Returns where they begin.
   */
  appendBytes(bytes: Uint8Array, lengthBytes: number): number {
    const start = this.#usedBytes;
    if (start === 0) {
      this.bytes = bytes;
      this.#usedBytes = lengthBytes;
    } else {
      this.#reserve(lengthBytes);
      this.bytes.set(bytes.subarray(0, lengthBytes), start);
    }
    return start;
  }

  /** For implementers: the bytes [start, end) are the next record. */
  add(start: number, end: number): void {
    assert(this.#count < this.#starts.length, "a batch has room for the record");
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#count += 1;
  }

  #reserve(lengthBytes: number): void {
    this.#usedBytes += lengthBytes;
    if (this.#usedBytes <= this.bytes.length) return;
    const more = new Uint8Array(Math.max(this.#usedBytes, this.bytes.length * 2, 1024));
    more.set(this.bytes.subarray(0, this.#usedBytes - lengthBytes));
    this.bytes = more;
  }
}
