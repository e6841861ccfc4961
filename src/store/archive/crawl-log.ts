/**
 * The crawl log: `logs/crawl.log`, one readable line for each fetch, on the log's framing for
 * people, so that every line proves itself by a checksum and a torn one is cut off.
 */
import assert from "node:assert/strict";
import {
  type FrameBatch,
  type Log,
  type LogOptions,
  type LogReader,
  type Position,
  type Range,
  viewLog,
} from "../../base/log/index.ts";
import type { Acknowledge, Done, FileName, Storage } from "../../base/seams/index.ts";
import { type CrawlLine, parseCrawlLine, printCrawlLine } from "./crawl-line.ts";

export const CRAWL_LOG: FileName = "logs/crawl";

/** A few hundred lines are written at a time; what the disk does not take waits in memory. */
export const CRAWL_LOG_LIMITS: Pick<Required<LogOptions>, "chunkBytes" | "pendingBytesMax"> = {
  chunkBytes: 64 * 1024,
  pendingBytesMax: 4 * 1024 * 1024,
};

export class CrawlLog {
  readonly #log: Log;
  #buffer: Buffer = Buffer.allocUnsafeSlow(64 * 1024);

  constructor(log: Log) {
    this.#log = log;
  }

  /** The line's position; null, and nothing is taken, when too much is pending or the log broke. */
  tryAppend(line: CrawlLine): Position | null {
    const bytes = this.#encoded(printCrawlLine(line));
    if (this.#log.fits(bytes)) return this.#log.tryAppend(bytes);
    // The addresses of other pages can be found again; the line's own has a limit.
    const notes = line.notes.map(([word]) => [word] as const);
    return this.#log.tryAppend(this.#encoded(printCrawlLine({ ...line, via: null, notes })));
  }

  /** Lines that end here or before are in the file. */
  get written(): Position {
    return this.#log.written;
  }

  /** Where the last line ends. */
  get end(): Position {
    return this.#log.end;
  }

  commit(done: Acknowledge): void {
    this.#log.commit(done);
  }

  flush(done: Acknowledge): void {
    this.#log.flush(done);
  }

  close(done: Acknowledge): void {
    this.#log.close(done);
  }

  /** Lines are ASCII, so a byte a character; the buffer is reused, since the log copies. */
  #encoded(text: string): Uint8Array {
    if (text.length > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(text.length * 2);
    return this.#buffer.subarray(0, this.#buffer.write(text, 0, "latin1"));
  }
}

export interface CrawlLogReading {
  readonly lines: number;
  /** Bytes of the log that are no lines. */
  readonly damage: readonly Range[];
  /** Where the last line ends. */
  readonly end: Position;
}

/** Takes one line after the other; false ends the reading. */
export type TakeLine = (line: CrawlLine, position: Position) => boolean | undefined;

/** Reads a crawl log from outside, whether or not a crawl is writing it. */
export function readCrawlLog(
  storage: Storage,
  take: TakeLine,
  done: Done<CrawlLogReading>,
  name: FileName = CRAWL_LOG,
): void {
  viewLog(storage, name, (error, reader) => {
    if (error !== null) done(error, undefined);
    else readLines(reader, take, done);
  });
}

/** Reads to the end, or until `take` has had enough, and closes the reader. */
export function readLines(reader: LogReader, take: TakeLine, done: Done<CrawlLogReading>): void {
  const found = { lines: 0, damage: [] as Range[], end: reader.position };
  const next = (): void =>
    reader.read((error, batch) => {
      const isEnd = error !== null || isEmpty(batch) || !takeBatch(batch, take, found);
      if (!isEnd) next();
      else {
        reader.close((closeError) => {
          const failure = error ?? closeError;
          if (failure !== null) done(failure, undefined);
          else done(null, found);
        });
      }
    });
  next();
}

function isEmpty(batch: FrameBatch): boolean {
  return batch.count === 0 && batch.damage.length === 0;
}

interface Found {
  lines: number;
  damage: Range[];
  end: Position;
}

/** False when `take` wants no more. */
function takeBatch(batch: FrameBatch, take: TakeLine, found: Found): boolean {
  found.damage.push(...batch.damage);
  for (let index = 0; index < batch.count; index += 1) {
    const payload = batch.payloadOf(index);
    const text = Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString("latin1");
    const line = parseCrawlLine(text);
    assert(line !== null, `a line of the crawl log with a right checksum is whole: ${text}`);
    found.lines += 1;
    found.end = batch.endOf(index);
    if (take(line, batch.positionOf(index)) === false) return false;
  }
  return true;
}
