/**
 * Writes rows while a crawl runs. A row becomes text at once and joins a batch; batches are written
 * one after the other, when they are large or due, so a row costs no promise and no system call.
 * When compressed, each batch is a member of its own: what was written is readable whenever
 * the process ends, and the file can be cut between any two members.
 *
 * `hasRoom` is the back-pressure: while a reader is slow or a disk is full, the caller holds back
 * and waits with `whenRoom`. `add` takes a row even then, since the page is fetched already; the
 * number of such rows is bounded, since the caller begins no new pages.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge, Clock, Done, Timer } from "../../base/seams/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import type { PageRow } from "./page-row.ts";
import type { RowFormat } from "./row-format.ts";
import type { RowMark, RowSink } from "./row-sink.ts";

export interface RowWriterOptions {
  readonly clock: Clock;
  readonly sink: RowSink;
  readonly format: Pick<RowFormat, "head" | "line">;
  /** Null if rows are written as they are. */
  readonly compress: CompressRows | null;
  /** Called once for each problem: `PAGES_FULL` passes, the others do not. */
  readonly failed: (error: CrawlError) => void;
}

/** Makes a member, or frame, of a batch of lines; such as `gzip` of Node. */
export type CompressRows = (
  batch: Uint8Array,
  done: (error: Error | null, member: Uint8Array) => void,
) => void;

/** Somebody waits to learn where these lines end. */
interface Marked {
  readonly lines: string[];
  readonly done: Done<RowMark | null>;
}

/** How long a row may wait for others, and how much they may be together. */
const PLAIN = { waitMs: 100, batchBytes: 64 * 1024 };
/** Small members compress badly. */
const COMPRESSED = { waitMs: 5 * SECOND_MS, batchBytes: 512 * 1024 };
/** How much may wait before no more pages should be begun. */
const PENDING_BYTES_MAX = 4 * 1024 * 1024;
/** When a full disk is tried again. */
const FULL_AGAIN_MS = SECOND_MS;

export class RowWriter {
  readonly #options: RowWriterOptions;
  readonly #pace: typeof PLAIN;
  readonly #waiting: (() => void)[] = [];
  readonly #flushed: Acknowledge[] = [];
  /** What is written before the other lines. */
  #marked: Marked[] = [];
  #lines: string[] = [];
  /** Length of the lines in characters, which is about that in bytes. */
  #lineLength = 0;
  /** What is being written. */
  #rest: Uint8Array | null = null;
  #timer: Timer | null = null;
  #trouble: CrawlError | null = null;
  #isFullTold = false;
  #isMarking = false;
  /** Bytes of whole batches, the last of which ends where a line does. */
  #wholeBytes = 0;
  #writtenBytes = 0;

  constructor(options: RowWriterOptions) {
    this.#options = options;
    this.#pace = options.compress !== null ? COMPRESSED : PLAIN;
    this.#wholeBytes = options.sink.lengthBytes ?? 0;
    this.#writtenBytes = this.#wholeBytes;
    // What earlier runs have written begins with it.
    if (this.#wholeBytes === 0) this.#push(options.format.head);
  }

  /** Whether more pages should be begun. After a failure rows are dropped, and nothing waits. */
  get hasRoom(): boolean {
    if (this.#isOver) return true;
    return this.#trouble === null && this.#pendingBytes < PENDING_BYTES_MAX;
  }

  add(row: PageRow): void {
    if (this.#isOver) return;
    this.#push(this.#options.format.line(row));
    if (this.#lineLength >= this.#pace.batchBytes) this.#write();
    else if (this.#timer === null && this.#rest === null) this.#writeLater(this.#pace.waitMs);
  }

  /** Calls back, never inside this call, when there is room again. */
  whenRoom(callback: () => void): void {
    this.#waiting.push(callback);
    if (this.hasRoom) this.#options.clock.after(0, () => this.#tellRoom());
  }

  /** Answers when every row so far is handed to the system, or with the error that prevents it. */
  flush(done: Acknowledge): void {
    if (this.#trouble !== null || (this.#pendingBytes === 0 && this.#marked.length === 0)) {
      const trouble = this.#trouble;
      this.#options.clock.after(0, () => done(trouble));
      return;
    }
    this.#flushed.push(done);
    this.#write();
  }

  /** Whether it waits for room on its disk, which it tries again and again. */
  get isDiskFull(): boolean {
    return this.#trouble !== null && !this.#isOver;
  }

  /**
   * Answers, when all rows so far are durable, where these end: none that is added later is before it.
   * Null where nothing could be cut anyway.
   */
  mark(done: Done<RowMark | null>): void {
    const trouble = this.#trouble;
    if (trouble !== null || this.#options.sink.mark === undefined) {
      const error = this.#isOver ? null : trouble;
      this.#options.clock.after(0, () =>
        error === null ? done(null, null) : done(error, undefined),
      );
      return;
    }
    this.#marked.push({ lines: this.#lines, done });
    this.#lines = [];
    this.#write();
  }

  /** Ends a flush that a reader blocks: what was not read is lost, and reported as lost. */
  abandon(): void {
    if (this.#rest === null) return;
    this.#options.sink.abandon();
  }

  /** After a flush. What could not be written is dropped, back to the last whole line. */
  close(done: Acknowledge): void {
    this.#timer?.cancel();
    const { sink } = this.#options;
    const isHalf = this.#writtenBytes > this.#wholeBytes;
    const lost = this.#lines.length > 0 || this.#rest !== null ? this.#trouble : null;
    const finish = (): void => sink.close((error) => done(lost ?? error));
    if (isHalf) sink.cutTo(this.#wholeBytes, finish);
    else finish();
  }

  get #pendingBytes(): number {
    return this.#lineLength + (this.#rest?.length ?? 0);
  }

  get #isOver(): boolean {
    return this.#trouble !== null && this.#trouble.code !== "PAGES_FULL";
  }

  #push(line: string): void {
    if (line === "") return;
    this.#lines.push(line);
    this.#lineLength += line.length;
  }

  #writeLater(delayMs: number): void {
    this.#timer ??= this.#options.clock.after(delayMs, () => {
      this.#timer = null;
      this.#write();
    });
  }

  #write(): void {
    if (this.#rest !== null || this.#isOver || this.#isMarking) return;
    const marked = this.#marked[0];
    const lines = marked?.lines ?? this.#lines;
    if (lines.length === 0) {
      if (marked !== undefined) this.#answerMark(marked);
      return;
    }
    this.#timer?.cancel();
    this.#timer = null;
    const text = lines.join("");
    const batch = Buffer.from(text, "utf8");
    lines.length = 0;
    this.#lineLength -= text.length;
    this.#rest = batch;
    const { compress } = this.#options;
    if (compress === null) this.#writeRest();
    else this.#compress(batch, compress);
  }

  /** All that was there before it is written. */
  #answerMark({ done }: Marked): void {
    this.#isMarking = true;
    this.#options.sink.mark?.((...outcome) => {
      this.#isMarking = false;
      this.#marked.shift();
      done(...outcome);
      this.#goOn();
    });
  }

  #compress(batch: Uint8Array, compress: CompressRows): void {
    compress(batch, (error, member) => {
      assert(error === null, "what is in memory can be compressed");
      this.#rest = member;
      this.#writeRest();
    });
  }

  #writeRest(): void {
    const bytes = this.#rest;
    if (bytes === null) return;
    this.#options.sink.write(bytes, (error, writtenBytes) => {
      this.#writtenBytes += writtenBytes;
      this.#rest = writtenBytes === bytes.length ? null : bytes.subarray(writtenBytes);
      if (error === null) this.#written();
      else this.#failed(error);
    });
  }

  #written(): void {
    this.#trouble = null;
    this.#isFullTold = false;
    this.#wholeBytes = this.#writtenBytes;
    this.#goOn();
    if (this.hasRoom) this.#tellRoom();
  }

  /** Writes what is due; if nothing is, those are answered who have waited for what was. */
  #goOn(): void {
    const isUrgent = this.#flushed.length > 0 || this.#marked.length > 0;
    if (this.#lineLength >= this.#pace.batchBytes || isUrgent) this.#write();
    if (this.#rest !== null || this.#marked.length > 0) return;
    if (this.#lines.length > 0) this.#writeLater(this.#pace.waitMs);
    for (const done of this.#flushed.splice(0)) done(null);
  }

  #failed(error: CrawlError): void {
    this.#trouble = error;
    if (!this.#isFullTold) this.#options.failed(error);
    this.#isFullTold = error.code === "PAGES_FULL";
    for (const done of this.#flushed.splice(0)) done(error);
    const marked = this.#marked.splice(0);
    this.#lines = [...marked.flatMap(({ lines }) => lines), ...this.#lines];
    for (const { done } of marked) done(error, undefined);
    if (this.#isFullTold) this.#tryAgainLater();
    else this.#tellRoom();
  }

  #tryAgainLater(): void {
    this.#timer = this.#options.clock.after(FULL_AGAIN_MS, () => {
      this.#timer = null;
      this.#writeRest();
    });
  }

  #tellRoom(): void {
    if (!this.hasRoom) return;
    for (const callback of this.#waiting.splice(0)) callback();
  }
}
