/**
 * Queues in which a waiting URL can be promoted to a better band. Records can only be taken from the
 * front of a queue, so a promoted URL is queued once more, in its new band, and the old record is
 * dropped when it comes out. So each URL still comes out once, and counts are those of URLs.
 *
 * How many URLs can be promoted is bounded by the table (`waiting-table.ts`); for the others nothing
 * changes. Which records are left over is not kept with the queues, but in checkpoints of its own.
 */
import { NO_SLOT } from "../../base/fingerprints/index.ts";
import { type Acknowledge, type Done, withValue } from "../../base/seams/index.ts";
import {
  bandOf,
  type ChangedPieces,
  type HostQueues,
  type QueueMarks,
  RecordBatch,
} from "../queues/index.ts";
import type { Ticket } from "../ticket/index.ts";
import { atBetterDepths, depthInRecord } from "../ticket/index.ts";
import { WaitingTable } from "./waiting-table.ts";

/** 21 bytes each. */
const SLOTS = 1 << 18;

export class PromotingQueues implements HostQueues {
  readonly #queues: HostQueues;
  readonly #table: WaitingTable;
  /** By host, where there are any: how many records are left over. */
  readonly #leftovers = new Map<number, number>();
  #leftoversTotal = 0;

  constructor(queues: HostQueues, slots: number = SLOTS) {
    this.#queues = queues;
    this.#table = new WaitingTable(slots);
  }

  get isFull(): boolean {
    return this.#queues.isFull;
  }

  get memoryBytes(): number {
    return this.#queues.memoryBytes + this.#table.memoryBytes;
  }

  get total(): number {
    return this.#queues.total - this.#leftoversTotal;
  }

  count(host: number): number {
    return this.#queues.count(host) - (this.#leftovers.get(host) ?? 0);
  }

  push(host: number, record: Uint8Array, from: number, to: number, priority: number): void {
    const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
    const high = bytes.readUInt32LE(from + 1);
    const low = bytes.readUInt32LE(from + 5);
    const depth = depthInRecord(bytes, from);
    this.#table.pushed({ high, low, host, depth, band: bandOf(priority) });
    this.#queues.push(host, record, from, to, priority);
  }

  /**
   * The ticket by which a URL that waits may be queued again, in a better band than before and at the
   * better of both depths; null when it does not wait, is in as good a band, or not in the table. The
   * caller calls `promote` with its record.
   */
  promotion(ticket: Ticket): Ticket | null {
    const { high, low, priority } = ticket;
    const slot = this.#table.find(high, low);
    if (slot === NO_SLOT || !this.#table.waits(slot)) return null;
    if (bandOf(priority) <= this.#table.band(slot)) return null;
    return atBetterDepths(ticket, this.#table.depth(slot));
  }

  /** Pushes the record of a promotion: what was there before is left over. */
  promote(host: number, record: Uint8Array, from: number, to: number, priority: number): void {
    this.push(host, record, from, to, priority);
    this.#leave(host, 1);
  }

  pull(host: number, recordsMax: number, done: Done<RecordBatch>): void {
    const pulled = (batch: RecordBatch): void => {
      const urls = this.#withoutLeftovers(host, batch);
      if (urls.count === 0 && batch.count > 0 && this.count(host) > 0) {
        this.pull(host, recordsMax, done);
        return;
      }
      this.#tidy(host);
      done(null, urls);
    };
    this.#queues.pull(host, recordsMax, withValue(done, pulled));
  }

  drop(host: number): number {
    const count = this.count(host);
    this.#queues.drop(host);
    this.#forget(host);
    return count;
  }

  /** For checkpoints: what is known of waiting URLs, in chunks. */
  get pieces(): ChangedPieces {
    return this.#table.pieces;
  }

  /** Takes the chunks of a checkpoint, before anything is pushed, and with the same number of slots. */
  restore(chunks: Iterable<Uint8Array>): void {
    const found = (host: number, superfluous: number): void => {
      if (superfluous > 0) this.#leave(host, superfluous);
    };
    for (const bytes of chunks) {
      this.#table.restore(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), found);
    }
  }

  checkpoint(done: Done<QueueMarks>): void {
    this.#queues.checkpoint(done);
  }

  committed(): void {
    this.#queues.committed();
  }

  close(done: Acknowledge): void {
    this.#queues.close(done);
  }

  #withoutLeftovers(host: number, batch: RecordBatch): RecordBatch {
    const bytes = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength);
    const urls = new RecordBatch(batch.count, batch.bytes);
    for (let at = 0; at < batch.count; at += 1) {
      const from = batch.startOf(at);
      if (this.#table.pulled(bytes.readUInt32LE(from + 1), bytes.readUInt32LE(from + 5))) {
        urls.add(from, batch.endOf(at));
      } else this.#leave(host, -1);
    }
    return urls;
  }

  /** Drops a queue that has only leftovers, which would keep their slots for ever. */
  #tidy(host: number): void {
    if (!this.#leftovers.has(host) || this.count(host) > 0) return;
    this.#queues.drop(host);
    this.#forget(host);
  }

  #forget(host: number): void {
    this.#leave(host, -(this.#leftovers.get(host) ?? 0));
    this.#table.dropped(host);
  }

  #leave(host: number, change: number): void {
    const count = (this.#leftovers.get(host) ?? 0) + change;
    this.#leftoversTotal += change;
    if (count === 0) this.#leftovers.delete(host);
    else this.#leftovers.set(host, count);
  }
}
