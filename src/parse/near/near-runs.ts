/**
 * The runs of an index by both halves, and the work that keeps them few: a frozen batch becomes a run
 * by each half, and runs are merged. Which runs count at a checkpoint is what its marks say. One task
 * at a time is under way, in the background; until it has ended the frozen batch and the old runs are
 * still searched.
 *
 * A failure (such as a full disk) is reported, and nothing more is started until `retry`.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { RunStackMarks } from "../../base/runs/index.ts";
import type { Acknowledge, Done, Storage } from "../../base/seams/index.ts";
import type { HalfRuns } from "./half-runs.ts";
import type { Half } from "./half-table.ts";
import type { NearBatch } from "./near-batch.ts";
import type { NearRun } from "./near-run.ts";

export interface NearRunsOptions {
  readonly storage: Storage;
  /** Called with every failure of background work, which is tried again at the next `retry`. */
  readonly report: (error: CrawlError) => void;
}

/** Which runs count at one moment, by each half: plain values, to be kept. */
export type NearMarks = Readonly<Record<Half, RunStackMarks>>;

export class NearRuns {
  readonly #options: NearRunsOptions;
  readonly #high: HalfRuns;
  readonly #low: HalfRuns;
  /** The runs to search, by both halves. */
  #runs: readonly NearRun[] = [];
  /** Batches that are to become runs, the oldest first: one that was full, one of a checkpoint. */
  #frozen: readonly NearBatch[] = [];
  /** The first frozen batch has its run by the high half. */
  #hasHigh = false;
  #isBusy = false;
  #hasFailed = false;
  /** Whether a run is damaged: then nothing is merged until the index is opened again. */
  #isDamaged = false;
  /** The checkpoint that waits for the frozen batches. */
  #checkpoint: Done<NearMarks> | null = null;
  /** Closes, when the work under way has ended. */
  #closed: (() => void) | null = null;
  #idle: (() => void)[] = [];

  constructor(options: NearRunsOptions, { high, low }: Readonly<Record<Half, HalfRuns>>) {
    this.#options = options;
    this.#high = high;
    this.#low = low;
    this.#gatherRuns();
  }

  get runs(): readonly NearRun[] {
    return this.#runs;
  }

  /** How many runs a search looks into, by each half. */
  get depth(): number {
    return Math.max(this.#high.runs.length, this.#low.runs.length);
  }

  /** Entries in runs. */
  get entries(): number {
    return this.#high.runs.reduce((sum, { mark }) => sum + mark.count, 0);
  }

  get frozen(): readonly NearBatch[] {
    return this.#frozen;
  }

  /** Makes runs of a batch. */
  freeze(batch: NearBatch): void {
    this.#frozen = [...this.#frozen, batch];
    this.work();
  }

  /**
   * Answers with the marks of the moment at which the batches frozen so far are in runs; none may be
   * frozen until then.
   */
  checkpoint(done: Done<NearMarks>): void {
    assert(this.#checkpoint === null, "one checkpoint at a time");
    this.#checkpoint = done;
    if (this.#frozen.length === 0) this.#answerCheckpoint();
    this.retry();
  }

  /** These marks are recorded durably: files that only earlier ones need are removed. */
  keepOnly({ high, low }: NearMarks): void {
    this.#high.stack.keepOnly(high);
    this.#low.stack.keepOnly(low);
  }

  /** Tries again what has failed. */
  retry(): void {
    this.#hasFailed = false;
    this.work();
  }

  /** Starts what is due, if nothing is under way. */
  work(): void {
    if (this.#isBusy || this.#hasFailed || this.#closed !== null) return;
    const halves = [this.#high, this.#low];
    const crowded = halves.find(({ stack }) => stack.isCrowded);
    const merging = crowded ?? halves.find(({ isMergeDue }) => isMergeDue);
    const canMerge = merging !== undefined && !this.#isDamaged;
    const batch = this.#frozen[0];
    if (batch !== undefined && !(canMerge && crowded)) this.#write(batch);
    else if (canMerge) this.#merge(merging);
    else this.#settleIdle();
  }

  /** Calls back when no work is left, or some has failed; perhaps at once. */
  whenIdle(callback: () => void): void {
    this.#idle.push(callback);
    if (!this.#isBusy) this.#settleIdle();
  }

  /** Closes all files when the work under way has ended; nothing new is started. */
  close(done: Acknowledge): void {
    this.#closed = () => {
      this.#high.retire();
      this.#low.retire();
      this.#options.storage.freeBytes(() => done(null));
    };
    if (!this.#isBusy) this.#closed();
  }

  /** The batch stays in memory until both halves have a run of it. */
  #write(batch: NearBatch): void {
    const half = this.#hasHigh ? this.#low : this.#high;
    const ended = this.#begun();
    half.add(batch, (error) => {
      if (error === null) {
        if (this.#hasHigh) this.#frozen = this.#frozen.slice(1);
        this.#hasHigh = !this.#hasHigh;
        this.#gatherRuns();
        if (this.#frozen.length === 0) this.#answerCheckpoint();
      }
      ended(error);
    });
  }

  #merge(half: HalfRuns): void {
    const ended = this.#begun();
    half.mergeSlice((error, made) => {
      if (made?.isMade === true) this.#gatherRuns();
      if (error?.code !== "NEAR_RUN_DAMAGED") ended(error);
      else {
        // What can be read of it is used until the index is opened again, which leaves it out.
        this.#isDamaged = true;
        this.#options.report(error);
        ended(null);
      }
    });
  }

  #gatherRuns(): void {
    this.#runs = [...this.#high.runs, ...this.#low.runs];
  }

  /** Every batch that was frozen before the checkpoint was asked for is in runs. */
  #answerCheckpoint(): void {
    const done = this.#checkpoint;
    if (done === null) return;
    const marks = { high: this.#high.stack.mark(), low: this.#low.stack.mark() };
    this.#checkpoint = null;
    this.#options.storage.freeBytes(() => done(null, marks));
  }

  /** Work is under way until the returned function is called. */
  #begun(): Acknowledge {
    this.#isBusy = true;
    return (error) => this.#end(error);
  }

  #end(error: CrawlError | null): void {
    this.#isBusy = false;
    const checkpoint = this.#checkpoint;
    if (error !== null) {
      this.#hasFailed = true;
      this.#checkpoint = null;
      this.#options.report(error);
    }
    if (this.#closed !== null) this.#closed();
    else if (this.#hasFailed) this.#settleIdle();
    else this.work();
    // Whoever asked may ask again at once.
    if (error !== null) checkpoint?.(error, undefined);
  }

  #settleIdle(): void {
    const waiting = this.#idle;
    this.#idle = [];
    for (const callback of waiting) callback();
  }
}
