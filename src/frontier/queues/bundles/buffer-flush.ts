/**
 * Writes a frozen buffer to a bundle, queue by queue, while records are still being taken from it.
 *
 * A record that is taken before its turn is not written; one that is taken afterwards is also taken
 * from the bundle that is being made. So at the end the bundle holds what the buffer still held.
 */
import type { Done } from "../../../base/seams/index.ts";
import type { TakeJournal } from "../journals/take-journal.ts";
import { NO_RECORD, type RecordBuffer } from "../record-buffer.ts";
import type { Bundle } from "./bundle.ts";
import { encodedBytes } from "./bundle-layout.ts";
import type { BundleWriter } from "./bundle-writer.ts";

export class BufferFlush {
  readonly #buffer: RecordBuffer;
  readonly #writer: BundleWriter;
  readonly #takes: TakeJournal;
  /** The queue whose records are being written; all before it have been. */
  #queue = -1;
  /** The next record to write of that queue. */
  #next = NO_RECORD;
  /** How many records of that queue are written and not yet taken. */
  #ahead = 0;
  #isStopped = false;

  constructor(buffer: RecordBuffer, writer: BundleWriter, takes: TakeJournal) {
    this.#buffer = buffer;
    this.#writer = writer;
    this.#takes = takes;
  }

  /** Answers with the bundle; after an error the file is removed and the buffer unchanged. */
  run(done: Done<Bundle | null>): void {
    this.#fill();
    if (this.#queue < this.#buffer.queues) {
      this.#writer.drain((error) => {
        if (error !== null) this.#writer.abandon(() => done(error, undefined));
        else if (this.#isStopped) this.#writer.abandon(() => done(null, null));
        else this.run(done);
      });
    } else this.#writer.finish(done);
  }

  /** Ends at the next opportunity, without a bundle. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Must be called before the first record of a queue is taken from the buffer. */
  taking(queue: number): void {
    if (queue > this.#queue) return;
    const first = this.#buffer.first(queue);
    const isWritten = queue < this.#queue || this.#ahead > 0;
    if (isWritten) {
      const bytes = encodedBytes(this.#buffer.lengthOf(first));
      this.#takes.take(this.#writer.content, queue, bytes, 1);
      if (queue === this.#queue) this.#ahead -= 1;
    } else this.#next = this.#behind(queue, first);
  }

  #fill(): void {
    while (this.#queue < this.#buffer.queues) {
      if (this.#next === NO_RECORD) this.#nextQueue();
      else {
        if (!this.#writer.tryWrite(this.#buffer, this.#queue, this.#next)) return;
        this.#ahead += 1;
        this.#next = this.#behind(this.#queue, this.#next);
      }
    }
  }

  #nextQueue(): void {
    this.#ahead = 0;
    this.#queue += 1;
    this.#next = this.#buffer.first(this.#queue);
    if (this.#next !== NO_RECORD) this.#writer.content.directory.add(this.#queue);
  }

  #behind(queue: number, address: number): number {
    return this.#buffer.isLast(queue, address) ? NO_RECORD : this.#buffer.next(address);
  }
}
