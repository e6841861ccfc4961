/**
 * Queues of hosts that are in memory only: for crawls that are not kept, and as the plainest form
 * of the contract. Nothing of it survives; its checkpoints record nothing.
 */
import assert from "node:assert/strict";
import type { Acknowledge, Clock, Done } from "../../base/seams/index.ts";
import {
  type HostQueues,
  type QueueMarks,
  type QueueOrder,
  RECORD_BYTES_MAX,
} from "./host-queues.ts";
import { BANDS, bandOf } from "./priority-band.ts";
import { closedError } from "./queue-errors.ts";
import { RecordBatch } from "./record-batch.ts";

/** The records of one host and band: those before `next` are gone. */
interface Waiting {
  records: Uint8Array[];
  next: number;
}

export interface MemoryHostQueuesOptions {
  /** Answers come by it, so that none comes inside its call. */
  readonly clock: Clock;
  readonly order: QueueOrder;
  /** From how many bytes of records on the queues say that they are full. */
  readonly memoryBytes: number;
}

/** What an array of bytes costs beside its bytes. */
const RECORD_OVERHEAD_BYTES = 200;

const NO_MARKS: QueueMarks = {
  bundles: [],
  nextBundle: 1,
  buffer: 0,
  pushes: { from: 0, to: 0 },
  takesEnd: 0,
};

export class MemoryHostQueues implements HostQueues {
  readonly #options: MemoryHostQueuesOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #counts = new Map<number, number>();
  /** Hosts with a pull under way; dropping the host takes it away. */
  readonly #pulled = new Set<number>();
  #bytes = 0;
  #total = 0;
  #isClosed = false;

  constructor(options: MemoryHostQueuesOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#options.memoryBytes;
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
    assert(!this.#isClosed, "closed queues take nothing");
    assert(to - from <= RECORD_BYTES_MAX, "a record has a bounded length");
    const queue = host * BANDS + (this.#options.order === "priority" ? bandOf(priority) : 0);
    const waiting = this.#waiting.get(queue);
    // A `Buffer` would give a view by `slice`.
    const copy = new Uint8Array(record.subarray(from, to));
    if (waiting === undefined) this.#waiting.set(queue, { records: [copy], next: 0 });
    else waiting.records.push(copy);
    this.#bytes += to - from;
    this.#total += 1;
    this.#counts.set(host, this.count(host) + 1);
  }

  pull(host: number, recordsMax: number, done: Done<RecordBatch>): void {
    assert(!this.#isClosed, "closed queues give nothing");
    assert(recordsMax > 0, "a pull is for at least one record");
    assert(!this.#pulled.has(host), "one pull per host at a time");
    this.#pulled.add(host);
    this.#options.clock.after(0, () => {
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
    this.#options.clock.after(0, () => done(null, NO_MARKS));
  }

  close(done: Acknowledge): void {
    this.#isClosed = true;
    this.#options.clock.after(0, () => done(null));
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
    if (this.#options.order === "lifo") {
      for (const record of waiting.records.splice(-recordsMax).reverse()) taken.push(record);
    } else {
      const next = Math.min(waiting.next + recordsMax, waiting.records.length);
      for (const record of waiting.records.slice(waiting.next, next)) taken.push(record);
      waiting.next = next;
      // What is gone is let go of when it is half of the list: every record moves once on average.
      if (waiting.next * 2 >= waiting.records.length) {
        waiting.records = waiting.records.slice(waiting.next);
        waiting.next = 0;
      }
    }
    if (waiting.records.length === 0) this.#waiting.delete(queue);
  }
}

function batchOf(records: readonly Uint8Array[]): RecordBatch {
  const bytes = new Uint8Array(records.reduce((sum, record) => sum + record.length, 0));
  const batch = new RecordBatch(bytes, records.length);
  let at = 0;
  for (const record of records) {
    bytes.set(record, at);
    batch.add(at, at + record.length);
    at += record.length;
  }
  return batch;
}
