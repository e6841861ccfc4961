/**
 * Small files that are read and written as a whole, such as those at the top of a crawl directory. They
 * are written durably: a crash leaves the old file or the new one. The storage seam is not used, since
 * these files must be readable by their owner only.
 */
import fs from "node:fs";
import { dirname, join } from "node:path";
import { CrawlError, systemCodeOf } from "../errors/index.ts";
import { printable } from "../text/index.ts";

const OWNER_ONLY = 0o600;

/** Opening a pipe waits for its writer, unless it is told not to. */
const READ_AT_ONCE = fs.constants.O_RDONLY | fs.constants.O_NONBLOCK;

/** Text of a regular file; null when there is none. */
export function readText(path: string): string | null {
  try {
    const descriptor = fs.openSync(path, READ_AT_ONCE);
    try {
      if (!fs.fstatSync(descriptor).isFile()) throw new Error("it is not a regular file");
      return fs.readFileSync(descriptor, "utf8");
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw directoryFailure(error, "read", path);
  }
}

/**
 * Writes a file that only its owner can read. One that is of use to this process alone need not be
 * durable, which takes some milliseconds less.
 */
export function writePrivate(path: string, text: string, isDurable = true): void {
  const temporary = join(dirname(path), `.${path.slice(dirname(path).length + 1)}.tmp`);
  try {
    // A leftover would keep its own mode.
    fs.rmSync(temporary, { force: true });
    const descriptor = fs.openSync(temporary, "wx", OWNER_ONLY);
    try {
      fs.writeFileSync(descriptor, text);
      if (isDurable) fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(temporary, path);
    if (isDurable) syncFolder(dirname(path));
  } catch (error) {
    throw directoryFailure(error, "write", path);
  }
}

/**
 * Makes a folder and those above it that are missing. One at a time: Node's recursive `mkdir` tries
 * for ever where a folder exists in which none can be made, as in /proc.
 */
export function makeFolder(path: string): void {
  try {
    makeFolders(path);
  } catch (error) {
    throw directoryFailure(error, "make", path);
  }
}

function makeFolders(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolders(dirname(path));
  try {
    fs.mkdirSync(path);
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(path)) throw error;
  }
}

/** Whether a path leads to a folder, by a symbolic link too. */
function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Removes one file, or a symbolic link and not what it leads to; fine when there is none. */
export function removeFile(path: string): void {
  try {
    // `rmSync` does not say clearly why it fails.
    fs.unlinkSync(path);
  } catch (error) {
    if (!isMissing(error)) throw directoryFailure(error, "remove", path);
  }
}

/** `doing` completes the sentence "Could not …". */
export function directoryFailure(error: unknown, doing: string, path: string): CrawlError {
  const message =
    `Could not ${doing} ${printable(path)}: ${printable(reasonOf(error))}. ` +
    "Check the path, its permissions and the space on its disk.";
  return new CrawlError("DIRECTORY_FAILED", message, { path }, error);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "nothing can be created there, or it was removed meanwhile",
  EACCES: "this user has no permission",
  EPERM: "this user has no permission",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENAMETOOLONG: "the name is too long",
};

function reasonOf(error: unknown): string {
  return REASONS[systemCodeOf(error)] ?? (error instanceof Error ? error.message : String(error));
}

export function isMissing(error: unknown): boolean {
  return systemCodeOf(error) === "ENOENT";
}

function syncFolder(path: string): void {
  const descriptor = fs.openSync(path, "r");
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
