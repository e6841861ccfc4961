/**
 * The runs of an index, the oldest first, and the work that keeps them few: a frozen batch becomes a
 * run, runs become a bigger one. One thing at a time is under way, in the background; until it has
 * ended the frozen batch and the old runs stay where they are.
 *
 * A failure (a full disk, say) is reported and nothing more is begun until `retry`.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import { runsToMerge } from "../../base/runs/index.ts";
import type { Background, FileName, Storage } from "../../base/seams/index.ts";
import type { NearBatch } from "./near-batch.ts";
import { type NearRun, openRun } from "./near-run.ts";
import { type RunName, type RunPart, runName } from "./run-name.ts";
import { mergeNearRuns, writeNearBatch } from "./run-tasks.ts";

/** Every run costs every search something, so that even two are made one. */
const RUNS_MIN = 2;

export interface RunStackOptions {
  readonly storage: Storage;
  readonly background: Background;
  readonly folder: FileName;
  /** Told of every failure of the work in the background; it is tried again at the next commit. */
  readonly report: (error: CrawlError) => void;
}

interface FrozenBatch {
  readonly batch: NearBatch;
  readonly part: RunPart;
}

export class RunStack {
  readonly #options: RunStackOptions;
  #runs: NearRun[];
  #frozen: FrozenBatch | null = null;
  #isBusy = false;
  #hasFailed = false;
  /** A run was found to be damaged: nothing is merged until the index is opened again. */
  #isDamaged = false;
  /** Waits for the work under way, to close. */
  #closed: (() => void) | null = null;
  #idle: (() => void)[] = [];

  constructor(options: RunStackOptions, runs: readonly NearRun[]) {
    this.#options = options;
    this.#runs = [...runs];
  }

  get runs(): readonly NearRun[] {
    return this.#runs;
  }

  get frozen(): NearBatch | null {
    return this.#frozen?.batch ?? null;
  }

  /** Takes a full batch to make a run of it; none must be frozen. */
  freeze(batch: NearBatch, part: RunPart): void {
    assert(this.#frozen === null, "one batch is frozen at a time");
    this.#frozen = { batch, part };
    this.work();
  }

  /** Tries again what has failed. */
  retry(): void {
    this.#hasFailed = false;
    this.work();
  }

  /** Begins what is due, if nothing is under way. */
  work(): void {
    if (this.#isBusy || this.#hasFailed || this.#closed !== null) return;
    const merged = this.#isDamaged
      ? 0
      : runsToMerge(
          this.#runs.map(({ name }) => name.count),
          RUNS_MIN,
        );
    if (this.#frozen !== null) this.#writeBatch(this.#frozen);
    else if (merged > 0) this.#merge(this.#runs.slice(-merged));
    else this.#settleIdle();
  }

  /** Calls back when nothing is under way or due, or work has failed; perhaps at once. */
  whenIdle(callback: () => void): void {
    this.#idle.push(callback);
    if (!this.#isBusy) this.#settleIdle();
  }

  /** Lets all files go when the work under way has ended; nothing new is begun. */
  close(done: () => void): void {
    this.#closed = () => {
      for (const run of this.#runs) run.retire();
      done();
    };
    if (!this.#isBusy) this.#closed();
  }

  #writeBatch({ batch, part }: FrozenBatch): void {
    const { background, folder } = this.#options;
    const entries = {
      highs: batch.highs.slice(0, batch.count),
      lows: batch.lows.slice(0, batch.count),
      ids: batch.ids.slice(0, batch.count),
    };
    this.#isBusy = true;
    background.run(writeNearBatch, { folder, part, entries }, (error, count) => {
      this.#open(error ?? { ...part, count }, (run) => {
        this.#runs.push(run);
        this.#frozen = null;
      });
    });
  }

  #merge(merged: readonly NearRun[]): void {
    const { background, folder } = this.#options;
    const runs = merged.map(({ name }) => name);
    const part = { from: runs[0]?.from ?? 0, to: runs.at(-1)?.to ?? 0 };
    this.#isBusy = true;
    background.run(mergeNearRuns, { folder, runs }, (error, count) => {
      if (error?.code === "NEAR_RUN_DAMAGED") this.#dropDamaged(error);
      else this.#open(error ?? { ...part, count }, (run) => this.#replace(merged, run));
    });
  }

  /** Opens a run that was written, and hands it on; goes on with what is due then. */
  #open(name: RunName | CrawlError, taken: (run: NearRun) => void): void {
    const { storage, folder } = this.#options;
    if (name instanceof Error) {
      this.#end(name);
      return;
    }
    openRun(storage, runName(folder, name), (error, run) => {
      if (error === null) taken(run);
      this.#end(error);
    });
  }

  /** The new run has taken the place of the old ones; their files go, and if not now then later. */
  #replace(merged: readonly NearRun[], run: NearRun): void {
    const { storage, folder } = this.#options;
    this.#runs = [...this.#runs.slice(0, -merged.length), run];
    for (const { name } of merged) storage.remove(runName(folder, name), () => undefined);
    for (const old of merged) old.retire();
  }

  /** What can be read of the run serves until the index is opened again, which makes it anew. */
  #dropDamaged(error: CrawlError): void {
    this.#isDamaged = true;
    this.#options.report(error);
    this.#options.storage.remove(String(error.facts["file"]), () => this.#end(null));
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
