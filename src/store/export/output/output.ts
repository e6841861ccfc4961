/** Where the bytes of an export go, one write after the other. */
import type { CrawlError } from "../../../base/errors/index.ts";
import type { RowSink } from "../row-sink.ts";

export interface Output {
  readonly writtenBytes: number;
  /** Resolves when there is room for more. Rejects with a `CrawlError`. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Another program, or standard output. What was written cannot be taken back or continued. */
export class SinkOutput implements Output {
  readonly #sink: RowSink;
  #writtenBytes = 0;

  constructor(sink: RowSink) {
    this.#sink = sink;
  }

  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#sink.write(bytes, (error: CrawlError | null, count: number) => {
        this.#writtenBytes += count;
        if (error === null) resolve();
        else reject(error);
      });
    });
  }
}
