/**
 * The crawl log: `logs/crawl.log`, one readable line for each fetch, in the log's line framing, so
 * that every line carries a checksum and a torn one is cut off. `HeldLines` writes it.
 */
import assert from "node:assert/strict";
import {
  type FrameBatch,
  type LogOptions,
  type LogReader,
  type Position,
  type Range,
  type ViewedLog,
  viewLog,
} from "../../base/log/index.ts";
import {
  type Acknowledge,
  type Done,
  type FileName,
  type Storage,
  withValue,
} from "../../base/seams/index.ts";
import { type CrawlLine, parseCrawlLine } from "./crawl-line.ts";

export const CRAWL_LOG: FileName = "logs/crawl";

/** A few hundred lines are written at a time; while the disk is full, lines wait in memory. */
export const CRAWL_LOG_LIMITS: Pick<Required<LogOptions>, "chunkBytes" | "pendingBytesMax"> = {
  chunkBytes: 64 * 1024,
  pendingBytesMax: 4 * 1024 * 1024,
};

/** Called for one line after the other; false ends the reading. */
export type TakeLine = (line: CrawlLine, position: Position) => boolean | undefined;

/**
 * Reads a crawl log from outside, whether or not a crawl is writing it: all of it, or from where a
 * line begins. Answers with the ranges of bytes that are not lines.
 */
export function readCrawlLog(
  storage: Storage,
  take: TakeLine,
  done: Done<readonly Range[]>,
  from: Position = 0,
): void {
  const read = (log: ViewedLog): void => {
    readLines(from === 0 ? log.reader() : log.reader(from), take, done);
  };
  viewLog(storage, CRAWL_LOG, withValue(done, read));
}

/**
 * Reads the lines about these URLs, as they were sent. Lines that do not contain one of them are not
 * even read, so a log of a million lines takes about a second.
 */
export function readLinesAbout(
  storage: Storage,
  urls: ReadonlySet<string>,
  done: Done<readonly CrawlLine[]>,
): void {
  const wanted = Array.from(urls, (url) => Buffer.from(` ${url} `, "latin1"));
  const lines: CrawlLine[] = [];
  const take: TakeLine = (line) => {
    if (urls.has(line.url)) lines.push(line);
    return true;
  };
  const mayBe = (payload: Buffer): boolean => wanted.some((text) => payload.includes(text));
  const read = (log: ViewedLog): void =>
    readLines(
      log.reader(),
      take,
      withValue(done, () => done(null, lines)),
      mayBe,
    );
  viewLog(storage, CRAWL_LOG, withValue(done, read));
}

/** What one step of a `CrawlLogView` found. */
export interface LogStep {
  readonly lines: readonly CrawlLine[];
  /** Where each line begins. */
  readonly positions: readonly Position[];
  /** Where the next step begins. */
  readonly end: Position;
  /** Bytes that are not lines. */
  readonly damage: readonly Range[];
}

/** Reads a crawl log from outside, a step of a few hundred lines at a time, as the caller asks. */
export class CrawlLogView {
  readonly #reader: LogReader;

  private constructor(reader: LogReader) {
    this.#reader = reader;
  }

  /**
   * `from` is 0, the end of a step, or the position of a line; null for where the last segment begins.
   */
  static open(storage: Storage, from: Position | null, done: Done<CrawlLogView>): void {
    viewLog(
      storage,
      CRAWL_LOG,
      withValue(done, (log) => {
        const reader = from === 0 ? log.reader() : log.reader(from ?? log.lastBegin);
        done(null, new CrawlLogView(reader));
      }),
    );
  }

  /** A line without what the log adds to it; null for any other text. */
  static parse(text: string): CrawlLine | null {
    return parseCrawlLine(text);
  }

  /** Answers with the next lines; null when there are no more now. */
  next(done: Done<LogStep | null>): void {
    this.#reader.read(withValue(done, (batch) => done(null, this.#step(batch))));
  }

  close(done: Acknowledge): void {
    this.#reader.close(done);
  }

  #step(batch: FrameBatch): LogStep | null {
    if (isEmpty(batch)) return null;
    const lines: CrawlLine[] = [];
    const positions: Position[] = [];
    takeBatch(batch, (line, position) => {
      lines.push(line);
      positions.push(position);
      return true;
    });
    return { lines, positions, end: this.#reader.position, damage: batch.damage };
  }
}

/**
 * Reads to the end, or until `take` returns false, and closes the reader. Lines for which `mayBe` is
 * false are passed over.
 */
export function readLines(
  reader: LogReader,
  take: TakeLine,
  done: Done<readonly Range[]>,
  mayBe?: (payload: Buffer) => boolean,
): void {
  const damage: Range[] = [];
  const next = (): void =>
    reader.read((error, batch) => {
      if (error === null) damage.push(...batch.damage);
      if (error === null && !isEmpty(batch) && takeBatch(batch, take, mayBe)) next();
      else {
        reader.close((closeError) => {
          const failure = error ?? closeError;
          if (failure !== null) done(failure, undefined);
          else done(null, damage);
        });
      }
    });
  next();
}

function isEmpty(batch: FrameBatch): boolean {
  return batch.count === 0 && batch.damage.length === 0;
}

/** False when `take` wants no more. */
function takeBatch(
  batch: FrameBatch,
  take: TakeLine,
  mayBe?: (payload: Buffer) => boolean,
): boolean {
  for (let index = 0; index < batch.count; index += 1) {
    const { buffer, byteOffset, length } = batch.payloadOf(index);
    const payload = Buffer.from(buffer, byteOffset, length);
    if (mayBe?.(payload) === false) continue;
    const text = payload.toString("latin1");
    const line = parseCrawlLine(text);
    assert(line !== null, `a line of the crawl log with a right checksum is whole: ${text}`);
    if (take(line, batch.positionOf(index)) === false) return false;
  }
  return true;
}
