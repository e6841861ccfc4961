/**
 * Reads a log forward from any position, a window of a quarter of a megabyte at a time. After
 * damage it reports which bytes were not frames and continues with the next good one.
 *
 * A view bounds what it reads: of a log that is being written, the committed frames; of one that is
 * viewed from outside, all whole frames in its files.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../errors/index.ts";
import type { Acknowledge, Done, FileName, ReadableFile, Storage } from "../seams/index.ts";
import { FrameBatch } from "./frame-batch.ts";
import { FrameScanner } from "./frame-scanner.ts";
import { emptyWindow, type Framing, viewOf, type Window } from "./framing.ts";
import { later } from "./later.ts";
import type { Position } from "./position.ts";

export interface LogView {
  readonly storage: Storage;
  readonly framing: Framing;
  /** The segment that holds this position, or the first behind it; null when there is none yet. */
  segmentAt(position: Position): ViewedSegment | null;
}

export interface ViewedSegment {
  readonly name: FileName;
  readonly base: Position;
  /** Where its frames end; null when only the file shows that. */
  readonly end: Position | null;
}

const WINDOW_BYTES = 256 * 1024;

export class LogReader {
  readonly #view: LogView;
  readonly #batch: FrameBatch;
  readonly #scanner: FrameScanner;
  #position: Position;
  #neededBytes = 0;
  #file: ReadableFile | null = null;
  #isReading = false;

  /** `from` is where a frame begins; from anywhere else reading begins with a damaged range. */
  constructor(view: LogView, from: Position) {
    this.#view = view;
    this.#batch = new FrameBatch(view.framing);
    this.#scanner = new FrameScanner(view.framing);
    this.#position = from;
  }

  /** Everything before this position has been handed out. */
  get position(): Position {
    return this.#scanner.damagedFrom ?? this.#position;
  }

  /**
   * Answers with the next frames and damaged ranges; with neither when there is nothing more now.
   * The next call refills the batch; payloads taken from it stay valid. After an error the call may
   * be repeated.
   */
  read(done: Done<FrameBatch>): void {
    assert(!this.#isReading, "a reader reads one batch at a time");
    this.#isReading = true;
    this.#advance((...outcome) => {
      this.#isReading = false;
      done(...outcome);
    });
  }

  close(done: Acknowledge): void {
    assert(!this.#isReading, "a reader is closed when it has answered");
    const file = this.#file;
    this.#file = null;
    if (file === null) later(this.#view.storage, () => done(null));
    else file.close(done);
  }

  #advance(done: Done<FrameBatch>): void {
    const segment = this.#view.segmentAt(this.#position);
    if (segment === null) {
      this.#batch.reset(emptyWindow(this.#position));
      later(this.#view.storage, () => done(null, this.#batch));
      return;
    }
    this.#position = Math.max(this.#position, segment.base);
    this.#open(segment, (error, file) => {
      if (error !== null) done(error, undefined);
      else if (file === null) this.#take(segment, new Uint8Array(0), true, done);
      else this.#readWindow(segment, file, done);
    });
  }

  /** The segment's file; null when it is missing, which counts as damage to all of it. */
  #open(segment: ViewedSegment, done: Done<ReadableFile | null>): void {
    const { storage } = this.#view;
    const opened = (error: CrawlError | null, file: ReadableFile | undefined): void => {
      this.#file = file ?? null;
      if (error === null || error.code === "STORAGE_MISSING") done(null, this.#file);
      else done(error, undefined);
    };
    const open = (): void => storage.openToRead(segment.name, opened);
    const old = this.#file;
    if (old === null) open();
    else if (old.name !== segment.name) old.close(open);
    else done(null, old);
  }

  #readWindow(segment: ViewedSegment, file: ReadableFile, done: Done<FrameBatch>): void {
    const wantedBytes = Math.max(WINDOW_BYTES, this.#neededBytes);
    const leftBytes = segment.end === null ? wantedBytes : segment.end - this.#position;
    const sizeBytes = Math.min(wantedBytes, leftBytes);
    file.read(this.#position - segment.base, sizeBytes, (error, bytes) => {
      if (error !== null) done(error, undefined);
      else this.#take(segment, bytes, bytes.length < sizeBytes, done);
    });
  }

  #take(segment: ViewedSegment, bytes: Uint8Array, isShort: boolean, done: Done<FrameBatch>): void {
    const end = segment.end;
    const isLast = end !== null && (isShort || this.#position + bytes.length >= end);
    const window: Window = { bytes, view: viewOf(bytes), position: this.#position, isLast };
    this.#batch.reset(window);
    const { doneBytes, neededBytes } = this.#scanner.scan(window, this.#batch);
    this.#position += doneBytes;
    this.#neededBytes = neededBytes;
    if (end !== null && isLast) {
      this.#scanner.endDamage(end, this.#batch, this.#position);
      this.#position = end;
    }
    const isEmpty = this.#batch.count === 0 && this.#batch.damage.length === 0;
    const isAtFileEnd = end === null && isShort;
    if (isEmpty && !isAtFileEnd) this.#advance(done);
    else done(null, this.#batch);
  }
}
