/**
 * The seam to files. It offers just what a crash-safe log needs: growing a file, making it
 * durable, cutting it, and replacing a small file as a whole.
 *
 * Contract for implementers and callers:
 * - Every call answers exactly once, and never before it has returned.
 * - Calls through one handle take effect in their order, and so do calls that name one file;
 *   effects on different files may overlap. `list` sees what had answered when it was called.
 *   Reads through one handle with nothing else between them may overlap and answer in any order.
 * - One handle at a time may append to a file; any number may read it meanwhile.
 * - Appended bytes are readable at once, but survive a crash only if a `sync` called after the
 *   append has answered without error. Until then any part of them may survive, in any sectors.
 * - After a failed `append` or `cut` a part of its effect may be there. Every later append answers
 *   the same error until a `cut` (to `lengthBytes`, or less) has succeeded.
 * - After a failed `sync` nothing is known about the bytes since the last good one, and another
 *   `sync` would prove nothing: every later append, cut and sync through this handle answers the
 *   same error. What a new handle reads there may still not be on the disk.
 * - The first good `sync` through a handle also makes durable the names in the file's folder, as
 *   they are then: its own name, and names of others that were not durable yet.
 * - `replace`, `rename` and `remove` are durable when they answer. Before that, or when one fails,
 *   or when the process dies meanwhile, the old state or the new one is there, and a crash may turn
 *   the new one back into the old. If one of them fails with `STORAGE_FULL`, nothing was changed.
 * - Bytes handed over belong to the storage until it answers; bytes handed out belong to the
 *   caller.
 */
import type { Acknowledge, Done } from "./done.ts";

export interface Storage {
  /** Opens a file for reading and appending; creates it, and folders on the way, when missing. */
  open(name: FileName, done: Done<StorageFile>): void;

  /**
   * Opens a file for reading only; `STORAGE_MISSING` when there is none. Its handle goes on
   * reading the same file when that is renamed, replaced or removed meanwhile.
   */
  openToRead(name: FileName, done: Done<ReadableFile>): void;

  /** The whole of a small file; `STORAGE_MISSING` when there is none. */
  readWhole(name: FileName, done: Done<Uint8Array>): void;

  /**
   * Makes `bytes` the whole content of `name`, durably: a crash leaves the old content or the new
   * one, never a mixture and never neither. The file must not be open for appending.
   */
  replace(name: FileName, bytes: Uint8Array, done: Acknowledge): void;

  /**
   * Gives a file another name, replacing what had that name; or a folder with everything in it,
   * when no file is below the new name. `STORAGE_MISSING` when there is nothing of that name.
   * Neither may be open for appending. It says nothing about the durability of the content.
   */
  rename(name: FileName, to: FileName, done: Acknowledge): void;

  /** Removes a file; fine when there is none. It must not be open for appending. */
  remove(name: FileName, done: Acknowledge): void;

  /** Names of all files below `folder` ("" for all), sorted by code unit, at any depth. */
  list(folder: FileName | "", done: Done<readonly FileName[]>): void;

  /** Bytes that can still be written here. */
  freeBytes(done: Done<number>): void;
}

export interface ReadableFile {
  readonly name: FileName;

  /** Up to `lengthBytes` bytes from `offset`; fewer only at the end of the file. */
  read(offset: number, lengthBytes: number, done: Done<Uint8Array>): void;

  /** Closes the file after the calls made before; it syncs nothing. */
  close(done: Acknowledge): void;
}

export interface StorageFile extends ReadableFile {
  /**
   * Length now: what was there at opening, every append that has succeeded, and every cut that has
   * answered, since after a failed one no more is certain to be there.
   */
  readonly lengthBytes: number;

  /** Adds the chunks, in order, at the end. */
  append(chunks: readonly Uint8Array[], done: Acknowledge): void;

  /**
   * Answers when everything appended or cut before this call survives a crash. After
   * `STORAGE_FULL` it may be called again; after any other error the handle is useless.
   */
  sync(done: Acknowledge): void;

  /** Shortens the file to `lengthBytes`, which must not be more than it will have by then. */
  cut(lengthBytes: number, done: Acknowledge): void;
}

/**
 * A relative path with `/` between its parts, each part of letters, digits, `.`, `_`, `-`, at most
 * 200 of them, and no part beginning with a dot. `isFileName` checks it.
 */
export type FileName = string;

const FILE_NAME = /^(?!\.)[A-Za-z0-9._-]{1,200}(?:\/(?!\.)[A-Za-z0-9._-]{1,200})*$/;

/** Whether this is a valid name; passing any other to a storage is a programming error. */
export function isFileName(name: string): boolean {
  return name.length <= 512 && FILE_NAME.test(name);
}
