/**
 * The runs of an index by one half of the hash, the oldest first: the files, which a `RunStack`
 * merges, and for each the table that is searched. A merged run is searched once its table has been
 * loaded; until then the runs that it was made from are.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import {
  openRunStack,
  type RunMark,
  type RunStack,
  type RunStackMarks,
  writeBatch,
} from "../../base/runs/index.ts";
import {
  type Acknowledge,
  type Background,
  type Done,
  type FileName,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import type { Half } from "./half-table.ts";
import type { NearBatch } from "./near-batch.ts";
import { NEAR_FORMAT, type NearRun, nearFailure, openNearRun } from "./near-run.ts";

export interface HalfRunsOptions {
  readonly storage: Storage;
  readonly background: Background;
  /** Of the index. */
  readonly folder: FileName;
  /** Of a full batch. */
  readonly batchEntries: number;
}

/**
 * Every run slows every search down, and its tables take as much memory as the entries of a full
 * batch in them: so even two are merged, and the small ones of checkpoints like those of full batches.
 */
const RUNS_MERGED_MIN = 2;

/**
 * Opens the runs by one half that the marks name and removes all other files of this half;
 * `NEAR_RUN_DAMAGED` when one of them is missing or damaged.
 */
export function openHalfRuns(
  options: HalfRunsOptions,
  half: Half,
  marks: RunStackMarks,
  done: Done<HalfRuns>,
): void {
  const { storage, background, batchEntries: recordsMin } = options;
  const stackOptions = {
    ...{ ...NEAR_FORMAT, storage, background, folder: `${options.folder}/${half}` },
    ...({ runsMergedMin: RUNS_MERGED_MIN, recordsMin, keeps: "oldest" } as const),
  };
  const failed = (error: CrawlError): void => done(nearFailure(error), undefined);
  const take = (stack: RunStack): void => {
    const runs = new HalfRuns(options, half, stack);
    runs.open((error) => {
      if (error === null) done(null, runs);
      else {
        runs.retire();
        done(error, undefined);
      }
    });
  };
  openRunStack(stackOptions, marks, withValue(failed, take));
}

export class HalfRuns {
  readonly stack: RunStack;
  readonly #options: HalfRunsOptions;
  readonly #half: Half;
  #runs: readonly NearRun[] = [];

  constructor(options: HalfRunsOptions, half: Half, stack: RunStack) {
    this.stack = stack;
    this.#options = options;
    this.#half = half;
  }

  /** The runs to search. */
  get runs(): readonly NearRun[] {
    return this.#runs;
  }

  /** For opening: loads the tables of all runs. */
  open(done: Acknowledge): void {
    const mark = this.stack.runs[this.#runs.length];
    if (mark === undefined) {
      done(null);
      return;
    }
    const take = (run: NearRun): void => {
      this.#runs = [...this.#runs, run];
      this.open(done);
    };
    this.#open(mark, withValue(done, take));
  }

  /** Makes a run of a batch. */
  add(batch: NearBatch, done: Acknowledge): void {
    const { background, storage } = this.#options;
    const name = this.stack.newName();
    const failed = (error: CrawlError): void => storage.remove(name, () => done(error));
    const open = (mark: RunMark): void => {
      const take = (run: NearRun): void => {
        this.stack.push(mark);
        this.#runs = [...this.#runs, run];
        done(null);
      };
      this.#open(mark, withValue(failed, take));
    };
    const columns = batch.columns(this.#half);
    background.run(writeBatch, { ...NEAR_FORMAT, ...columns, name }, withValue(failed, open));
  }

  get isMergeDue(): boolean {
    return this.#unopened !== undefined || this.stack.isMergeDue;
  }

  /** Does a slice of the merge that is due; `isMade`: a run has replaced others. */
  mergeSlice(done: Done<{ isMade: boolean }>): void {
    if (this.#unopened === undefined) {
      const failed = (error: CrawlError): void => done(nearFailure(error), undefined);
      this.stack.mergeSlice(whenDone(failed, () => this.#openMerged(done)));
    } else this.#openMerged(done);
  }

  /** Closes all files. */
  retire(): void {
    for (const run of this.#runs) run.retire();
  }

  /** A merged run that is not searched yet. */
  get #unopened(): RunMark | undefined {
    const opened = new Set(this.#runs.map(({ mark }) => mark.name));
    return this.stack.runs.find(({ name }) => !opened.has(name));
  }

  #openMerged(done: Done<{ isMade: boolean }>): void {
    const mark = this.#unopened;
    if (mark === undefined) {
      done(null, { isMade: false });
      return;
    }
    const take = (run: NearRun): void => {
      const kept = new Set(this.stack.runs.map(({ name }) => name));
      const merged = this.#runs.filter((each) => !kept.has(each.mark.name));
      const at = this.#runs.indexOf(merged[0] as NearRun);
      this.#runs = this.#runs.toSpliced(at, merged.length, run);
      for (const old of merged) old.retire();
      done(null, { isMade: true });
    };
    this.#open(mark, withValue(done, take));
  }

  #open(mark: RunMark, done: Done<NearRun>): void {
    openNearRun({ ...this.#options, half: this.#half, mark }, done);
  }
}
