/**
 * A table from keys to numbers that grows on disk, in bounded memory and without a pause: new
 * entries gather in a batch; a full batch is frozen and becomes a run in the background while the
 * next one fills; runs are merged in between. A filter knows which keys are certainly in no run, so
 * that most new keys need no disk access.
 *
 * Invariants: the newest number of a key is in the batch, else in the newest frozen batch that has the
 * key (there are two if a checkpoint is taken while one is written), else in the newest such run. `set` always takes its entry: while the disk fails the batch grows,
 * so callers should begin nothing new then.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../errors/index.ts";
import { FingerprintTable, NO_VALUE, slotBytes, type ValueColumn } from "../fingerprints/index.ts";
import { type Acknowledge, type Done, withValue } from "../seams/index.ts";
import { findNewest } from "./find-newest.ts";
import { type GatheredKeys, gatherKeys } from "./gather-keys.ts";
import { KeyFilter } from "./key-filter.ts";
import type { RunFormat } from "./run-layout.ts";
import {
  NO_RUNS,
  openRunStack,
  type RunStack,
  type RunStackMarks,
  type RunStackOptions,
} from "./run-stack.ts";
import { batchOf, writeBatch } from "./write-batch.ts";

/** Numbers by keys: in memory only, or with most of them on disk. */
export interface KeyTable {
  readonly memoryBytes: number;
  /** The number of a key as far as memory knows it; -1 when it does not. */
  recall(high: number, low: number): number;
  /** Whether the disk may know a key that memory does not; false is certain. */
  mayFind(high: number, low: number): boolean;
  /** The number of a key that the disk has, -1 when it has none; answers later. */
  find(high: number, low: number, done: Done<number>): void;
  /** From now on the key has this number, whatever it had before. */
  set(high: number, low: number, value: number): void;
  /** Tries again what has failed. */
  retry(): void;
  /**
   * Makes the entries of this moment durable, and answers with the marks by which the table is opened
   * again as it is now. No file that they name is removed until `keepOnly` allows it.
   */
  checkpoint(done: Done<TableMarks>): void;
  /** The owner has kept these marks of a checkpoint, so that none before them is needed. */
  keepOnly(marks: TableMarks): void;
  close(done: Acknowledge): void;
}

export interface RunTableOptions extends Omit<RunStackOptions, "payloadBytes"> {
  /** How many bytes a number takes: 0 where there are only keys, at most 6. */
  readonly valueBytes: number;
  /** For batches and filter. */
  readonly memoryBytes: number;
  /** The runs that an owner has kept; without them the table is empty, whatever is in its folder. */
  readonly marks?: TableMarks;
  /** Whether the keys of these runs are read into the filter, in the background; not unless given. */
  readonly fillsFilter?: boolean;
  /** Called when a batch or a merge failed; it is tried again with the next entry or `retry`. */
  readonly report: (error: CrawlError) => void;
}

/** The runs of a table, and the greatest number in them; plain values, to be kept. */
export interface TableMarks {
  readonly stack: RunStackMarks;
  readonly greatest: number;
}

export const EMPTY_TABLE: TableMarks = { stack: NO_RUNS, greatest: 0 };

/** An entry is in a batch that fills or is frozen, and once more while it is sorted and written. */
const WRITING_BYTES = 32;
/** One part in this many of the memory is the filter's. */
const FILTER_PART = 2;
const ENTRIES_MIN = 16;
/** With more keys than this for each byte a filter rules out too few to be worth its filling. */
const KEYS_PER_BYTE_MAX = 4;
/** How many keys are read at once: a tenth of a second. */
const GATHERED_MAX = 2_000_000;

/** The filling of a filter: runs that are still to be read, and the place in the first. */
interface Filling {
  readonly marks: RunStackMarks;
  readonly bits: Uint8Array<ArrayBuffer>;
  readonly run: number;
  readonly record: number;
}

export function openRunTable(options: RunTableOptions, done: Done<RunTable>): void {
  const stackOptions = { ...options, payloadBytes: options.valueBytes };
  const made = (stack: RunStack): void => {
    const table = new RunTable(options, stack);
    table.retry();
    done(null, table);
  };
  openRunStack(stackOptions, (options.marks ?? EMPTY_TABLE).stack, withValue(done, made));
}

export class RunTable implements KeyTable {
  readonly #options: RunTableOptions;
  readonly #stack: RunStack;
  readonly #format: RunFormat;
  readonly #filter: KeyFilter;
  readonly #column: ValueColumn;
  readonly #entriesMax: number;
  /** Whether the filter has the keys of all runs. */
  #isFilterWhole: boolean;
  #filling: Filling | null = null;
  #active: FingerprintTable;
  /** To be written, the oldest first. */
  readonly #frozen: FingerprintTable[] = [];
  /** Checkpoints that wait until this many of the frozen batches are runs. */
  #marking: { left: number; readonly done: Done<TableMarks> }[] = [];
  /** The background works for this table, or was given something to write. */
  #isTasked = false;
  #writingBytes = 0;
  #finding = 0;
  /** In the runs. */
  #greatest: number;
  /** Those who wait until everything is in runs. */
  #flushes: Acknowledge[] = [];
  #closed: Acknowledge | null = null;

  constructor(options: RunTableOptions, stack: RunStack) {
    const { memoryBytes, valueBytes, blockRecords } = options;
    this.#options = options;
    const payloadBytes = valueBytes;
    this.#format = blockRecords === undefined ? { payloadBytes } : { payloadBytes, blockRecords };
    this.#stack = stack;
    this.#filter = new KeyFilter(KeyFilter.noBits(memoryBytes / FILTER_PART));
    this.#column = valueBytes > 0 ? Float64Array : null;
    // Two batches with two to four slots an entry, and what is being written.
    const entryBytes = 6 * slotBytes(this.#column) + WRITING_BYTES;
    const batchBytes = memoryBytes - memoryBytes / FILTER_PART;
    this.#entriesMax = Math.max(ENTRIES_MIN, Math.floor(batchBytes / entryBytes));
    this.#active = this.#newBatch();
    this.#greatest = options.marks?.greatest ?? 0;
    this.#isFilterWhole = stack.runs.length === 0;
    const keys = stack.runs.reduce((sum, { count }) => sum + count, 0);
    const isWorthwhile = keys <= KEYS_PER_BYTE_MAX * this.#filter.memoryBytes;
    if (options.fillsFilter === true && !this.#isFilterWhole && isWorthwhile) {
      const bits = KeyFilter.noBits(memoryBytes / FILTER_PART);
      // No merge removes the runs of these marks.
      this.#filling = { marks: stack.pin(), bits, run: 0, record: 0 };
    }
  }

  get memoryBytes(): number {
    let batchBytes = this.#active.memoryBytes;
    for (const { memoryBytes } of this.#frozen) batchBytes += memoryBytes;
    return this.#filter.memoryBytes + batchBytes + this.#writingBytes;
  }

  /** How many runs there are. */
  get runs(): number {
    return this.#stack.runs.length;
  }

  recall(high: number, low: number): number {
    let value = this.#active.get(high, low);
    for (let at = this.#frozen.length - 1; at >= 0 && value === NO_VALUE; at -= 1) {
      value = (this.#frozen[at] as FingerprintTable).get(high, low);
    }
    return value;
  }

  mayFind(high: number, low: number): boolean {
    if (this.#stack.runs.length === 0) return false;
    return !this.#isFilterWhole || this.#filter.mayHave(high, low);
  }

  find(high: number, low: number, done: Done<number>): void {
    assert(this.#closed === null, "a closed table is not searched");
    // No merge removes the runs of these marks.
    const marks = this.#stack.pin();
    this.#finding += 1;
    const { storage } = this.#options;
    const table = { storage, runs: marks.runs, format: this.#format };
    findNewest(table, { high, low }, (...outcome) => {
      this.#stack.unpin(marks);
      this.#finding -= 1;
      done(...outcome);
      this.#settleClose();
    });
  }

  set(high: number, low: number, value: number): void {
    assert(this.#closed === null, "a closed table takes nothing");
    this.#active.set(high, low, value);
    this.#filter.add(high, low);
    if (this.#active.count >= this.#entriesMax) this.retry();
  }

  /** Begins whatever is due; also what has failed before. */
  retry(): void {
    if (this.#isTasked || this.#closed !== null) return;
    const isDue = this.#active.count >= this.#entriesMax || this.#flushes.length > 0;
    if (this.#frozen.length === 0 && isDue && this.#active.count > 0) this.#freeze();
    const [frozen] = this.#frozen;
    if (frozen !== undefined) this.#write(frozen);
    else if (this.#filling !== null) this.#gather(this.#filling);
    else if (this.#stack.isMergeDue) this.#stack.mergeSlice(this.#tasked());
  }

  /** Answers when everything is in runs, or with the error that prevents it. */
  flush(done: Acknowledge): void {
    assert(this.#closed === null, "a closed table is not flushed");
    this.#flushes.push(done);
    this.retry();
    if (!this.#isTasked) this.#options.storage.freeBytes(() => this.#settleFlushes(null));
  }

  checkpoint(done: Done<TableMarks>): void {
    assert(this.#closed === null, "a closed table has no checkpoints");
    if (this.#active.count > 0) this.#freeze();
    if (this.#frozen.length === 0) {
      const marks = this.mark();
      this.#options.storage.freeBytes(() => done(null, marks));
      return;
    }
    this.#marking.push({ left: this.#frozen.length, done });
    this.retry();
  }

  /** The runs of this moment, for an owner that keeps them: see `RunStack`. */
  mark(): TableMarks {
    return { stack: this.#stack.mark(), greatest: this.#greatest };
  }

  forget({ stack }: TableMarks): void {
    this.#stack.forget(stack);
  }

  keepOnly({ stack }: TableMarks): void {
    this.#stack.keepOnly(stack);
  }

  /** What is not in runs that the owner has kept is lost. */
  close(done: Acknowledge): void {
    assert(this.#closed === null, "a table is closed once");
    this.#closed = done;
    this.#settleClose();
  }

  #newBatch(): FingerprintTable {
    return new FingerprintTable(this.#column, this.#entriesMax);
  }

  #freeze(): void {
    this.#frozen.push(this.#active);
    this.#active = this.#newBatch();
  }

  #write(frozen: FingerprintTable): void {
    const { background, storage, valueBytes } = this.#options;
    const batch = { ...batchOf(frozen, this.#stack.newName(), valueBytes), ...this.#format };
    const tasked = this.#tasked();
    this.#writingBytes = frozen.count * WRITING_BYTES;
    background.run(writeBatch, batch, (error, run) => {
      this.#writingBytes = 0;
      if (error === null) {
        this.#stack.push(run);
        this.#greatest = Math.max(this.#greatest, greatestIn(frozen, valueBytes));
        this.#frozen.shift();
        this.#mark();
        tasked(null);
      } else storage.remove(batch.name, () => tasked(error));
    });
  }

  /** A frozen batch has become a run: answers the checkpoints that have waited for it. */
  #mark(): void {
    for (const marking of this.#marking) marking.left -= 1;
    const due = this.#marking.filter(({ left }) => left === 0);
    this.#marking = this.#marking.filter(({ left }) => left > 0);
    for (const { done } of due) done(null, this.mark());
  }

  /** Keys that come meanwhile are in the filter by themselves. */
  #gather(filling: Filling): void {
    const { marks, bits, run: at, record: from } = filling;
    const run = marks.runs[at];
    assert(run !== undefined, "a filling ends with its last run");
    const keys = { run, format: this.#format, from, recordsMax: GATHERED_MAX, bits };
    const tasked = this.#tasked();
    this.#options.background.run(gatherKeys, keys, (error, gathered) => {
      this.#filling = error === null ? nextOf(filling, gathered) : null;
      if (this.#filling === null) this.#stack.unpin(marks);
      if (this.#filling === null && error === null) {
        this.#filter.addAll(gathered.bits);
        this.#isFilterWhole = true;
      }
      // Without a filter every key is looked up, and whoever does so hears of the error.
      tasked(null);
    });
  }

  #tasked(): Acknowledge {
    this.#isTasked = true;
    return (error) => {
      this.#isTasked = false;
      if (error === null) this.retry();
      else if (this.#closed === null) this.#options.report(error);
      this.#settleFlushes(error);
      if (error !== null) for (const { done } of this.#marking.splice(0)) done(error, undefined);
      this.#settleClose();
    };
  }

  #settleFlushes(error: CrawlError | null): void {
    const isWhole = this.#frozen.length === 0 && this.#active.count === 0;
    if (error === null && !isWhole) return;
    for (const done of this.#flushes.splice(0)) done(error);
  }

  #settleClose(): void {
    const done = this.#closed;
    if (done === null || this.#isTasked || this.#finding > 0) return;
    this.#closed = () => undefined;
    this.#options.storage.freeBytes(() => done(null));
  }
}

function nextOf({ marks, run }: Filling, { bits, next }: GatheredKeys): Filling | null {
  if (next !== null) return { marks, bits, run, record: next };
  return run + 1 < marks.runs.length ? { marks, bits, run: run + 1, record: 0 } : null;
}

function greatestIn(batch: FingerprintTable, valueBytes: number): number {
  let greatest = 0;
  if (valueBytes === 0) return greatest;
  batch.each((_high, _low, value) => {
    greatest = Math.max(greatest, value);
  });
  return greatest;
}
