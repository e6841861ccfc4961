/**
 * Where the bytes of a body go while it is received: the fetcher writes, the spool decides whether
 * they lie in memory or on disk, and hands the finished body over.
 */
import type { Body, Done } from "../seams/index.ts";

/** One body being received. Bytes are copied inside `write`: the caller reuses its buffer. */
export interface BodySink {
  /** False: the sink is behind; write nothing more until `drained` is called. */
  write(bytes: Uint8Array, from: number, to: number): boolean;
  /** No more will come. `done` gets the body (possibly inside the call), or an error when the disk failed. */
  end(done: Done<Body>): void;
  /** Drops what came. */
  abandon(): void;
}

export interface BodySpool {
  open(expectedBytes: number | null, drained: () => void): BodySink;
}
