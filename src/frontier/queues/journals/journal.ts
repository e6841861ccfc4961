/**
 * A log of small entries that never refuses one. Entries are gathered into frames of some
 * kilobytes, so that an entry needs no frame or checksum of its own. When the log has too much
 * pending, or the disk is full, frames wait in a backlog, in order, and `isBehind` asks the owner
 * to hold back.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../../base/errors/index.ts";
import type { Log, Position } from "../../../base/log/index.ts";
import type { Acknowledge, Done } from "../../../base/seams/index.ts";

/** A frame ends when it would grow longer, unless one entry alone does. */
const FRAME_BYTES = 32 * 1024;
const ENTRY_BYTES_MAX = 200 * 1024;

/** A frame that the log has not taken yet, or a caller waiting for the frames before it. */
type Waiting =
  | { readonly kind: "frame"; readonly payload: Uint8Array }
  | { readonly kind: "settle"; readonly done: Done<Position> };

export class Journal {
  /** Where entries are written, at the place that `reserve` gave. */
  readonly bytes: Uint8Array = new Uint8Array(ENTRY_BYTES_MAX);
  readonly view: DataView = new DataView(this.bytes.buffer);
  readonly #log: Log;
  #usedBytes = 0;
  #backlog: Waiting[] = [];
  #isCommitting = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** True while frames wait because the log refused them. */
  get isBehind(): boolean {
    return this.#backlog.length > 0;
  }

  get memoryBytes(): number {
    let waitingBytes = 0;
    for (const each of this.#backlog)
      if (each.kind === "frame") waitingBytes += each.payload.length;
    return this.bytes.length + this.#log.memoryBytes + waitingBytes;
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
    return at;
  }

  /** Ends the frame: the next entry begins another. */
  seal(): void {
    if (this.#usedBytes === 0) return;
    const payload = this.bytes.subarray(0, this.#usedBytes);
    this.#usedBytes = 0;
    if (this.isBehind || this.#log.tryAppend(payload) === null) {
      this.#backlog.push({ kind: "frame", payload: payload.slice() });
      this.#drain();
    }
  }

  /** Answers when everything so far is durable, with the position behind it. */
  settle(done: Done<Position>): void {
    this.seal();
    if (this.isBehind) {
      this.#backlog.push({ kind: "settle", done });
      this.#drain();
    } else this.#commit(done);
  }

  dropBefore(position: Position, done: Acknowledge): void {
    this.#log.dropBefore(position, done);
  }

  /** Drops what waits; callers that wait for it get no answer. */
  close(done: Acknowledge): void {
    this.#backlog = [];
    this.#log.close(done);
  }

  #commit(done: Done<Position>): void {
    const { end } = this.#log;
    this.#log.commit((error) => {
      if (error === null) done(null, end);
      else done(error, undefined);
    });
  }

  /**
   * Makes room by a commit, then hands over the backlog; after a failure the next call tries again.
   */
  #drain(): void {
    if (this.#isCommitting) return;
    this.#isCommitting = true;
    this.#log.commit((error) => {
      this.#isCommitting = false;
      if (error === null) this.#handOver();
      else this.#refuse(error);
    });
  }

  #handOver(): void {
    for (let next = this.#backlog[0]; next !== undefined; next = this.#backlog[0]) {
      if (next.kind === "settle") this.#commit(next.done);
      else if (this.#log.tryAppend(next.payload) === null) {
        this.#drain();
        return;
      }
      this.#backlog.shift();
    }
  }

  #refuse(error: CrawlError): void {
    const waiting = this.#backlog;
    this.#backlog = waiting.filter(({ kind }) => kind === "frame");
    for (const each of waiting) if (each.kind === "settle") each.done(error, undefined);
  }
}
