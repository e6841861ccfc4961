/**
 * `logs/faults.log`: the internal faults of a crawl, for those who fix them. A fault is rare, so
 * each is written at once, as a line of JSON: when, code, URL, message and stack.
 *
 * A server that can cause a fault once can cause it a million times, so the number and the length
 * of lines are bounded; further faults are only counted by the crawl. When the disk refuses a line,
 * nothing more is written: its space is needed for the crawl itself.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge, FileName, Storage, StorageFile } from "../../base/seams/index.ts";

const FAULT_LOG: FileName = "logs/faults.log";

/** Lines that one run of a crawl writes. */
const LINES_MAX = 1000;
/** A file this long takes no more, whichever run wrote it. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;
const URL_LENGTH_MAX = 2048;
const MESSAGE_LENGTH_MAX = 1000;
const STACK_LENGTH_MAX = 6000;

export class FaultLog {
  readonly #storage: Storage;
  /** Lines that are not yet handed to the file. */
  #waiting: Uint8Array[] = [];
  #lines = 0;
  #file: StorageFile | null = null;
  #isBusy = false;
  #hasFailed = false;
  #closing: Acknowledge | null = null;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Writes a fault, if there is still room for one. */
  write(error: CrawlError, url: string, atMs: number): void {
    if (this.#lines >= LINES_MAX || this.#hasFailed || this.#closing !== null) return;
    this.#lines += 1;
    this.#waiting.push(Buffer.from(lineOf(error, url, atMs)));
    this.#flush();
  }

  /** Answers when what was written is in the file. */
  close(done: Acknowledge): void {
    this.#closing = done;
    if (!this.#isBusy) this.#close(done);
  }

  #flush(): void {
    if (this.#isBusy || this.#waiting.length === 0) return;
    this.#isBusy = true;
    if (this.#file !== null) this.#append(this.#file);
    else {
      this.#storage.open(FAULT_LOG, (error, file) => {
        if (error !== null) return this.#ended(error);
        this.#file = file;
        this.#append(file);
      });
    }
  }

  #append(file: StorageFile): void {
    const lines = this.#waiting;
    this.#waiting = [];
    if (file.lengthBytes < FILE_BYTES_MAX) file.append(lines, (error) => this.#ended(error));
    else {
      this.#lines = LINES_MAX;
      this.#ended(null);
    }
  }

  #ended(error: CrawlError | null): void {
    this.#isBusy = false;
    this.#hasFailed ||= error !== null;
    if (this.#hasFailed) this.#waiting = [];
    if (this.#waiting.length > 0) this.#flush();
    else if (this.#closing !== null) this.#close(this.#closing);
  }

  #close(done: Acknowledge): void {
    const file = this.#file;
    this.#file = null;
    if (file === null) done(null);
    else file.close(() => done(null));
  }
}

function lineOf({ code, message, cause }: CrawlError, url: string, atMs: number): string {
  const stack = cause instanceof Error ? (cause.stack ?? "") : "";
  const fault = {
    at: new Date(atMs).toISOString(),
    code,
    url: url.slice(0, URL_LENGTH_MAX),
    message: message.slice(0, MESSAGE_LENGTH_MAX),
    stack: stack.slice(0, STACK_LENGTH_MAX),
  };
  return `${JSON.stringify(fault)}\n`;
}
