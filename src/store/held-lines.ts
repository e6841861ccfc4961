/**
 * Lines of the crawl log that wait until the records they speak of are in the archive's files. So
 * whatever ends the process, a line that is in the log has its record: only a failing power, which
 * may lose bytes that were written, can part them.
 *
 * Lines stay in the order in which they came, those without a record too.
 */
import type { CrawlLine } from "./crawl-line.ts";
import type { CrawlLog } from "./crawl-log.ts";

interface Held {
  readonly line: CrawlLine;
  /** The line may go when the archive has this many bytes in its files. */
  readonly upToBytes: number;
}

const LINES_MAX = 20_000;

export class HeldLines {
  readonly #log: CrawlLog;
  #lines: Held[] = [];
  /** Those before are gone; the list is cut now and then, since shifting it each time is slow. */
  #first = 0;

  constructor(log: CrawlLog) {
    this.#log = log;
  }

  get hasRoom(): boolean {
    return this.#lines.length - this.#first < LINES_MAX;
  }

  add(line: CrawlLine, upToBytes: number): void {
    this.#lines.push({ line, upToBytes });
  }

  /** Gives the log all lines that may go, as far as it takes them. Whether any could not. */
  release(writtenBytes: number): boolean {
    for (;;) {
      const held = this.#lines[this.#first];
      if (held === undefined || held.upToBytes > writtenBytes) break;
      if (this.#log.tryAppend(held.line) === null) return true;
      this.#first += 1;
    }
    this.#forget();
    return false;
  }

  /** Rarely enough that a line is moved about once. */
  #forget(): void {
    if (this.#first * 2 < this.#lines.length || this.#first === 0) return;
    this.#lines = this.#lines.slice(this.#first);
    this.#first = 0;
  }
}
