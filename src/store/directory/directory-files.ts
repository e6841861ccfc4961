/**
 * The few small files at the top of a crawl directory, read and written as a whole when a crawl
 * starts. They are written durably: a crash leaves the old file or the new one. The storage seam is
 * not used, since these files must be readable by their owner only, and other folders are listed.
 */
import fs from "node:fs";
import { dirname, join } from "node:path";
import { CrawlError } from "../../base/errors/index.ts";
import { printable } from "../../base/text/index.ts";

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

/** Writes a file that only its owner can read. */
export function writePrivate(path: string, text: string): void {
  const temporary = join(dirname(path), `.${path.slice(dirname(path).length + 1)}.tmp`);
  try {
    // A leftover would keep its own mode.
    fs.rmSync(temporary, { force: true });
    const descriptor = fs.openSync(temporary, "wx", OWNER_ONLY);
    try {
      fs.writeFileSync(descriptor, text);
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(temporary, path);
    syncFolder(dirname(path));
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

/** One entry of a folder; a symbolic link is not a folder here, wherever it leads. */
export interface Entry {
  /** Relative to the crawl directory, with `/` between its parts. */
  readonly name: string;
  readonly isFolder: boolean;
  readonly isLink: boolean;
}

/** What is in a folder of a crawl directory, "" for the directory itself. */
export function entriesIn(root: string, folder: string): readonly Entry[] {
  try {
    const entries = fs.readdirSync(join(root, folder), { withFileTypes: true });
    return entries.map((entry) => ({
      name: folder === "" ? entry.name : `${folder}/${entry.name}`,
      isFolder: entry.isDirectory(),
      isLink: entry.isSymbolicLink(),
    }));
  } catch (error) {
    throw directoryFailure(error, "list", join(root, folder));
  }
}

/** Names in a folder; none when it is missing. */
export function namesIn(path: string): readonly string[] {
  try {
    return fs.readdirSync(path);
  } catch (error) {
    if (isMissing(error)) return [];
    if (codeOf(error) === "ENOTDIR") throw notFolder(path);
    throw directoryFailure(error, "list", path);
  }
}

/** Names the file that is in place of a folder: the path itself, or a part of it. */
function notFolder(path: string): CrawlError {
  let file = path;
  while (!isThere(file) && dirname(file) !== file) file = dirname(file);
  const message = `${printable(file)} is a file, not a directory. Name a new or empty directory with --out.`;
  return new CrawlError("DIRECTORY_FOREIGN", message, { path, name: file });
}

function isThere(path: string): boolean {
  try {
    return fs.statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Removes one file, or a symbolic link and not what it leads to; fine when there is none. */
export function removeFile(path: string): void {
  try {
    fs.rmSync(path, { force: true });
  } catch (error) {
    throw directoryFailure(error, "remove", path);
  }
}

/** Removes a folder in which nothing is left; any other stays. */
export function removeEmptyFolder(path: string): void {
  try {
    fs.rmdirSync(path);
  } catch {
    // Something of the user's is in it.
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
  return REASONS[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function syncFolder(path: string): void {
  const descriptor = fs.openSync(path, "r");
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
