/**
 * The work of an index that is done in the background: writing the first run of a batch, and making
 * one run of several. Both answer with the number of entries in the new run, which then has its
 * name; the runs that went into it are left to whoever asked.
 */
import type {
  Acknowledge,
  Done,
  FileName,
  ReadableFile,
  Storage,
  Task,
} from "../../base/seams/index.ts";
import { whenDone, withValue } from "../../base/seams/index.ts";
import {
  type EntryChunk,
  type EntrySource,
  type LooseEntries,
  sortedChunk,
} from "./entry-chunk.ts";
import { MergeSource } from "./merge-source.ts";
import { readRunFooter } from "./near-run.ts";
import { RunCursor } from "./run-cursor.ts";
import type { Half, RunFooter } from "./run-layout.ts";
import { type RunName, type RunPart, runName } from "./run-name.ts";
import { writeRun } from "./run-writer.ts";

export interface BatchToWrite {
  readonly folder: FileName;
  readonly part: RunPart;
  readonly entries: LooseEntries;
}

export const writeNearBatch: Task<BatchToWrite, number> = {
  module: import.meta.url,
  name: "writeNearBatch",
  run({ folder, part, entries }, { storage }, done) {
    const sources = {
      high: new BatchSource(entries, "high"),
      low: new BatchSource(entries, "low"),
    };
    writeRun({ storage, folder, part, sources }, done);
  },
};

export interface RunsToMerge {
  readonly folder: FileName;
  /** Neighbours in the log, the oldest first. */
  readonly runs: readonly RunName[];
}

export const mergeNearRuns: Task<RunsToMerge, number> = {
  module: import.meta.url,
  name: "mergeNearRuns",
  run({ folder, runs }, { storage }, done) {
    const files: MergedFile[] = [];
    const settle: Done<number> = (...outcome) => closeFiles(files, () => done(...outcome));
    const work: Merge = { storage, folder, runs, files };
    openFiles(
      work,
      whenDone(settle, () => merge(work, settle)),
    );
  },
};

/** All entries of a batch as one chunk; sorted only when asked for. */
class BatchSource implements EntrySource {
  readonly countMax: number;
  readonly #entries: LooseEntries;
  readonly #half: Half;
  #isGiven = false;

  constructor(entries: LooseEntries, half: Half) {
    this.countMax = entries.ids.length;
    this.#entries = entries;
    this.#half = half;
  }

  next(done: Done<EntryChunk | null>): void {
    if (this.#isGiven) done(null, null);
    else {
      this.#isGiven = true;
      done(null, sortedChunk(this.#entries, this.#half));
    }
  }
}

interface MergedFile {
  readonly file: ReadableFile;
  readonly footer: RunFooter;
}

interface Merge {
  readonly storage: Storage;
  readonly folder: FileName;
  readonly runs: readonly RunName[];
  readonly files: MergedFile[];
}

function openFiles(merge: Merge, done: Acknowledge): void {
  const { storage, folder, runs, files } = merge;
  const run = runs[files.length];
  if (run === undefined) {
    done(null);
    return;
  }
  const take = (file: ReadableFile): void =>
    readRunFooter(file, run, (error, footer) => {
      if (error !== null) file.close(() => done(error));
      else {
        files.push({ file, footer });
        openFiles(merge, done);
      }
    });
  storage.openToRead(runName(folder, run), withValue(done, take));
}

function closeFiles(files: MergedFile[], done: () => void): void {
  const last = files.pop();
  if (last === undefined) done();
  else last.file.close(() => closeFiles(files, done));
}

function merge({ storage, folder, runs, files }: Merge, done: Done<number>): void {
  const countMax = runs.reduce((sum, run) => sum + run.count, 0);
  const sourceBy = (half: Half): EntrySource => {
    const cursors = files.map(({ file, footer }) => new RunCursor(file, footer, half));
    return new MergeSource(cursors, countMax);
  };
  const sources = { high: sourceBy("high"), low: sourceBy("low") };
  const part = { from: runs[0]?.from ?? 0, to: runs.at(-1)?.to ?? 0 };
  writeRun({ storage, folder, part, sources }, done);
}
