/**
 * A log of rare things as lines of JSON, written at once: faults, and what users changed. The number and
 * the length of lines are bounded, since others can cause them. When the disk refuses a line, nothing
 * more is written: its space is needed for the crawl itself. No line has anything in it that a terminal
 * would obey or a reader of lines would take for the end of one.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Acknowledge, FileName, Storage, StorageFile } from "../../base/seams/index.ts";

/** Lines that one run of a crawl writes. */
const LINES_MAX = 1000;
/** A file this long takes no more, whichever run wrote it. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;

/** What JSON does not escape by itself: control characters, line ends and marks of direction of Unicode. */
const UNSAFE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

export class JsonLines {
  readonly #storage: Storage;
  readonly #name: FileName;
  /** Lines that are not yet handed to the file. */
  #waiting: Uint8Array[] = [];
  #lines = 0;
  #file: StorageFile | null = null;
  #isBusy = false;
  #hasFailed = false;
  #closing: Acknowledge | null = null;

  constructor(storage: Storage, name: FileName) {
    this.#storage = storage;
    this.#name = name;
  }

  /** Writes a line, if there is still room for one. */
  write(value: object): void {
    if (this.#lines >= LINES_MAX || this.#hasFailed || this.#closing !== null) return;
    this.#lines += 1;
    this.#waiting.push(Buffer.from(`${safeJson(value)}\n`));
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
      this.#storage.open(this.#name, (error, file) => {
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

function safeJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
