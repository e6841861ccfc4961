/**
 * The runs of an index by one half of the hash, the oldest first: the files, which a `RunStack`
 * merges, and for each the table that is searched. A merged run is searched once its table has been
 * loaded; until then the runs that it was made from are.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
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
import { halfFolder } from "./near-marks.ts";
import { NEAR_FORMAT, type NearMark, type NearRun, nearFailure, openNearRun } from "./near-run.ts";

export interface HalfRunsOptions {
  readonly storage: Storage;
  readonly background: Background;
  /** Of the index. */
  readonly folder: FileName;
  readonly half: Half;
}

/** Every run slows every search down, so even two are merged. */
const RUNS_MERGED_MIN = 2;

/** Continues with runs that are already open; all other files of this half are removed. */
export function openHalfRuns(
  options: HalfRunsOptions,
  marks: RunStackMarks<NearMark>,
  runs: readonly NearRun[],
  done: Done<HalfRuns>,
): void {
  const { storage, background, half } = options;
  const folder = halfFolder(options.folder, half);
  const stackOptions = {
    ...{ ...NEAR_FORMAT, storage, background, folder },
    ...({ runsMergedMin: RUNS_MERGED_MIN, keeps: "oldest" } as const),
  };
  const take = (stack: RunStack<NearMark>): void => done(null, new HalfRuns(options, stack, runs));
  openRunStack(stackOptions, marks, withValue(done, take));
}

export class HalfRuns {
  readonly stack: RunStack<NearMark>;
  readonly #options: HalfRunsOptions;
  #runs: readonly NearRun[];

  constructor(options: HalfRunsOptions, stack: RunStack<NearMark>, runs: readonly NearRun[]) {
    this.stack = stack;
    this.#options = options;
    this.#runs = runs;
  }

  /** The runs to search. */
  get runs(): readonly NearRun[] {
    return this.#runs;
  }

  /** Up to where the entries of the log are in runs; null without runs. */
  get end(): Position | null {
    return this.stack.runs.at(-1)?.to ?? null;
  }

  /** Makes a run of a batch whose entries end at `to`. */
  add(batch: NearBatch, to: Position, done: Acknowledge): void {
    const { background, storage } = this.#options;
    const name = this.stack.newName();
    const failed = (error: CrawlError): void => storage.remove(name, () => done(error));
    const open = (written: RunMark): void => {
      const mark = { ...written, to };
      const take = (run: NearRun): void => {
        this.stack.push(mark);
        this.#runs = [...this.#runs, run];
        done(null);
      };
      this.#open(mark, withValue(failed, take));
    };
    const columns = batch.columns(this.#options.half);
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
  get #unopened(): NearMark | undefined {
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

  #open(mark: NearMark, done: Done<NearRun>): void {
    openNearRun({ ...this.#options, mark }, done);
  }
}
