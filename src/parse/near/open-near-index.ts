/**
 * Opening an index: its log is opened and cut to the length that the owner recorded; the runs that
 * fit it are read into memory, the others removed; and what no run holds is read from the log. If a
 * run turns out to be damaged, it and all behind it are removed and made anew in the same way.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import {
  type FrameBatch,
  type Log,
  type LogReader,
  type OpenedLog,
  openLog,
  type Position,
} from "../../base/log/index.ts";
import type {
  Acknowledge,
  Background,
  Done,
  FileName,
  Random,
  Storage,
} from "../../base/seams/index.ts";
import { whenDone, withValue } from "../../base/seams/index.ts";
import { decodeEntry, type NearEntry } from "./near-entry.ts";
import { NearIndex } from "./near-index.ts";
import { type NearRun, openRun } from "./near-run.ts";
import {
  chosenRuns,
  isUnfinished,
  logName,
  parseRunName,
  type RunName,
  runName,
} from "./run-name.ts";
import { RunStack } from "./run-stack.ts";

export interface NearIndexOptions {
  readonly storage: Storage;
  readonly background: Background;
  /** The salt of a new log is drawn from it. */
  readonly random: Random;
  /** The index has this folder to itself. */
  readonly folder: FileName;
  /** The length that the last checkpoint recorded: what is behind it is cut off. Null: keep all. */
  readonly recordedEnd: Position | null;
  /** How many entries are gathered in memory before they become a run: 40 bytes for each. */
  readonly batchEntries?: number;
  /** Told of failures in the background; the work is tried again at the next commit. */
  readonly report: (error: CrawlError) => void;
}

const BATCH_ENTRIES = 131_072;

/**
 * Opens the index, or makes an empty one. `LOG_OUT_OF_RANGE` when the log is shorter than recorded:
 * then index and record are of different states of the crawl.
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
  const name = logName(folder);
  openLog({ storage, random, name, framing: "binary" }, withValue(done, start));
}

class Opening {
  readonly #options: NearIndexOptions;
  readonly #log: Log;
  readonly #done: Done<NearIndex>;
  readonly #runs: NearRun[] = [];

  constructor(options: NearIndexOptions, log: Log, done: Done<NearIndex>) {
    this.#options = options;
    this.#log = log;
    this.#done = done;
  }

  start(): void {
    const { storage, folder } = this.#options;
    const failed = (error: CrawlError): void => this.fail(error);
    const choose = (files: readonly FileName[]): void => {
      const names = files.map(parseRunName).filter((name) => name !== null);
      const chosen = chosenRuns(names, this.#log.begin, this.#log.end);
      const kept = new Set(chosen.map((name) => runName(folder, name)));
      const runs = names.map((name) => runName(folder, name));
      const others = runs.filter((file) => !kept.has(file));
      this.#remove([...others, ...files.filter(isUnfinished)], () => this.#openRuns(chosen));
    };
    storage.list(folder, withValue(failed, choose));
  }

  fail(error: CrawlError): void {
    for (const run of this.#runs) run.retire();
    this.#log.close(() => this.#done(error, undefined));
  }

  #remove([file, ...others]: readonly FileName[], then: () => void): void {
    if (file === undefined) then();
    else {
      this.#options.storage.remove(file, (error) => {
        if (error !== null) this.fail(error);
        else this.#remove(others, then);
      });
    }
  }

  #openRuns([name, ...others]: readonly RunName[]): void {
    const { storage, folder } = this.#options;
    if (name === undefined) {
      this.#replay();
      return;
    }
    openRun(storage, runName(folder, name), (error, run) => {
      if (error === null) {
        this.#runs.push(run);
        this.#openRuns(others);
      } else if (error.code === "NEAR_RUN_DAMAGED") {
        this.#options.report(error);
        const bad = [name, ...others].map((each) => runName(folder, each));
        this.#remove(bad, () => this.#replay());
      } else this.fail(error);
    });
  }

  #replay(): void {
    const { batchEntries = BATCH_ENTRIES, report, ...rest } = this.#options;
    const covered = this.#runs.at(-1)?.name.to ?? this.#log.begin;
    const failures: CrawlError[] = [];
    const reportAll = (error: CrawlError): void => {
      failures.push(error);
      report(error);
    };
    const stack = new RunStack({ ...rest, report: reportAll }, this.#runs);
    const index = new NearIndex(this.#log, stack, { batchEntries, covered });
    const reader = this.#log.reader(covered);
    replay({ index, stack, reader, failures }, (error) => {
      reader.close(() => {
        if (error !== null) stack.close(() => this.#log.close(() => this.#done(error, undefined)));
        else {
          stack.work();
          this.#done(null, index);
        }
      });
    });
  }
}

interface Replay {
  readonly index: NearIndex;
  readonly stack: RunStack;
  readonly reader: LogReader;
  readonly failures: readonly CrawlError[];
}

function replay(state: Replay, done: Acknowledge): void {
  const take = (frames: FrameBatch): void => {
    const isAtEnd = frames.count === 0 && frames.damage.length === 0;
    if (isAtEnd) done(null);
    else {
      const goOn = whenDone(done, () => replay(state, done));
      replayFrames(state, frames, 0, goOn);
    }
  };
  state.reader.read(withValue(done, take));
}

/** Takes the frames into the index; where it is full, waits until a run has been written. */
function replayFrames(state: Replay, frames: FrameBatch, from: number, done: Acknowledge): void {
  const { index, stack, failures } = state;
  for (let at = from; at < frames.count; at++) {
    const entry: NearEntry | null = decodeEntry(frames.payloadOf(at));
    if (entry === null || index.tryReplay(entry, frames.endOf(at))) continue;
    stack.whenIdle(() => {
      const failure = failures[0];
      if (failure !== undefined) done(failure);
      else replayFrames(state, frames, at, done);
    });
    return;
  }
  done(null);
}
