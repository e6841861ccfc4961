/**
 * Puts a batch together from records of bundles and of buffers. The bytes that were read for the
 * first of them become the batch's own, so records that come from one place are not copied at all.
 */
import type { FoundRecords } from "./found-records.ts";
import { RecordBatch } from "./record-batch.ts";
import type { RecordBuffer } from "./record-buffer.ts";

export class BatchMaker {
  readonly batch: RecordBatch;
  #usedBytes = 0;

  constructor(recordsMax: number) {
    this.batch = new RecordBatch(new Uint8Array(0), recordsMax);
  }

  /** Adds the first `records` of those found. */
  addFound(found: FoundRecords, records: number): void {
    const base = this.#usedBytes;
    const bytes = found.bytesOf(records);
    if (base === 0) this.batch.bytes = found.bytes;
    else {
      this.#reserve(bytes);
      this.batch.bytes.set(found.bytes.subarray(0, bytes), base);
    }
    this.#usedBytes += bytes;
    for (let index = 0; index < records; index += 1) {
      this.batch.add(base + (found.starts[index] ?? 0), base + (found.ends[index] ?? 0));
    }
  }

  addFrom(buffer: RecordBuffer, address: number): void {
    const start = this.#usedBytes;
    const lengthBytes = buffer.lengthOf(address);
    this.#reserve(lengthBytes);
    buffer.copyTo(address, this.batch.bytes, start);
    this.#usedBytes += lengthBytes;
    this.batch.add(start, this.#usedBytes);
  }

  #reserve(bytes: number): void {
    const neededBytes = this.#usedBytes + bytes;
    if (neededBytes <= this.batch.bytes.length) return;
    const more = new Uint8Array(Math.max(neededBytes, this.batch.bytes.length * 2, 1024));
    more.set(this.batch.bytes.subarray(0, this.#usedBytes));
    this.batch.bytes = more;
  }
}
