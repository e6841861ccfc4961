/**
 * Opening an index: its log is opened and cut to the length that the owner recorded; the tables of
 * the runs that fit it are loaded, the other runs are removed; and entries that no run holds are read
 * from the log. A damaged run and all newer ones are removed and rebuilt in the same way.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import { type Log, type OpenedLog, openLog, type Position } from "../../base/log/index.ts";
import type {
  Acknowledge,
  Background,
  Done,
  FileName,
  Random,
  Storage,
} from "../../base/seams/index.ts";
import { whenDone, withValue } from "../../base/seams/index.ts";
import { type HalfRuns, openHalfRuns } from "./half-runs.ts";
import { HALVES, type Half } from "./half-table.ts";
import { NearIndex } from "./near-index.ts";
import {
  cutMarks,
  marksName,
  type NearMarks,
  NO_NEAR_MARKS,
  printMarks,
  readMarks,
} from "./near-marks.ts";
import { damagedRun, type NearRun, type NearRunToOpen, openNearRun } from "./near-run.ts";
import { NearRuns } from "./near-runs.ts";
import { replayLog } from "./replay-log.ts";

export interface NearIndexOptions {
  readonly storage: Storage;
  readonly background: Background;
  /** For the salt of a new log. */
  readonly random: Random;
  /** The index has this folder to itself. */
  readonly folder: FileName;
  /** The length that the last checkpoint recorded: what is behind it is cut off. Null keeps all. */
  readonly recordedEnd: Position | null;
  /** How many entries are gathered in memory, in 40 bytes each, before they become a run. */
  readonly batchEntries?: number;
  /** Called with failures of background work, which is tried again at the next commit. */
  readonly report: (error: CrawlError) => void;
}

const BATCH_ENTRIES = 131_072;

/**
 * Opens the index, or makes an empty one. `LOG_OUT_OF_RANGE` when the log is shorter than recorded:
 * then the record belongs to another state of the crawl.
 */
export function openNearIndex(options: NearIndexOptions, done: Done<NearIndex>): void {
  const { storage, random, folder, recordedEnd } = options;
  const start = ({ log }: OpenedLog): void => {
    const opening = new Opening(options, log, done);
    if (recordedEnd === null || recordedEnd === log.end) opening.start();
    else {
      log.cutTo(recordedEnd, (error) => {
        if (error === null) opening.start();
        else opening.fail(error);
      });
    }
  };
  const name = `${folder}/log`;
  openLog({ storage, random, name, framing: "binary" }, withValue(done, start));
}

class Opening {
  readonly #options: NearIndexOptions;
  readonly #log: Log;
  readonly #done: Done<NearIndex>;
  readonly #failed = (error: CrawlError): void => this.fail(error);
  /** By their files. */
  readonly #runs = new Map<FileName, NearRun>();
  /** As they are on disk; a missing file means that there are none. */
  #keptMarks = printMarks(NO_NEAR_MARKS);

  constructor(options: NearIndexOptions, log: Log, done: Done<NearIndex>) {
    this.#options = options;
    this.#log = log;
    this.#done = done;
  }

  start(): void {
    const { storage, folder, report } = this.#options;
    const name = marksName(folder);
    storage.readWhole(name, (error, bytes) => {
      if (error !== null && error.code !== "STORAGE_MISSING") {
        this.fail(error);
        return;
      }
      if (error === null) this.#keptMarks = bytes;
      const marks = readMarks(this.#keptMarks);
      if (marks === null) report(damagedRun(name, "it does not name runs"));
      this.#openRuns(cutMarks(marks ?? NO_NEAR_MARKS, this.#log.end));
    });
  }

  fail(error: CrawlError): void {
    for (const run of this.#runs.values()) run.retire();
    this.#log.close(() => this.#done(error, undefined));
  }

  #openRuns(marks: NearMarks): void {
    const next = this.#unopened(marks);
    if (next === null) {
      this.#keepMarks(marks);
      return;
    }
    openNearRun(next, (error, run) => {
      if (error === null) {
        this.#runs.set(next.mark.name, run);
        this.#openRuns(marks);
      } else if (error.code === "NEAR_RUN_DAMAGED") {
        this.#options.report(error);
        this.#openRuns(cutMarks(marks, next.mark.to - 1));
      } else this.fail(error);
    });
  }

  #unopened(marks: NearMarks): NearRunToOpen | null {
    for (const half of HALVES) {
      const mark = marks[half].runs.find(({ name }) => !this.#runs.has(name));
      if (mark !== undefined) return { ...this.#options, half, mark };
    }
    return null;
  }

  /** Before anything is added: a run that was cut off must never seem to fit a longer log. */
  #keepMarks(marks: NearMarks): void {
    const { storage, folder } = this.#options;
    const bytes = printMarks(marks);
    const goOn = (): void => this.#openHalves(marks);
    if (Buffer.compare(bytes, this.#keptMarks) === 0) goOn();
    else storage.replace(marksName(folder), bytes, whenDone(this.#failed, goOn));
  }

  #openHalves(marks: NearMarks): void {
    const openLow = (high: HalfRuns): void => {
      const finish = (low: HalfRuns): void => this.#replay({ high, low });
      this.#openHalf("low", marks, withValue(this.#failed, finish));
    };
    this.#openHalf("high", marks, withValue(this.#failed, openLow));
  }

  #openHalf(half: Half, marks: NearMarks, done: Done<HalfRuns>): void {
    const runs: NearRun[] = [];
    for (const { name } of marks[half].runs) {
      const run = this.#runs.get(name);
      if (run !== undefined) runs.push(run);
    }
    openHalfRuns({ ...this.#options, half }, marks[half], runs, done);
  }

  #replay(halves: Readonly<Record<Half, HalfRuns>>): void {
    const { batchEntries = BATCH_ENTRIES } = this.#options;
    this.#retireOthers(halves);
    const covered = halves.high.end ?? this.#log.begin;
    const failures: CrawlError[] = [];
    const report = (error: CrawlError): void => {
      failures.push(error);
      this.#options.report(error);
    };
    const runs = new NearRuns({ ...this.#options, report }, halves);
    const index = new NearIndex(this.#log, runs, { batchEntries, covered });
    const ended: Acknowledge = (error) => {
      if (error !== null) runs.close(() => this.#log.close(() => this.#done(error, undefined)));
      else {
        runs.work();
        this.#done(null, index);
      }
    };
    replayLog({ index, runs, reader: this.#log.reader(covered), failures }, ended);
  }

  /** Runs that were opened before a damaged one was found may not count any more. */
  #retireOthers({ high, low }: Readonly<Record<Half, HalfRuns>>): void {
    const kept = new Set([...high.runs, ...low.runs]);
    for (const run of this.#runs.values()) if (!kept.has(run)) run.retire();
  }
}
