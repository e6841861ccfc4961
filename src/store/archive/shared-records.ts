/**
 * The crawl log of several stores, and which bodies their archives have. Each store has files of its own
 * and gives its lines here when their records are in them; of two stores with one body, the first to
 * claim it archives it.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Log, Position } from "../../base/log/index.ts";
import type { Acknowledge, Done, Storage } from "../../base/seams/index.ts";
import type { ArchiveBook, ArchiveMarks } from "./archive-marks.ts";
import { type CrawlLine, parseCrawlLine, placeIn } from "./crawl-line.ts";
import { checkPayloadLog } from "./payload-log.ts";
import type { PayloadOriginal, PayloadTable } from "./payload-table.ts";
import { storeError } from "./store-error.ts";

/** A page that is about to be stored, with its body. */
export interface Claim {
  /** Of the body. */
  readonly sha1: Uint8Array;
  readonly original: PayloadOriginal;
  /** Whether the body will be archived, if it is not yet. */
  readonly isOriginal: boolean;
}

export interface SharedRecordsParts {
  readonly log: Log;
  readonly payloads: PayloadTable;
  readonly book: ArchiveBook;
  /** No archive file has this serial, or a greater one. */
  readonly nextSerial: number;
  readonly cuts: ArchiveCuts;
}

/** What was cut off when an archive was opened, since record and line did not agree. */
export interface ArchiveCuts {
  readonly records: number;
  readonly lines: number;
}

interface WaitingLine {
  readonly bytes: Uint8Array;
  readonly endsAt: Position;
}

/** After so many lines it is looked which of them are in the file. */
const LINES_LOOKED_AT = 1000;

export class SharedRecords {
  readonly #parts: SharedRecordsParts;
  readonly #waiting: (() => void)[] = [];
  /** Lines that are not in the file of the log, as far as that was looked at. */
  #lines: WaitingLine[] = [];
  #trouble: CrawlError | null = null;

  constructor(parts: SharedRecordsParts) {
    this.#parts = parts;
  }

  /** Tells what is wrong with the bodies that a checkpoint knows. */
  static checkBodies(
    storage: Storage,
    { payloads }: ArchiveMarks,
    tell: Parameters<typeof checkPayloadLog>[2],
  ): Promise<void> {
    return checkPayloadLog(storage, payloads, tell);
  }

  get nextSerial(): number {
    return this.#parts.nextSerial;
  }

  get cuts(): ArchiveCuts {
    return this.#parts.cuts;
  }

  /** Why lines cannot be made durable: `STORE_FULL` until there is room, `STORE_FAILED` for good. */
  get trouble(): CrawlError | null {
    return this.#trouble;
  }

  get hasRoom(): boolean {
    return this.#trouble === null && !this.#parts.log.isFull;
  }

  /** Calls back when there is room again. */
  whenRoom(callback: () => void): void {
    this.#waiting.push(callback);
    if (this.#trouble === null) this.commit(() => undefined);
  }

  /** Where the lines end. */
  get end(): Position {
    return this.#parts.log.end;
  }

  originalOf(sha1: Uint8Array): string | null {
    return this.#parts.payloads.find(sha1)?.url ?? null;
  }

  /** Another page that has the body; null for the one that archives it. */
  claim({ sha1, original, isOriginal }: Claim): PayloadOriginal | null {
    const { payloads } = this.#parts;
    const found = payloads.find(sha1);
    if (found === null && isOriginal) payloads.add(sha1, original.url, original.dateMs);
    return found === null || found.url === original.url ? null : found;
  }

  /** Always takes the line: stores hold back while there is no room. */
  append(line: Uint8Array): void {
    const { log, book } = this.#parts;
    log.append(line);
    book.take(placeIn(Buffer.from(line.buffer, line.byteOffset, line.length).toString("latin1")));
    this.#lines.push({ bytes: line, endsAt: log.end });
    if (this.#lines.length % LINES_LOOKED_AT === 0) this.#forgetWritten();
  }

  /** What a checkpoint of this moment says of the archive. */
  mark(done: Done<ArchiveMarks>): void {
    this.#parts.book.checkpoint(done);
  }

  commit(done: Acknowledge): void {
    this.#parts.log.commit((cause) => {
      this.#trouble = cause === null ? null : storeError(cause);
      done(this.#trouble);
      if (this.hasRoom) for (const callback of this.#waiting.splice(0)) callback();
    });
  }

  flush(done: Acknowledge): void {
    this.#parts.log.flush((cause) => done(cause === null ? null : storeError(cause)));
  }

  close(done: Acknowledge): void {
    const { log, book } = this.#parts;
    this.commit((error) => {
      book.close((bookCause) => {
        log.close((logCause) => {
          const cause = bookCause ?? logCause;
          done(error ?? (cause === null ? null : storeError(cause)));
        });
      });
    });
  }

  /** After a close that failed: the lines that are not on the disk. */
  lostLines(): CrawlLine[] {
    this.#forgetWritten();
    return this.#lines.flatMap(({ bytes }) => {
      return parseCrawlLine(Buffer.from(bytes).toString("latin1")) ?? [];
    });
  }

  #forgetWritten(): void {
    const { written } = this.#parts.log;
    this.#lines = this.#lines.filter(({ endsAt }) => endsAt > written);
  }
}
