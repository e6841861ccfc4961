/**
 * The seam to files. It offers just what a crash-safe log needs: growing a file, making it
 * durable, cutting it, and replacing a small file as a whole.
 *
 * Contract for implementers and callers:
 * - Effects on one file happen in the order of the calls; effects on different files may overlap.
 * - Bytes appended are readable at once, but survive a crash only if a `sync` called after the
 *   append has answered without error. Until then any part of them may survive, in any sectors.
 * - After a failed `sync` nothing is known about the bytes since the last good one, and another
 *   `sync` proves nothing: the file must be closed, opened and read again.
 * - After a failed `append` a part of the bytes may be in the file: `cut` it back before going on.
 * - The first good `sync` of a file also makes its name durable. `remove` and `rename` are durable
 *   when they answer; a crash before that leaves the old state or the new one.
 * - Bytes handed over belong to the storage until it answers; bytes handed out belong to the caller.
 */
import type { Acknowledge, Done } from "./done.ts";

export interface Storage {
  /** Opens a file for reading and appending; creates it, and folders on the way, when missing. */
  open(name: FileName, done: Done<StorageFile>): void;

  /** The whole of a small file; `STORAGE_MISSING` when there is none. */
  readWhole(name: FileName, done: Done<Uint8Array>): void;

  /**
   * Makes `bytes` the whole content of `name`, durably: a crash leaves the old content or the new
   * one, never a mixture and never neither. The file must not be open.
   */
  replace(name: FileName, bytes: Uint8Array, done: Acknowledge): void;

  /** Gives a file another name in its folder, replacing what had that name. It must not be open. */
  rename(name: FileName, to: FileName, done: Acknowledge): void;

  /** Removes a file; fine when there is none. It must not be open. */
  remove(name: FileName, done: Acknowledge): void;

  /** Names of all files below `folder` ("" for all), sorted by code unit, at any depth. */
  list(folder: string, done: Done<readonly FileName[]>): void;

  /** Bytes that can still be written here. */
  freeBytes(done: Done<number>): void;
}

export interface StorageFile {
  readonly name: FileName;

  /** Length now, counting every append that has answered. */
  readonly lengthBytes: number;

  /** Adds the chunks, in order, at the end. */
  append(chunks: readonly Uint8Array[], done: Acknowledge): void;

  /** Answers when everything appended or cut before this call survives a crash. */
  sync(done: Acknowledge): void;

  /** Up to `lengthBytes` bytes from `offset`; fewer only at the end of the file. */
  read(offset: number, lengthBytes: number, done: Done<Uint8Array>): void;

  /** Shortens the file to `lengthBytes`, which must not be more than it has. */
  cut(lengthBytes: number, done: Acknowledge): void;

  /** Releases the file after the effects already asked for; it syncs nothing. */
  close(done: Acknowledge): void;
}

/**
 * A relative path with `/` between its parts, each part of letters, digits, `.`, `_`, `-`, and no
 * part beginning with a dot. `isFileName` tells.
 */
export type FileName = string;

const FILE_NAME = /^(?!\.)[A-Za-z0-9._-]+(?:\/(?!\.)[A-Za-z0-9._-]+)*$/;

/** Whether a storage would take this name; anything else is a programming error. */
export function isFileName(name: string): boolean {
  return name.length <= 512 && FILE_NAME.test(name);
}
