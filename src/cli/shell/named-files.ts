/** Files that a command line names: settings, seeds, and pages and rules to be looked at. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import { type ConfigurationFile, FILE_BYTES_MAX } from "../../rules/config/index.ts";
import type { ConfigMistake, Location } from "../../rules/settings/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";

/** Files are read in pieces of this size, so that a small file does not cost its limit. */
const PIECE_BYTES = 256 * 1024;

export type ReadFile =
  | { readonly ok: true; readonly file: ConfigurationFile }
  | { readonly ok: false; readonly mistake: ConfigMistake };

/**
 * The whole of a file of settings. No more is read than shows that it is too large, since the path
 * may be a device that never ends; the reader of the configuration then says so.
 */
export function readConfigurationFile(path: string): ReadFile {
  try {
    if (statSync(path).isDirectory()) return unreadable(path, "is a directory");
    return { ok: true, file: { path, bytes: readUpTo(path, FILE_BYTES_MAX + 1) } };
  } catch (error) {
    return unreadable(path, reasonOf(error));
  }
}

export type ReadText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** The whole of a file as UTF-8, or why it cannot be had, as a clause that follows its path. */
export function readTextFile(path: string, bytesMax: number): ReadText {
  try {
    if (statSync(path).isDirectory()) return { ok: false, problem: "is a directory" };
    const bytes = readUpTo(path, bytesMax + 1);
    if (bytes.length > bytesMax) return { ok: false, problem: `is larger than ${bytesMax} bytes` };
    return { ok: true, text: new TextDecoder().decode(bytes) };
  } catch (error) {
    return { ok: false, problem: reasonOf(error) };
  }
}

/** Whether a word of the command line is the path of a file. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Whether a word of the command line is the path of anything. */
export function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** A mistake for a file of seeds that is not there; null when it is, or is standard input. */
export function seedFileMistake(path: string, location: Location): ConfigMistake | null {
  if (path === "-") return null;
  try {
    if (!statSync(path).isDirectory()) return null;
    return mistake(location, path, "is a directory");
  } catch (error) {
    return mistake(location, path, reasonOf(error));
  }
}

/** A file to be looked at, cut at the limit; throws what to do when it cannot be read. */
export function readNamedFile(path: string, bytesMax: number): Uint8Array {
  try {
    if (!statSync(path).isDirectory()) return readUpTo(path, bytesMax);
  } catch (error) {
    throw unreadableArgument(path, reasonOf(error));
  }
  throw unreadableArgument(path, "is a directory");
}

/** A file that is read to its end, piece by piece; whether it can be was asked before. */
export async function* openNamedFile(path: string): AsyncGenerator<Uint8Array> {
  const descriptor = openSync(path, "r");
  try {
    for (;;) {
      const piece = new Uint8Array(PIECE_BYTES);
      const read = readSync(descriptor, piece, 0, piece.length, null);
      if (read === 0) return;
      yield piece.subarray(0, read);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** What a crawl has left in its directory. */
export interface KeptFiles {
  readonly archiveFiles: number;
  readonly archiveBytes: number;
  readonly logBytes: number;
}

/** Looks into a crawl directory; what is not there counts as nothing. */
export function keptFiles(folder: string): KeptFiles {
  const names = ownNames(folder);
  const archive = names.filter((name) => name.startsWith("warc/"));
  const log = names.filter((name) => /^logs\/crawl\..*log$/.test(name));
  const sum = (files: readonly string[]): number =>
    files.reduce((total, name) => total + sizeOf(join(folder, name)), 0);
  return { archiveFiles: archive.length, archiveBytes: sum(archive), logBytes: sum(log) };
}

/** A user may keep files beside those of the crawl; they are not counted. */
function ownNames(folder: string): readonly string[] {
  try {
    return CrawlDirectory.filesOf(folder);
  } catch {
    return [];
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** A new empty folder, for as long as the command runs. */
export async function temporaryFolder(prefix: string): Promise<string> {
  return await mkdtemp(join(tmpdir(), prefix));
}

export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

function unreadableArgument(path: string, problem: string): CrawlError {
  return new CrawlError(
    "USAGE_BAD_ARGUMENT",
    `${quoted(path)} ${problem}; give the path of a file that can be read.`,
  );
}

function readUpTo(path: string, bytesMax: number): Uint8Array {
  const descriptor = openSync(path, "r");
  try {
    const pieces: Uint8Array[] = [];
    let restBytes = bytesMax;
    while (restBytes > 0) {
      const piece = new Uint8Array(Math.min(restBytes, PIECE_BYTES));
      const read = readSync(descriptor, piece, 0, piece.length, null);
      if (read === 0) break;
      pieces.push(piece.subarray(0, read));
      restBytes -= read;
    }
    return Buffer.concat(pieces);
  } finally {
    closeSync(descriptor);
  }
}

function unreadable(path: string, problem: string): ReadFile {
  const location: Location = { kind: "flag", flag: "--config", ordinal: null };
  return { ok: false, mistake: mistake(location, path, problem) };
}

function mistake(location: Location, path: string, problem: string): ConfigMistake {
  const code = "CONFIG_FILE_UNREADABLE";
  return { code, location, key: null, value: path, problem, legal: null, nearest: null };
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT") return "does not exist";
  if (code === "EACCES" || code === "EPERM") return "may not be read by this user";
  return `cannot be read (${error instanceof Error ? error.message : String(error)})`;
}
