/**
 * The runs of an index by both halves, and the work that keeps them few: a frozen batch becomes a run
 * by each half, and runs are merged. One task at a time is under way, in the background; until it has
 * ended the frozen batch and the old runs are still searched.
 *
 * A failure (such as a full disk) is reported, and nothing more is started until `retry`.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import type { Acknowledge, FileName, Storage } from "../../base/seams/index.ts";
import type { HalfRuns } from "./half-runs.ts";
import type { Half } from "./half-table.ts";
import type { NearBatch } from "./near-batch.ts";
import { marksName, printMarks } from "./near-marks.ts";
import type { NearRun } from "./near-run.ts";

export interface NearRunsOptions {
  readonly storage: Storage;
  readonly folder: FileName;
  /** Called with every failure of background work, which is tried again at the next commit. */
  readonly report: (error: CrawlError) => void;
}

interface FrozenBatch {
  readonly batch: NearBatch;
  /** Where its entries end in the log. */
  readonly to: Position;
}

export class NearRuns {
  readonly #options: NearRunsOptions;
  readonly #high: HalfRuns;
  readonly #low: HalfRuns;
  /** The runs to search, by both halves. */
  #runs: readonly NearRun[] = [];
  #frozen: FrozenBatch | null = null;
  #isBusy = false;
  #hasFailed = false;
  /** Whether runs have changed since the marks were written. */
  #areMarksOld = false;
  /** Whether a run is damaged: then nothing is merged until the index is opened again. */
  #isDamaged = false;
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

  get frozen(): NearBatch | null {
    return this.#frozen?.batch ?? null;
  }

  /** Makes runs of a full batch. No other may be frozen. */
  freeze(batch: NearBatch, to: Position): void {
    assert(this.#frozen === null, "one batch is frozen at a time");
    this.#frozen = { batch, to };
    this.work();
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
    if (this.#frozen !== null && !(canMerge && crowded)) this.#write(this.#frozen);
    else if (this.#areMarksOld) this.#keepMarks(this.#begun());
    else if (canMerge) this.#merge(merging);
    else this.#settleIdle();
  }

  /** Calls back when no work is left, or some has failed; perhaps at once. */
  whenIdle(callback: () => void): void {
    this.#idle.push(callback);
    if (!this.#isBusy) this.#settleIdle();
  }

  /** Closes all files when the work under way has ended; nothing new is started. */
  close(done: () => void): void {
    this.#closed = () => {
      this.#high.retire();
      this.#low.retire();
      done();
    };
    if (!this.#isBusy) this.#closed();
  }

  /** The batch stays in memory until both halves have a run of it. */
  #write({ batch, to }: FrozenBatch): void {
    const half = this.#high.end === to ? this.#low : this.#high;
    const ended = this.#begun();
    half.add(batch, to, (error) => {
      if (this.#high.end === to && this.#low.end === to) {
        this.#frozen = null;
        this.#changed();
      }
      ended(error);
    });
  }

  #merge(half: HalfRuns): void {
    const ended = this.#begun();
    half.mergeSlice((error, made) => {
      if (made?.isMade === true) this.#changed();
      if (error?.code !== "NEAR_RUN_DAMAGED") ended(error);
      else {
        // What can be read of it is used until the index is opened again, which rebuilds it.
        this.#isDamaged = true;
        this.#options.report(error);
        ended(null);
      }
    });
  }

  #changed(): void {
    this.#areMarksOld = true;
    this.#gatherRuns();
  }

  #gatherRuns(): void {
    this.#runs = [...this.#high.runs, ...this.#low.runs];
  }

  /** Files that older marks name may be removed only when the new marks are durable. */
  #keepMarks(done: Acknowledge): void {
    const { storage, folder } = this.#options;
    const high = this.#high.stack.mark();
    const low = this.#low.stack.mark();
    storage.replace(marksName(folder), printMarks({ high, low }), (error) => {
      if (error === null) {
        this.#areMarksOld = false;
        this.#high.stack.keepOnly(high);
        this.#low.stack.keepOnly(low);
      } else {
        this.#high.stack.forget(high);
        this.#low.stack.forget(low);
      }
      done(error);
    });
  }

  /** Work is under way until the returned function is called. */
  #begun(): Acknowledge {
    this.#isBusy = true;
    return (error) => this.#end(error);
  }

  #end(error: CrawlError | null): void {
    this.#isBusy = false;
    if (error !== null) {
      this.#hasFailed = true;
      this.#options.report(error);
    }
    if (this.#closed !== null) this.#closed();
    else if (this.#hasFailed) this.#settleIdle();
    else this.work();
  }

  #settleIdle(): void {
    const waiting = this.#idle;
    this.#idle = [];
    for (const callback of waiting) callback();
  }
}
