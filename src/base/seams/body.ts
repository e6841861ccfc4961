/**
 * The body of an answer: fetched once, read by several readers (parser, digest, archive), then
 * released.
 *
 * Contract for implementers and callers:
 * - A body in memory is available as `bytes`; readers on the hot path use nothing else. A body that
 *   had to go to disk has `bytes` null and is read in pieces.
 * - It may be read any number of times, in any order, by several readers at once.
 * - `release` ends it: afterwards nothing may be read, and bytes handed out before must not be used
 *   any more, since their memory may belong to another body by then.
 */
import type { Done } from "./done.ts";

export interface Body {
  readonly lengthBytes: number;

  /** The whole body if it is in memory; null if it is on disk. */
  readonly bytes: Uint8Array | null;

  /** Up to `lengthBytes` bytes from `offset`; fewer only at the end. Works for every body. */
  read(offset: number, lengthBytes: number, done: Done<Uint8Array>): void;

  /** Frees memory or disk; to be called once, when no reader is left. */
  release(): void;
}
