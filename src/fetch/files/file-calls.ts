/** The calls by which local files are read. Only this file of the module imports `node:fs`. */
import { close, constants, type Dir, fstat, lstat, open, opendir, read, realpath } from "node:fs";
import type { FolderEntry } from "./file-listing.ts";

type SystemError = NodeJS.ErrnoException | null;

export interface FileCalls {
  realpath: typeof realpath.native;
  lstat: typeof lstat;
  fstat: typeof fstat;
  read: typeof read;
  close: typeof close;

  /** Opens for reading, without following a final link or waiting for the writer of a pipe. */
  open(path: string, done: (error: SystemError, descriptor: number) => void): void;

  /** Files, folders and links in a folder, until `isEnough` returns true. */
  entries(
    path: string,
    isEnough: (entry: FolderEntry) => boolean,
    done: (error: SystemError, entries: FolderEntry[], isWhole: boolean) => void,
  ): void;
}

const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export const FILE_CALLS: FileCalls = {
  realpath: realpath.native,
  lstat,
  fstat,
  read,
  close,
  open: (path, done) => open(path, READ_FLAGS, done),
  entries: (path, isEnough, done) =>
    opendir(path, (error, folder) => {
      if (error !== null) done(error, [], true);
      else readEntries(folder, isEnough, done);
    }),
};

function readEntries(
  folder: Dir,
  isEnough: (entry: FolderEntry) => boolean,
  done: (error: SystemError, entries: FolderEntry[], isWhole: boolean) => void,
): void {
  const entries: FolderEntry[] = [];
  const end = (error: SystemError, isWhole: boolean): void =>
    folder.close(() => done(error, entries, isWhole));
  const next = (): void =>
    folder.read((error, found) => {
      if (error !== null || found === null) return end(error, true);
      if (!(found.isFile() || found.isDirectory() || found.isSymbolicLink())) return next();
      const entry = { name: found.name, isFolder: found.isDirectory() };
      entries.push(entry);
      return isEnough(entry) ? end(null, false) : next();
    });
  next();
}
