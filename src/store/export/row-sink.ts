/** Where the bytes of rows go: a file, a pipe, standard output. */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Done } from "../../base/seams/index.ts";

/** Where rows end that are durable; a later run can cut what follows. */
export interface RowMark {
  /** The file that was written last; null if there is none. */
  readonly file: string | null;
  readonly bytes: number;
  /** Of a series of files, the number of the next one; else 0. */
  readonly nextSerial: number;
}

/**
 * Contract for implementers: one write at a time, answered once and never inside the call. After
 * `PAGES_FULL` the bytes that are left may be written again. No write may keep the process from
 * ending once `abandon` was called.
 */
export interface RowSink {
  /** What was there when it was opened, of earlier runs; 0 unless given. */
  readonly lengthBytes?: number;

  /** Answers with how many bytes were taken: all of them, or fewer and the error. */
  write(bytes: Uint8Array, done: (error: CrawlError | null, writtenBytes: number) => void): void;

  /** Cuts to this many bytes where that is possible; does nothing elsewhere. */
  cutTo(lengthBytes: number, done: () => void): void;

  /** Makes all that was written durable; left out where nothing can be cut. Not during a write. */
  mark?(done: Done<RowMark>): void;

  close(done: (error: CrawlError | null) => void): void;

  /** Abandons a write that its reader blocks. */
  abandon(): void;
}
