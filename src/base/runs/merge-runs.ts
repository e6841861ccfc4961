/**
 * Merges several runs into one, a slice at a time: a background task that does a bounded amount of
 * work, so that other tasks run between two slices. Of equal keys the record of the last run is
 * kept.
 *
 * What is done so far is a `MergeState` of plain values. A slice that fails, or dies with its
 * thread, leaves the state as it was, and can be done again.
 */
import assert from "node:assert/strict";
import {
  type Acknowledge,
  type Done,
  type FileName,
  type Storage,
  type Task,
  whenDone,
  withValue,
} from "../seams/index.ts";
import { RunCursor } from "./run-cursor.ts";
import { openRun, type RunFile, type RunMark } from "./run-file.ts";
import type { RunFormat } from "./run-layout.ts";
import { type RunBeginning, type RunWriter, startRun } from "./run-writer.ts";

export interface MergeState {
  /** Of equal keys, the record of the last run is kept. */
  readonly runs: readonly RunMark[];
  readonly format: RunFormat;
  /** The run that is being made. */
  readonly name: FileName;
  /** How many records of each run have gone into it; its whole blocks so far. */
  readonly taken: readonly number[];
  readonly beginning: RunBeginning;
}

export interface MergeSlice {
  readonly state: MergeState;
  /** The slice ends after about this many records. */
  readonly recordsMax: number;
}

/** The state after a slice; or the finished run. */
export type MergeProgress =
  | { readonly kind: "going-on"; readonly state: MergeState }
  | { readonly kind: "finished"; readonly run: RunMark };

export function startMerge(
  runs: readonly RunMark[],
  name: FileName,
  format: RunFormat,
): MergeState {
  const beginning = { count: 0, index: new Uint32Array(0) };
  return { runs, name, format, taken: runs.map(() => 0), beginning };
}

export const mergeRuns: Task<MergeSlice, MergeProgress> = {
  module: import.meta.url,
  name: "mergeRuns",
  run(slice, { storage }, done) {
    new Merging(slice, storage).start(done);
  },
};

/** How much of the new run waits in memory before it is written. */
const WAITING_BYTES_MAX = 1024 * 1024;

class Merging {
  readonly #slice: MergeSlice;
  readonly #storage: Storage;
  readonly #files: RunFile[] = [];
  #cursors: RunCursor[] = [];
  #countMax = 0;

  constructor(slice: MergeSlice, storage: Storage) {
    this.#slice = slice;
    this.#storage = storage;
  }

  start(done: Done<MergeProgress>): void {
    const settle: Done<MergeProgress> = (...outcome) => this.#closeFiles(() => done(...outcome));
    this.#openFiles(whenDone(settle, () => this.#openWriter(settle)));
  }

  #openFiles(done: Acknowledge): void {
    const { runs, format } = this.#slice.state;
    const run = runs[this.#files.length];
    if (run === undefined) {
      done(null);
      return;
    }
    const take = (file: RunFile): void => {
      this.#files.push(file);
      this.#openFiles(done);
    };
    openRun(this.#storage, run, format, withValue(done, take));
  }

  #closeFiles(done: () => void): void {
    const last = this.#files.pop();
    if (last === undefined) done();
    else last.close(() => this.#closeFiles(done));
  }

  #openWriter(done: Done<MergeProgress>): void {
    const { state, recordsMax } = this.#slice;
    const { name, format, beginning, taken } = state;
    this.#cursors = this.#files.map((file, at) => new RunCursor(file, taken[at] ?? 0));
    this.#countMax = beginning.count + Math.max(1, recordsMax);
    const run = { ...format, storage: this.#storage, name, beginning };
    const write = (writer: RunWriter): void =>
      this.#merge(writer, (error) => {
        if (error === null) this.#end(writer, done);
        else writer.close(() => done(error, undefined));
      });
    startRun(run, withValue(done, write));
  }

  /** Takes the records that are at hand, then reads or writes, and continues. */
  #merge(writer: RunWriter, done: Acknowledge): void {
    const goOn = whenDone(done, () => this.#merge(writer, done));
    for (;;) {
      const empty = this.#cursors.find((cursor) => !cursor.hasRecord && !cursor.isAtEnd);
      const active = this.#cursors.filter(({ hasRecord }) => hasRecord);
      const isOver = active.length === 0 || this.#isSliceDone(writer);
      if (empty !== undefined) empty.fill(goOn);
      else if (isOver) writer.write(done);
      else if (writer.waitingBytes >= WAITING_BYTES_MAX) writer.write(goOn);
      else {
        takeAtHand(active, writer);
        continue;
      }
      return;
    }
  }

  #isSliceDone(writer: RunWriter): boolean {
    return writer.count >= this.#countMax && writer.isBetweenBlocks;
  }

  #end(writer: RunWriter, done: Done<MergeProgress>): void {
    const isOver = this.#cursors.every(({ isAtEnd }) => isAtEnd);
    if (isOver) {
      writer.finish(withValue(done, (run) => done(null, { kind: "finished", run })));
      return;
    }
    const taken = this.#cursors.map(({ record }) => record);
    const state = { ...this.#slice.state, taken, beginning: writer.beginning };
    writer.close(whenDone(done, () => done(null, { kind: "going-on", state })));
  }
}

/** Merges until a cursor has no record at hand or the writer has ended a block. */
function takeAtHand(cursors: readonly RunCursor[], writer: RunWriter): void {
  for (;;) {
    const least = leastOf(cursors);
    const bound = boundOf(cursors, least);
    const isShared = bound !== null && bound.high === least.high && bound.low === least.low;
    const isEmpty = isShared ? takeShared(cursors, least, writer) : takeBelow(least, bound, writer);
    if (isEmpty || writer.isBetweenBlocks) return;
  }
}

/** The cursor with the lowest key; of several the last. */
function leastOf(cursors: readonly RunCursor[]): RunCursor {
  let least = cursors[0];
  assert(least !== undefined, "something is merged");
  for (let at = 1; at < cursors.length; at++) {
    const cursor = cursors[at] as RunCursor;
    if (!isBelow(least, cursor)) least = cursor;
  }
  return least;
}

/** The lowest of the others; null when there is none. */
function boundOf(cursors: readonly RunCursor[], least: RunCursor): RunCursor | null {
  let bound: RunCursor | null = null;
  for (let at = 0; at < cursors.length; at++) {
    const cursor = cursors[at] as RunCursor;
    if (cursor !== least && (bound === null || isBelow(cursor, bound))) bound = cursor;
  }
  return bound;
}

/** Takes the records of one run that come before all others; true when it has none at hand then. */
function takeBelow(cursor: RunCursor, bound: RunCursor | null, writer: RunWriter): boolean {
  const { highs, lows, count } = cursor.block;
  const boundHigh = bound === null ? Number.POSITIVE_INFINITY : bound.high;
  const boundLow = bound === null ? 0 : bound.low;
  const end = Math.min(count, cursor.at + writer.blockRoom);
  let at = cursor.at;
  while (at < end) {
    const high = highs[at] as number;
    if (high > boundHigh || (high === boundHigh && (lows[at] as number) >= boundLow)) break;
    at++;
  }
  writer.addRange(cursor.block, cursor.at, at);
  cursor.moveTo(at);
  return !cursor.hasRecord;
}

/** Takes one record of those with the same key, and passes over the others. */
function takeShared(cursors: readonly RunCursor[], stays: RunCursor, writer: RunWriter): boolean {
  const { high, low, block, at, run } = stays;
  writer.add(high, low, block.payloads, at * run.shape.payloadBytes);
  let isOneEmpty = false;
  for (const cursor of cursors) {
    if (cursor.high !== high || cursor.low !== low) continue;
    cursor.moveTo(cursor.at + 1);
    isOneEmpty ||= !cursor.hasRecord;
  }
  return isOneEmpty;
}

function isBelow(one: RunCursor, other: RunCursor): boolean {
  return one.high < other.high || (one.high === other.high && one.low < other.low);
}
