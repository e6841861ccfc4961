/**
 * Lines of the crawl log that wait until the records they speak of are in the archive's files. So
 * whatever ends the process, a line that is in the log has its record: only a failing power, which
 * may lose bytes that were written, can part them.
 *
 * Lines stay in the order in which they came, those without a record too. They are remembered until
 * the log has written them, so that what a full disk did not take is known by its lines.
 */

import type { Position } from "../../base/log/index.ts";
import type { CrawlLine } from "./crawl-line.ts";
import type { CrawlLog } from "./crawl-log.ts";

interface Held {
  readonly line: CrawlLine;
  /** The line may go when the archive has this many bytes in its files. */
  readonly upToBytes: number;
  /** Where the line ends in the log; infinite until the log has taken it. */
  endsAt: Position;
}

const LINES_MAX = 20_000;

export class HeldLines {
  readonly #log: CrawlLog;
  #lines: Held[] = [];
  /** Those before are in the log. */
  #first = 0;
  /** Those before are in its file; the list is cut now and then, since shifting it is slow. */
  #written = 0;

  constructor(log: CrawlLog) {
    this.#log = log;
  }

  get hasRoom(): boolean {
    return this.#lines.length - this.#first < LINES_MAX;
  }

  add(line: CrawlLine, upToBytes: number): void {
    this.#lines.push({ line, upToBytes, endsAt: Number.POSITIVE_INFINITY });
  }

  /** Gives the log all lines that may go, as far as it takes them. Whether any could not. */
  release(writtenBytes: number): boolean {
    for (;;) {
      const held = this.#lines[this.#first];
      if (held === undefined || held.upToBytes > writtenBytes) break;
      if (this.#log.tryAppend(held.line) === null) return true;
      held.endsAt = this.#log.end;
      this.#first += 1;
    }
    this.#forget();
    return false;
  }

  /** The lines that are not in the log's file: lost, when the log is closed. */
  unwritten(): CrawlLine[] {
    this.#forget();
    return this.#lines.slice(this.#written).map(({ line }) => line);
  }

  /** Rarely enough that a line is moved about once. */
  #forget(): void {
    const { written } = this.#log;
    while ((this.#lines[this.#written]?.endsAt ?? Number.POSITIVE_INFINITY) <= written) {
      this.#written += 1;
    }
    if (this.#written * 2 < this.#lines.length || this.#written === 0) return;
    this.#lines = this.#lines.slice(this.#written);
    this.#first -= this.#written;
    this.#written = 0;
  }
}
