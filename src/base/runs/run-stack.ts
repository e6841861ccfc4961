/**
 * The runs of one owner, the oldest first, and what keeps them few and safe: merges by the policy,
 * a slice at a time, and the removal of files that are no longer needed.
 *
 * There is no manifest on disk. Which runs count is what the owner's last checkpoint says: it keeps
 * the `RunStackMarks` in the same transaction as everything else that belongs to that moment, and
 * opens the stack with them. So a file that a merge has used up is removed only when marks are kept
 * that do not name it, and a file that the marks do not name is removed at opening.
 *
 * The owner asks for one thing at a time of the background: between `mergeSlice` and its answer it
 * starts no task of its own that reads runs.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../errors/index.ts";
import {
  type Acknowledge,
  type Background,
  type Done,
  type FileName,
  type Storage,
  whenDone,
  withValue,
} from "../seams/index.ts";
import { runsToMerge } from "./merge-policy.ts";
import { type MergeState, mergeRuns, startMerge } from "./merge-runs.ts";
import { openRun, type RunFile, type RunMark } from "./run-file.ts";
import type { RunFormat } from "./run-layout.ts";

/** Runs of about one size that become one. */
const RUNS_MERGED_MIN = 4;

export interface RunStackOptions extends RunFormat {
  readonly storage: Storage;
  readonly background: Background;
  /** The stack has this folder to itself. */
  readonly folder: FileName;
  /** How many records a slice of a merge takes: at 50 ns each, how long others wait for it. */
  readonly sliceRecords?: number;
  /** Fewer runs than this are not merged; 4, or 2 where every run adds cost to every search. */
  readonly runsMergedMin?: number;
  /** Shorter runs are merged as if they had this many records, where every run has a fixed cost. */
  readonly recordsMin?: number;
  /** Which record of several with one key is kept; the newest by default. */
  readonly keeps?: "newest" | "oldest";
}

/** Which runs count at one moment, and the number of the next; plain values, to be kept. */
export interface RunStackMarks {
  readonly runs: readonly RunMark[];
  readonly nextNumber: number;
}

export const NO_RUNS: RunStackMarks = { runs: [], nextNumber: 1 };

const SLICE_RECORDS = 2_000_000;
/** The policy leaves fewer than this of ten thousand batches, if its merges are done. */
const RUNS_CROWDED = 20;

/**
 * Opens the runs that the marks name, to see that they are whole at both ends (`RUN_DAMAGED` when
 * one is not), and removes all other files of the folder.
 */
export function openRunStack(
  options: RunStackOptions,
  marks: RunStackMarks,
  done: Done<RunStack>,
): void {
  const { storage, folder } = options;
  const named = new Set(marks.runs.map(({ name }) => name));
  const sweep = (files: readonly FileName[]): void => {
    // A file with another name is not a run, and not ours to remove.
    const others = files.filter((file) => RUN_FILE.test(file) && !named.has(file));
    const finish = whenDone(done, () => done(null, new RunStack(options, marks)));
    removeAll(storage, others, finish);
  };
  const list = whenDone(done, () => storage.list(folder, withValue(done, sweep)));
  examineAll(options, marks.runs, list);
}

const RUN_FILE = /\/run-\d+$/;

export class RunStack {
  readonly #options: RunStackOptions;
  #runs: RunMark[];
  #nextNumber: number;
  #merge: MergeState | null = null;
  /** Marks that were given out and not yet replaced by newer ones that are kept. */
  #held: RunStackMarks[];
  /** Runs that are being read, whatever becomes of marks. */
  readonly #pinned = new Set<RunStackMarks>();
  /** Files that went into merges and are still there. */
  readonly #retired = new Set<FileName>();

  constructor(options: RunStackOptions, marks: RunStackMarks) {
    this.#options = options;
    this.#runs = [...marks.runs];
    this.#nextNumber = marks.nextNumber;
    this.#held = [marks];
  }

  get runs(): readonly RunMark[] {
    return this.#runs;
  }

  /** A name that no run of this stack has. */
  newName(): FileName {
    return `${this.#options.folder}/run-${this.#nextNumber++}`;
  }

  /** Adds a finished run, newer than all others. */
  push(run: RunMark): void {
    this.#runs.push(run);
  }

  get isMergeDue(): boolean {
    return this.#merge !== null || this.#dueRuns().length > 0;
  }

  /** Merges have fallen behind: they should go before whatever makes more runs. */
  get isCrowded(): boolean {
    return this.#runs.length > RUNS_CROWDED && this.isMergeDue;
  }

  /**
   * Does a slice of the merge that is due. After an error the merge is abandoned and its file
   * removed, which frees space on a full disk; it starts over with the next slice.
   */
  mergeSlice(done: Acknowledge): void {
    assert(this.isMergeDue, "a merge is due");
    const { background, sliceRecords = SLICE_RECORDS } = this.#options;
    const state = this.#merge ?? this.#startMerge();
    this.#merge = state;
    background.run(mergeRuns, { state, recordsMax: sliceRecords }, (error, progress) => {
      if (error !== null) this.#giveUp(state, error, done);
      else {
        if (progress.kind === "finished") this.#replace(state, progress.run);
        else this.#merge = progress.state;
        done(null);
      }
    });
  }

  /** The marks of this moment; no file that they name is removed until `keepOnly` allows it. */
  mark(): RunStackMarks {
    const marks = { runs: [...this.#runs], nextNumber: this.#nextNumber };
    this.#held.push(marks);
    return marks;
  }

  /** The runs of this moment, to be read: none of their files is removed until `unpin`. */
  pin(): RunStackMarks {
    const marks = { runs: [...this.#runs], nextNumber: this.#nextNumber };
    this.#pinned.add(marks);
    return marks;
  }

  unpin(marks: RunStackMarks): void {
    this.#pinned.delete(marks);
    this.#removeUnneeded();
  }

  /** These marks will not be kept: the transaction they were made for has failed. */
  forget(marks: RunStackMarks): void {
    this.#held = this.#held.filter((held) => held !== marks);
    this.#removeUnneeded();
  }

  /** These marks are kept now, and none before them. */
  keepOnly(marks: RunStackMarks): void {
    const at = this.#held.indexOf(marks);
    if (at < 0) return;
    this.#held = this.#held.slice(at);
    this.#removeUnneeded();
  }

  #dueRuns(): readonly RunMark[] {
    const { runsMergedMin = RUNS_MERGED_MIN, recordsMin = 0 } = this.#options;
    const counts = this.#runs.map(({ count }) => Math.max(count, recordsMin));
    const merged = runsToMerge(counts, runsMergedMin);
    return merged === 0 ? [] : this.#runs.slice(-merged);
  }

  #startMerge(): MergeState {
    const { payloadBytes, blockRecords, keeps } = this.#options;
    const due = this.#dueRuns();
    const format = blockRecords === undefined ? { payloadBytes } : { payloadBytes, blockRecords };
    return startMerge(keeps === "oldest" ? due.toReversed() : due, this.newName(), format);
  }

  /** The new run takes the place of those it was made of; newer ones may have come meanwhile. */
  #replace({ runs }: MergeState, run: RunMark): void {
    const names = new Set(runs.map(({ name }) => name));
    const at = this.#runs.findIndex(({ name }) => names.has(name));
    assert(at >= 0, "the runs of a merge are in the stack until it is finished");
    this.#runs.splice(at, runs.length, run);
    this.#merge = null;
    for (const { name } of runs) this.#retired.add(name);
    this.#removeUnneeded();
  }

  #giveUp(state: MergeState, error: CrawlError, done: Acknowledge): void {
    this.#merge = null;
    this.#options.storage.remove(state.name, () => done(error));
  }

  /** What cannot be removed now is removed next time, or at opening. */
  #removeUnneeded(): void {
    const marks = [...this.#held, ...this.#pinned];
    const needed = new Set(marks.flatMap(({ runs }) => runs.map(({ name }) => name)));
    for (const name of this.#retired) {
      if (needed.has(name)) continue;
      this.#retired.delete(name);
      this.#options.storage.remove(name, (error) => {
        if (error !== null) this.#retired.add(name);
      });
    }
  }
}

function examineAll(
  options: RunStackOptions,
  [run, ...others]: readonly RunMark[],
  done: Acknowledge,
): void {
  if (run === undefined) {
    done(null);
    return;
  }
  const { storage } = options;
  const close = (file: RunFile): void =>
    file.close(whenDone(done, () => examineAll(options, others, done)));
  openRun(storage, run, options, withValue(done, close));
}

function removeAll(
  storage: Storage,
  [file, ...others]: readonly FileName[],
  done: Acknowledge,
): void {
  if (file === undefined) done(null);
  else
    storage.remove(
      file,
      whenDone(done, () => removeAll(storage, others, done)),
    );
}
