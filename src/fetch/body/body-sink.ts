/**
 * Where the bytes of an answer go while they come. A fetcher opens a sink for each body, writes to
 * it from its one reading buffer, and gets the finished `Body` from `end`; whether that lies in
 * memory or on disk is the spool's affair.
 *
 * Contract for implementers and callers:
 * - A sink ends by `end` or by `abandon`; nothing is called on it afterwards, except that one whose
 *   `end` has not answered yet may still be abandoned: then it does not answer any more.
 * - `drained` is called once for every `write` that returned false, never inside a call, unless the
 *   sink is ended or abandoned first.
 * - One write is at most as long as a socket's reading buffer (64 KiB): a sink that is behind holds
 *   all of it in memory until the disk has taken it.
 * - After a failure writes are taken and dropped, so that nobody waits; `end` tells of it.
 */
import type { Body, Done } from "../../base/seams/index.ts";

/** One body being received. Bytes are copied inside `write`: the caller reuses its buffer. */
export interface BodySink {
  /** False: the sink is behind; write nothing more until `drained` is called. */
  write(bytes: Uint8Array, from: number, to: number): boolean;

  /**
   * No more will come. `done` gets the body (possibly inside the call), or an error when the disk
   * failed; what came is then dropped.
   */
  end(done: Done<Body>): void;

  /** Drops what came. */
  abandon(): void;
}

export interface BodySpool {
  /** `expectedBytes` is what the server announced, or null: a hint that nobody relies upon. */
  open(expectedBytes: number | null, drained: () => void): BodySink;
}
