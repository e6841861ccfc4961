/**
 * Divides the runs of several owners, each of which has a range of keys, among other owners, which
 * have other ranges. Everything is copied; the old runs stay as they are.
 *
 * Since ranges ascend from owner to owner, the first runs of all old owners one after the other are
 * one sorted sequence, and so are their second ones. Each such sequence is written anew, cut where
 * the new ranges begin: so a new owner has no more runs than an old one had, and of two records with
 * one key the newer one is still in a newer run.
 */
import assert from "node:assert/strict";
import {
  type Acknowledge,
  type Done,
  type FileName,
  type Storage,
  whenDone,
  withValue,
} from "../seams/index.ts";
import { inTurn } from "../steps/index.ts";
import { RunCursor } from "./run-cursor.ts";
import { openRun, type RunFile, type RunMark } from "./run-file.ts";
import type { Block, RunFormat } from "./run-layout.ts";
import type { RunStackMarks } from "./run-stack.ts";
import { type RunWriter, startRun } from "./run-writer.ts";

export interface StacksToSplit extends RunFormat {
  readonly storage: Storage;
  /** The runs of the old owners, in the order of their ranges. */
  readonly from: readonly RunStackMarks[];
  /** The folders of the new owners, in the order of their ranges; what is in them is replaced. */
  readonly folders: readonly FileName[];
  /** Which new owner has the keys with this high half; never falls when keys rise. */
  partOf(high: number): number;
}

const WAITING_BYTES_MAX = 1024 * 1024;

/** Answers with the runs of the new owners, which are durable. */
export function splitStacks(options: StacksToSplit, done: Done<readonly RunStackMarks[]>): void {
  const { storage, from, folders } = options;
  const levels = Math.max(0, ...from.map(({ runs }) => runs.length));
  const stacks: RunMark[][] = folders.map(() => []);
  const splitLevel = (level: number, next: Acknowledge): void => {
    const runs = from.flatMap(({ runs: own }) => own.slice(level, level + 1));
    new LevelSplit(options, stacks).split(runs, next);
  };
  const answer = (): void => {
    const marks = stacks.map((runs) => ({ runs, nextNumber: runs.length + 1 }));
    // Where there is nothing to copy, nothing has been waited for.
    storage.freeBytes(() => done(null, marks));
  };
  inTurn(Array.from({ length: levels }).keys(), splitLevel, whenDone(done, answer));
}

/** One run of each old owner, together one sorted sequence. */
class LevelSplit {
  readonly #options: StacksToSplit;
  /** By new owner: the runs that are finished. */
  readonly #stacks: readonly RunMark[][];
  /** The run that is being written, and whose it is. */
  #writer: RunWriter | null = null;
  #part = -1;

  constructor(options: StacksToSplit, stacks: readonly RunMark[][]) {
    this.#options = options;
    this.#stacks = stacks;
  }

  split(runs: readonly RunMark[], done: Acknowledge): void {
    const end: Acknowledge = (error) => {
      if (error === null) this.#finish(done);
      else this.#abandon(() => done(error));
    };
    inTurn(runs, (run, next) => this.#open(run, next), end);
  }

  #open(mark: RunMark, done: Acknowledge): void {
    const copy = (run: RunFile): void =>
      this.#copy(new RunCursor(run, 0), (error) =>
        run.close((closeError) => done(error ?? closeError)),
      );
    openRun(this.#options.storage, mark, this.#options, withValue(done, copy));
  }

  #copy(cursor: RunCursor, done: Acknowledge): void {
    const goOn = whenDone(done, () => this.#copy(cursor, done));
    if (cursor.isAtEnd) done(null);
    else if (!cursor.hasRecord) cursor.fill(goOn);
    else if (this.#options.partOf(cursor.high) !== this.#part) {
      this.#begin(this.#options.partOf(cursor.high), goOn);
    } else {
      const writer = this.#writer as RunWriter;
      this.#add(cursor, writer);
      if (writer.waitingBytes < WAITING_BYTES_MAX) goOn(null);
      else writer.write(goOn);
    }
  }

  /** Adds what is read of the part that is being written, or some of it. */
  #add(cursor: RunCursor, writer: RunWriter): void {
    const { partOf } = this.#options;
    while (
      cursor.hasRecord &&
      writer.waitingBytes < WAITING_BYTES_MAX &&
      partOf(cursor.high) === this.#part
    ) {
      const { block, at } = cursor;
      const to = Math.min(at + writer.blockRoom, this.#endOfPart(block, at));
      writer.addRange(block, at, to);
      cursor.moveTo(to);
    }
  }

  /** The first place in the block whose record belongs to a later part than that at `at`. */
  #endOfPart({ highs, count }: Block, at: number): number {
    const { partOf } = this.#options;
    let [least, most] = [at + 1, count];
    while (least < most) {
      const middle = (least + most) >>> 1;
      if (partOf(highs[middle] as number) === this.#part) least = middle + 1;
      else most = middle;
    }
    return least;
  }

  #begin(part: number, done: Acknowledge): void {
    assert(part > this.#part, "the ranges of the owners ascend");
    const start = (): void => {
      const { storage, folders } = this.#options;
      const number = (this.#stacks[part] as RunMark[]).length + 1;
      const run = { ...this.#options, name: `${folders[part]}/run-${number}`, beginning: null };
      startRun(
        { ...run, storage },
        withValue(done, (writer) => {
          this.#part = part;
          this.#writer = writer;
          done(null);
        }),
      );
    };
    this.#finish(whenDone(done, start));
  }

  #finish(done: Acknowledge): void {
    const writer = this.#writer;
    this.#writer = null;
    if (writer === null) {
      done(null);
      return;
    }
    writer.finish(
      withValue(done, (run) => {
        this.#stacks[this.#part]?.push(run);
        done(null);
      }),
    );
  }

  #abandon(done: () => void): void {
    if (this.#writer === null) done();
    else this.#writer.close(done);
  }
}
