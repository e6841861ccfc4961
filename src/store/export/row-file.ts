/** Rows that go to a file, or to any descriptor that does not block a writer for long. */
import fs from "node:fs";
import { resolve } from "node:path";
import type { CrawlError } from "../../base/errors/index.ts";
import type { Done } from "../../base/seams/index.ts";
import { rowError } from "./row-error.ts";
import type { RowMark, RowSink } from "./row-sink.ts";

export interface RowFileOptions {
  readonly descriptor: number;
  /** As the user gave it. */
  readonly name: string;
  /** Whether we opened the file, so that it can be cut and is closed. */
  readonly isOwn: boolean;
  /** What is in the file already. */
  readonly lengthBytes: number;
}

const INTERRUPTIONS_MAX = 100;

export class RowFile implements RowSink {
  readonly #options: RowFileOptions;

  #lengthBytes: number;

  constructor(options: RowFileOptions) {
    this.#options = options;
    this.#lengthBytes = options.lengthBytes;
  }

  get lengthBytes(): number {
    return this.#options.lengthBytes;
  }

  write(bytes: Uint8Array, done: (error: CrawlError | null, writtenBytes: number) => void): void {
    const { descriptor, name } = this.#options;
    let writtenBytes = 0;
    let fruitless = 0;
    const end = (error: CrawlError | null): void => {
      this.#lengthBytes += writtenBytes;
      done(error, writtenBytes);
    };
    const round = (): void => {
      fs.write(descriptor, bytes, writtenBytes, bytes.length - writtenBytes, null, took);
    };
    const took = (error: NodeJS.ErrnoException | null, count: number): void => {
      if (error === null) writtenBytes += count;
      fruitless = error === null && count > 0 ? 0 : fruitless + 1;
      const isInterrupted = error?.code === "EINTR" || error?.code === "EAGAIN";
      if (error !== null && (!isInterrupted || fruitless > INTERRUPTIONS_MAX)) {
        end(rowError(error, name));
      } else if (writtenBytes === bytes.length) end(null);
      else round();
    };
    round();
  }

  cutTo(lengthBytes: number, done: () => void): void {
    const { descriptor, isOwn } = this.#options;
    if (isOwn) fs.ftruncate(descriptor, lengthBytes, () => done());
    else done();
  }

  mark(done: Done<RowMark>): void {
    const { descriptor, name, isOwn } = this.#options;
    const mark = { file: isOwn ? resolve(name) : null, bytes: this.#lengthBytes, nextSerial: 0 };
    const synced = (error: NodeJS.ErrnoException | null): void =>
      error === null ? done(null, mark) : done(rowError(error, name), undefined);
    // Standard output may be a device, which cannot be made durable.
    if (isOwn) fs.fdatasync(descriptor, synced);
    else fs.fstat(descriptor, () => synced(null));
  }

  close(done: (error: CrawlError | null) => void): void {
    const { descriptor, name, isOwn } = this.#options;
    if (!isOwn) done(null);
    else fs.close(descriptor, (error) => done(error === null ? null : rowError(error, name)));
  }

  abandon(): void {}
}
