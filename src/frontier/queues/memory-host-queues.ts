/**
 * Host queues in memory only: for crawls that are not kept, and as the simplest implementation of
 * the contract. Checkpoints record nothing.
 */
import assert from "node:assert/strict";
import type { Acknowledge, Clock, Done } from "../../base/seams/index.ts";
import { Fifo } from "./fifo.ts";
import {
  type HostQueues,
  type QueueMarks,
  type QueueOrder,
  RECORD_BYTES_MAX,
} from "./host-queues.ts";
import { BANDS, bandOf } from "./priority-band.ts";
import { closedError } from "./queue-errors.ts";
import { RecordBatch } from "./record-batch.ts";

/** What an array of bytes costs in addition to its bytes. */
const RECORD_OVERHEAD_BYTES = 200;

const NO_MARKS: QueueMarks = {
  bundles: [],
  nextBundle: 1,
  buffer: 0,
  pushes: { from: 0, to: 0 },
  takesEnd: 0,
};

export class MemoryHostQueues implements HostQueues {
  readonly isFull: boolean = false;
  readonly #clock: Clock;
  readonly #order: QueueOrder;
  /** By host and band. */
  readonly #waiting = new Map<number, Fifo<Uint8Array>>();
  readonly #counts = new Map<number, number>();
  /** Hosts with a pull under way; dropping the host removes it. */
  readonly #pulled = new Set<number>();
  #bytes = 0;
  #total = 0;
  #isClosed = false;

  /** Answers come by the clock, so that none comes inside its call. */
  constructor(clock: Clock, order: QueueOrder) {
    this.#clock = clock;
    this.#order = order;
  }

  get memoryBytes(): number {
    return this.#bytes + this.#total * RECORD_OVERHEAD_BYTES;
  }

  get total(): number {
    return this.#total;
  }

  count(host: number): number {
    return this.#counts.get(host) ?? 0;
  }

  push(host: number, record: Uint8Array, from: number, to: number, priority: number): void {
    assert(!this.#isClosed, "closed queues accept nothing");
    assert(to - from <= RECORD_BYTES_MAX, "a record has a bounded length");
    const queue = host * BANDS + (this.#order === "priority" ? bandOf(priority) : 0);
    const waiting = this.#waiting.get(queue) ?? new Fifo<Uint8Array>();
    this.#waiting.set(queue, waiting);
    // A `Buffer` would give a view by `slice`.
    waiting.add(new Uint8Array(record.subarray(from, to)));
    this.#bytes += to - from;
    this.#total += 1;
    this.#counts.set(host, this.count(host) + 1);
  }

  pull(host: number, recordsMax: number, done: Done<RecordBatch>): void {
    assert(!this.#isClosed, "closed queues give nothing");
    assert(recordsMax > 0, "a pull is for at least one record");
    assert(!this.#pulled.has(host), "one pull per host at a time");
    this.#pulled.add(host);
    this.#clock.after(0, () => {
      if (this.#isClosed) done(closedError(), undefined);
      else done(null, this.#pulled.delete(host) ? this.#take(host, recordsMax) : batchOf([]));
    });
  }

  drop(host: number): number {
    const count = this.count(host);
    this.#pulled.delete(host);
    if (count > 0) this.#take(host, count);
    return count;
  }

  checkpoint(done: Done<QueueMarks>): void {
    this.#clock.after(0, () => done(null, NO_MARKS));
  }

  committed(): void {}

  close(done: Acknowledge): void {
    this.#isClosed = true;
    this.#clock.after(0, () => done(null));
  }

  #take(host: number, recordsMax: number): RecordBatch {
    const taken: Uint8Array[] = [];
    for (let band = BANDS - 1; band >= 0 && taken.length < recordsMax; band -= 1) {
      this.#takeFrom(host * BANDS + band, recordsMax - taken.length, taken);
    }
    for (const record of taken) this.#bytes -= record.length;
    this.#total -= taken.length;
    const left = this.count(host) - taken.length;
    if (left === 0) this.#counts.delete(host);
    else this.#counts.set(host, left);
    return batchOf(taken);
  }

  #takeFrom(queue: number, recordsMax: number, taken: Uint8Array[]): void {
    const waiting = this.#waiting.get(queue);
    if (waiting === undefined) return;
    const isStack = this.#order === "lifo";
    for (let count = 0; count < recordsMax; count += 1) {
      const record = isStack ? waiting.takeLast() : waiting.take();
      if (record === null) break;
      taken.push(record);
    }
    if (waiting.size === 0) this.#waiting.delete(queue);
  }
}

function batchOf(records: readonly Uint8Array[]): RecordBatch {
  const batch = new RecordBatch(records.length);
  for (const record of records) {
    const start = batch.append(record.length);
    batch.bytes.set(record, start);
  }
  return batch;
}
