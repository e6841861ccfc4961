/**
 * Queues of hosts on disk: log-structured, with memory for hosts and not for records.
 *
 * Records gather in a buffer. A full buffer is frozen and written, queue by queue, to a bundle,
 * while another one fills; bundles are merged so that they stay few and a queue's records come to
 * lie side by side. Writing is always sequential; a pull reads the part of a queue in the oldest
 * bundle that has it (last-in first-out: the newest). Every change in memory is also in one of two
 * journals, so that a checkpoint costs two syncs and no more bytes than have changed. Invariants:
 *
 * - every record is in exactly one of: the active buffer, the frozen buffer, a bundle that counts;
 * - what the last recorded checkpoint needs is on disk: files and parts of journals are removed only
 *   when a newer one has been recorded.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import type { Acknowledge, Done, Storage } from "../../base/seams/index.ts";
import type { Bundle } from "./bundles/bundle.ts";
import {
  type BundleMark,
  type HostQueues,
  type QueueMarks,
  RECORD_BYTES_MAX,
} from "./host-queues.ts";
import type { Journal } from "./journals/journal.ts";
import type { PushJournal } from "./journals/push-journal.ts";
import type { TakeJournal } from "./journals/take-journal.ts";
import { BANDS, bandOf } from "./priority-band.ts";
import { Pull } from "./pull.ts";
import type { QueueContents } from "./queue-contents.ts";
import { closedError } from "./queue-errors.ts";
import type { QueueUpkeep } from "./queue-upkeep.ts";
import type { RecordBatch } from "./record-batch.ts";

/**
 * With more bundles the caller is asked to hold back until they have been merged. If every host
 * were in every bundle, directories (with that of a bundle being written) and counts would take 239
 * bytes for each host.
 */
const BUNDLES_MAX = 13;

/** What opening puts together. */
export interface QueueParts {
  readonly storage: Storage;
  readonly order: "fifo" | "lifo" | "priority";
  readonly contents: QueueContents;
  readonly upkeep: QueueUpkeep;
  readonly pushes: PushJournal;
  readonly takes: TakeJournal;
  /** Called for failures after which work continues. */
  readonly report: (error: CrawlError) => void;
  /** The checkpoint that was opened; null for new queues. */
  readonly marks: QueueMarks | null;
}

/** What the queues cost, for tests and benches. */
export interface QueuesSize {
  readonly bundles: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  /** Whether a buffer is being written, or bundles are being merged. */
  readonly isBusy: boolean;
}

/** Made by `openDiskHostQueues`. */
export class DiskHostQueues implements HostQueues {
  readonly #parts: QueueParts;
  readonly #contents: QueueContents;
  readonly #bands: number;
  readonly #pulls = new Map<number, Pull>();
  /** The marks of the last checkpoint that succeeded. */
  #answered: QueueMarks | null;
  #isCheckpointing = false;
  #waiting: (() => void)[] = [];
  #closed: Acknowledge | null = null;

  constructor(parts: QueueParts) {
    this.#parts = parts;
    this.#contents = parts.contents;
    this.#bands = parts.order === "priority" ? BANDS : 1;
    this.#answered = parts.marks;
  }

  get isFull(): boolean {
    const { frozen, isActiveFull, bundles } = this.#contents;
    const { upkeep, pushes } = this.#parts;
    const isBehind = upkeep.isStalled || pushes.journal.isBehind || bundles.length > BUNDLES_MAX;
    return isBehind || (frozen !== null && isActiveFull);
  }

  get isClosed(): boolean {
    return this.#closed !== null;
  }

  get total(): number {
    return this.#contents.total;
  }

  get memoryBytes(): number {
    const { pushes, takes } = this.#parts;
    return this.#contents.memoryBytes + pushes.journal.memoryBytes + takes.journal.memoryBytes;
  }

  get size(): QueuesSize {
    const { memoryBytes } = this;
    const { bundles } = this.#contents;
    const diskBytes = bundles.reduce((sum, bundle) => sum + bundle.fileBytes, 0);
    const { isBusy } = this.#parts.upkeep;
    return { bundles: bundles.length, memoryBytes, diskBytes, isBusy };
  }

  count(host: number): number {
    let count = 0;
    for (let band = 0; band < this.#bands; band += 1) {
      count += this.#contents.count(host * this.#bands + band);
    }
    return count;
  }

  push(host: number, record: Uint8Array, from: number, to: number, priority: number): void {
    if (this.#closed !== null) assert.fail("closed queues accept nothing");
    if (to - from > RECORD_BYTES_MAX) assert.fail("a record has a bounded length");
    const band = this.#bands === 1 ? 0 : bandOf(priority);
    this.#contents.push(host * this.#bands + band, record, from, to);
    if (this.#contents.isActiveFull && this.#contents.frozen === null) this.#parts.upkeep.work();
  }

  pull(host: number, recordsMax: number, done: Done<RecordBatch>): void {
    assert(this.#closed === null, "closed queues give nothing");
    assert(recordsMax > 0, "a pull is for at least one record");
    assert(!this.#pulls.has(host), "one pull per host at a time");
    const isStack = this.#parts.order === "lifo";
    const queues = this.#queuesOf(host);
    const later = (callback: () => void): void => this.#later(callback);
    const request = { contents: this.#contents, isStack, queues, recordsMax, later };
    const pull = new Pull(request, (...outcome) => {
      this.#pulls.delete(host);
      const isClosing = this.#closed !== null;
      done(...outcome);
      // Queues that are closed inside this answer see to it themselves.
      if (isClosing) this.#settleClose();
    });
    this.#pulls.set(host, pull);
    pull.start();
  }

  drop(host: number): number {
    assert(this.#closed === null, "closed queues are not changed");
    this.#pulls.get(host)?.drop();
    return this.#queuesOf(host).reduce((sum, queue) => sum + this.#contents.drop(queue), 0);
  }

  checkpoint(done: Done<QueueMarks>): void {
    assert(this.#closed === null, "closed queues have no checkpoints");
    assert(!this.#isCheckpointing, "one checkpoint at a time");
    this.#isCheckpointing = true;
    this.#settle((error, marks) => {
      this.#isCheckpointing = false;
      if (error === null) {
        this.#answered = marks;
        done(null, marks);
      } else done(error, undefined);
    });
    this.#parts.upkeep.retry();
  }

  committed(): void {
    assert(!this.#isCheckpointing, "a checkpoint is recorded when it has been answered");
    const recorded = this.#answered;
    if (recorded === null || this.#closed !== null) return;
    const { pushes, takes, upkeep, report } = this.#parts;
    const told: Acknowledge = (error) => void (error !== null && report(error));
    const takesFrom = recorded.bundles.map((bundle) => bundle.takesFrom);
    pushes.journal.dropBefore(recorded.pushes.from, told);
    takes.journal.dropBefore(Math.min(recorded.takesEnd, ...takesFrom), told);
    upkeep.sweep(new Set(recorded.bundles.map(({ id }) => id)));
  }

  close(done: Acknowledge): void {
    assert(this.#closed === null, "queues are closed once");
    this.#closed = done;
    for (const pull of this.#pulls.values()) pull.fail(closedError());
    if (this.#pulls.size === 0) this.#later(() => this.#settleClose());
  }

  /** The queues of a host, in the order of pulling. */
  #queuesOf(host: number): number[] {
    const best = host * this.#bands + this.#bands - 1;
    return Array.from({ length: this.#bands }, (_, index) => best - index);
  }

  /** Callbacks of one turn are called together, in a later one. */
  #later(callback: () => void): void {
    this.#waiting.push(callback);
    if (this.#waiting.length > 1) return;
    this.#parts.storage.freeBytes(() => {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const each of waiting) each();
    });
  }

  /** Makes both journals durable as they are now. */
  #settle(done: Done<QueueMarks>): void {
    const { pushes, takes, upkeep } = this.#parts;
    const { nextBundle } = upkeep;
    const { oldest } = this.#contents;
    const bundles = this.#contents.bundles.map(markOf);
    let failure: CrawlError | null = null;
    const ends = new Map<Journal, Position>();
    const journals = [pushes.journal, takes.journal];
    let unsettled = journals.length;
    for (const journal of journals) {
      journal.settle((error, end) => {
        failure ??= error;
        if (end !== undefined) ends.set(journal, end);
        unsettled -= 1;
        if (unsettled > 0) return;
        const [to, takesEnd] = journals.map((each) => ends.get(each));
        if (to === undefined || takesEnd === undefined) {
          assert(failure !== null, "what is not durable has failed");
          done(failure, undefined);
        } else {
          const range = { from: oldest.from, to };
          done(null, { bundles, nextBundle, buffer: oldest.number, pushes: range, takesEnd });
        }
      });
    }
  }

  #settleClose(): void {
    const done = this.#closed;
    if (done === null || this.#pulls.size > 0) return;
    const { upkeep, pushes, takes } = this.#parts;
    upkeep.stop(() => {
      pushes.journal.close((pushError) => {
        takes.journal.close((takeError) => done(pushError ?? takeError));
      });
    });
  }
}

function markOf({ content, fileBytes }: Bundle): BundleMark {
  return { id: content.id, fileBytes, takesFrom: content.takesFrom };
}
