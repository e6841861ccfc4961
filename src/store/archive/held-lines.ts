/**
 * Lines of the crawl log that wait until the records they describe are in the archive's files. So
 * whatever ends the process, a line that is in the log has its record; only a power failure, which
 * may lose bytes that were written, can separate them.
 *
 * Lines keep their order, those without a record too. They are remembered until the log has written
 * them, so that after a full disk it is known which lines were lost.
 */
import type { Log, Position } from "../../base/log/index.ts";
import { type CrawlLine, printCrawlLine } from "./crawl-line.ts";

/** Where lines are written: the crawl log, or the way to it from another thread. */
export type LineLog = Pick<
  Log,
  "tryAppend" | "fits" | "end" | "written" | "commit" | "flush" | "close"
>;

interface Held {
  readonly line: CrawlLine;
  /** The line may be written when the archive has this many bytes in its files. */
  readonly upToBytes: number;
  /** Where the line ends in the log; infinite until the log has taken it. */
  endsAt: Position;
}

const LINES_MAX = 20_000;

export class HeldLines {
  readonly #log: LineLog;
  /** Reused for every line, since the log copies what it takes. */
  #buffer: Buffer = Buffer.allocUnsafeSlow(64 * 1024);
  #lines: Held[] = [];
  /** Those before are in the log. */
  #first = 0;
  /** Those before are in its file; the list is cut now and then, since shifting it is slow. */
  #written = 0;
  #taken = 0;

  constructor(log: LineLog) {
    this.#log = log;
  }

  get hasRoom(): boolean {
    return this.#lines.length - this.#first < LINES_MAX;
  }

  /** How many lines there were in all. */
  get taken(): number {
    return this.#taken;
  }

  add(line: CrawlLine, upToBytes: number): void {
    this.#taken += 1;
    this.#lines.push({ line, upToBytes, endsAt: Number.POSITIVE_INFINITY });
  }

  /** Tells, once all lines of this moment are in the log, where they end in it. */
  end(): () => Position {
    const last = this.#lines.at(-1);
    const { end } = this.#log;
    return last === undefined || last.endsAt <= end ? () => end : () => last.endsAt;
  }

  /** Appends all lines that may be written. Returns true when the log refused one. */
  release(writtenBytes: number): boolean {
    for (;;) {
      const held = this.#lines[this.#first];
      if (held === undefined || held.upToBytes > writtenBytes) break;
      if (this.#tryAppend(held.line) === null) return true;
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

  /** The line's position; null, and nothing is taken, when too much is pending or the log broke. */
  #tryAppend(line: CrawlLine): Position | null {
    const bytes = this.#encoded(printCrawlLine(line));
    if (this.#log.fits(bytes)) return this.#log.tryAppend(bytes);
    // The URLs of other pages can be found again; the line's own URL has a limit.
    const notes = line.notes.map(([word]) => [word] as const);
    return this.#log.tryAppend(this.#encoded(printCrawlLine({ ...line, via: null, notes })));
  }

  /** Lines are ASCII: one byte per character. */
  #encoded(text: string): Uint8Array {
    if (text.length > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(text.length * 2);
    return this.#buffer.subarray(0, this.#buffer.write(text, 0, "latin1"));
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
