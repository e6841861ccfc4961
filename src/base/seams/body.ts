/**
 * The body of an answer: fetched once, read by several (parser, digest, archive), then given back.
 *
 * Contract for implementers and callers:
 * - A body that lies in memory shows itself as `bytes`; readers on the hot path use nothing else.
 *   One that had to go to disk has `bytes` null and is read in pieces.
 * - It may be read any number of times, in any order, by several readers at once.
 * - `release` ends it: afterwards nothing may be read, and bytes handed out before must not be
 *   looked at any more, since their memory may belong to another body by then.
 */
import type { Done } from "./done.ts";

export interface Body {
  readonly lengthBytes: number;

  /** The whole body, where it lies in memory; null where it lies on disk. */
  readonly bytes: Uint8Array | null;

  /** Up to `lengthBytes` bytes from `offset`; fewer only at the end. Works for every body. */
  read(offset: number, lengthBytes: number, done: Done<Uint8Array>): void;

  /** Gives memory or disk back; to be called once, when no reader is left. */
  release(): void;
}
