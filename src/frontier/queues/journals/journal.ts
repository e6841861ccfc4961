/**
 * A log of small entries that never refuses one. Entries are gathered into frames of some
 * kilobytes, so that an entry needs no frame or checksum of its own. While the log has too much
 * pending, or the disk is full, `isBehind` asks the owner to hold back.
 */
import assert from "node:assert/strict";
import { grownBytes } from "../../../base/bytes/index.ts";
import type { Log, Position } from "../../../base/log/index.ts";
import type { Acknowledge, Done } from "../../../base/seams/index.ts";

/** A frame ends when it would grow longer, unless one entry alone does. */
const FRAME_BYTES = 32 * 1024;
const ENTRY_BYTES_MAX = 200 * 1024;
const FIRST_BYTES = 1024;

export class Journal {
  /** Where entries are written, at the place that `reserve` gave; other bytes after each call. */
  bytes: Uint8Array = new Uint8Array(FIRST_BYTES);
  view: DataView = new DataView(this.bytes.buffer);
  readonly #log: Log;
  #usedBytes = 0;
  #isCommitting = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** True while too much waits to be written. */
  get isBehind(): boolean {
    return this.#log.isFull;
  }

  get memoryBytes(): number {
    return this.bytes.length + this.#log.memoryBytes;
  }

  /** A position at or before which the next frame begins. */
  get position(): Position {
    return this.#log.end;
  }

  /** Room for an entry, which must be written before the next call: its place in `bytes`. */
  reserve(entryBytes: number): number {
    if (entryBytes > ENTRY_BYTES_MAX) assert.fail("an entry has a bounded length");
    if (this.#usedBytes > 0 && this.#usedBytes + entryBytes > FRAME_BYTES) this.seal();
    const at = this.#usedBytes;
    this.#usedBytes = at + entryBytes;
    if (this.#usedBytes > this.bytes.length) {
      this.bytes = grownBytes(this.bytes, this.#usedBytes, ENTRY_BYTES_MAX);
      this.view = new DataView(this.bytes.buffer);
    }
    return at;
  }

  /** Ends the frame: the next entry begins another. */
  seal(): void {
    if (this.#usedBytes === 0) return;
    this.#log.append(this.bytes.subarray(0, this.#usedBytes));
    this.#usedBytes = 0;
    if (this.isBehind) this.#makeRoom();
  }

  /** Answers when everything so far is durable, with the position behind it. */
  settle(done: Done<Position>): void {
    this.seal();
    const { end } = this.#log;
    this.#log.commit((error) => {
      if (error === null) done(null, end);
      else done(error, undefined);
    });
  }

  dropBefore(position: Position, done: Acknowledge): void {
    this.#log.dropBefore(position, done);
  }

  /** Drops what waits; callers that wait for it are answered before. */
  close(done: Acknowledge): void {
    this.#log.close(done);
  }

  /** A disk that was full is tried again by a commit only; after a failure by the next frame's. */
  #makeRoom(): void {
    if (this.#isCommitting) return;
    this.#isCommitting = true;
    this.#log.commit(() => {
      this.#isCommitting = false;
    });
  }
}
