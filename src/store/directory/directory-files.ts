/** What is in the folders of a crawl directory. The storage seam is not used, since folders of others are listed too. */
import fs from "node:fs";
import { dirname, join } from "node:path";
import { CrawlError, systemCodeOf } from "../../base/errors/index.ts";
import { directoryFailure, isMissing } from "../../base/folder/index.ts";
import { printable } from "../../base/text/index.ts";

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
    if (systemCodeOf(error) === "ENOTDIR") throw notFolder(path);
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

/** Removes a folder with all that is in it. */
export function removeWholeFolder(path: string): void {
  try {
    fs.rmSync(path, { recursive: true, force: true });
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
