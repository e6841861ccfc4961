/**
 * Where the bytes of an answer go as they arrive. A fetcher opens a sink for each body, writes to it
 * from its one read buffer, and gets the finished `Body` from `end`; the spool decides whether that
 * is in memory or on disk.
 *
 * Contract for implementers and callers:
 * - A sink ends with `end` or `abandon`; nothing is called on it afterwards, except that `abandon`
 *   may be called while `end` has not answered yet: then it never answers.
 * - `drained` is called once for every `write` that returned false, never inside a call, unless the
 *   sink is ended or abandoned first.
 * - One write is at most as long as a socket's read buffer (64 KiB): a sink that is behind holds all
 *   of it in memory until it is written to disk.
 * - After a failure writes are accepted and dropped, so that no caller waits; `end` reports it.
 */
import type { Body, Done } from "../../base/seams/index.ts";

/** One body being received. Bytes are copied inside `write`: the caller reuses its buffer. */
export interface BodySink {
  /** False: the sink is behind; write nothing more until `drained` is called. */
  write(bytes: Uint8Array, from: number, to: number): boolean;

  /**
   * The body is complete. `done` gets it (possibly inside the call), or an error when the disk
   * failed; the bytes are then dropped.
   */
  end(done: Done<Body>): void;

  /** Drops the bytes written so far. */
  abandon(): void;
}

export interface BodySpool {
  /** `expectedBytes` is what the server announced, or null; only a hint. */
  open(expectedBytes: number | null, drained: () => void): BodySink;
}
