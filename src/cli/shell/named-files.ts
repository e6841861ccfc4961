/** Files that a command line names: settings, seeds, and pages and rules to be looked at. */
import { createReadStream, readdirSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CrawlError } from "../../base/errors/index.ts";
import { readFile } from "../../base/folder/index.ts";
import { quoted } from "../../base/text/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";

/** Files are read in pieces of this size. */
const PIECE_BYTES = 256 * 1024;

/** Whether a word of the command line is the path of a file. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    // A URL may be too long for a path.
    return false;
  }
}

/** Whether a word of the command line is the path of anything. */
export function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** A file that an argument names, cut at the limit. Throws `USAGE_BAD_ARGUMENT`. */
export function readArgumentFile(path: string, bytesMax: number): Uint8Array {
  const read = readFile(path, bytesMax);
  if (read.ok) return read.bytes;
  const advice = "give the path of a file that can be read";
  throw new CrawlError("USAGE_BAD_ARGUMENT", `${quoted(path)} ${read.problem}; ${advice}.`);
}

/** A file of any size, piece by piece. */
export function openNamedFile(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { highWaterMark: PIECE_BYTES });
}

/** What a crawl has left in its directory. */
export interface KeptFiles {
  readonly archiveFiles: number;
  readonly archiveBytes: number;
  readonly logBytes: number;
  /** Of JSON lines. */
  readonly lineFiles: number;
  readonly lineBytes: number;
}

/** Looks into a crawl directory; what is not there counts as nothing. Its configuration is read unless given. */
export function keptFiles(folder: string, configuration: Configuration | null = null): KeptFiles {
  const names = ownNames(folder, configuration);
  const archive = names.filter((name) => name.startsWith("warc/"));
  const log = names.filter((name) => /^logs\/crawl\..*log$/.test(name));
  const sum = (files: readonly string[]): number =>
    files.reduce((total, name) => total + sizeOf(join(folder, name)), 0);
  const lines = names.filter((name) => name.startsWith("pages/"));
  return {
    ...{ archiveFiles: archive.length, archiveBytes: sum(archive), logBytes: sum(log) },
    ...{ lineFiles: lines.length, lineBytes: sum(lines) },
  };
}

/** The same of several, of the agents of a crawl. */
export function keptFilesIn(folders: readonly string[], configuration: Configuration): KeptFiles {
  const all = folders.map((folder) => keptFiles(folder, configuration));
  const sum = (name: keyof KeptFiles): number => all.reduce((total, one) => total + one[name], 0);
  return {
    ...{ archiveFiles: sum("archiveFiles"), archiveBytes: sum("archiveBytes") },
    ...{ logBytes: sum("logBytes"), lineFiles: sum("lineFiles"), lineBytes: sum("lineBytes") },
  };
}

/** A user may keep files beside those of the crawl; they are not counted. */
function ownNames(folder: string, configuration: Configuration | null): readonly string[] {
  try {
    return CrawlDirectory.filesOf(folder, configuration);
  } catch {
    return [];
  }
}

/** In bytes; 0 for what is not there. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The names of the folders in a folder, sorted. */
export function foldersIn(path: string): readonly string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** A new empty folder, for as long as the command runs. */
export async function temporaryFolder(prefix: string): Promise<string> {
  return await mkdtemp(join(tmpdir(), prefix));
}

export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}
