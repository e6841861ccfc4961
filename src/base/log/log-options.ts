/** The options of a log, and their defaults. */
import assert from "node:assert/strict";
import type { FileName, Random, Storage } from "../seams/index.ts";
import type { FramingKind } from "./framing.ts";
import type { Position } from "./position.ts";

export interface LogOptions {
  readonly storage: Storage;
  /**
   * The log `a/b` has the files `a/b.manifest`, `a/b.log`, `a/b.2.log` and so on. The last part of
   * a name has no dot, so the files of two logs cannot be confused. A log that has a folder of its
   * own moves as a whole when that folder is renamed while the log is closed.
   */
  readonly name: FileName;
  readonly framing: FramingKind;
  /** The salt of a new log is drawn from it. */
  readonly random: Random;
  /**
   * What lies before this is known to have been durable, by default nothing: bad bytes there are damage,
   * never a torn tail that is cut off.
   */
  readonly durableEnd?: Position;
  /** No segment grows longer, unless one frame alone does. */
  readonly segmentBytesMax?: number;
  /** How many bytes of frames may wait in memory before appending is refused. */
  readonly pendingBytesMax?: number;
  /** Frames are handed to the storage in pieces of about this size. */
  readonly chunkBytes?: number;
}

const MEBIBYTE = 1024 * 1024;

export function completed(options: LogOptions): Required<LogOptions> {
  assert(/(?:^|\/)[A-Za-z0-9_-]+$/.test(options.name), `${options.name} is not the name of a log`);
  const segmentBytesMax = options.segmentBytesMax ?? 64 * MEBIBYTE;
  const chunkBytes = Math.min(options.chunkBytes ?? MEBIBYTE / 4, segmentBytesMax);
  return { pendingBytesMax: 4 * MEBIBYTE, durableEnd: 0, ...options, segmentBytesMax, chunkBytes };
}
