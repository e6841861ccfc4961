/** Files that a command line names: settings, seeds, and pages and rules to be looked at. */
import { closeSync, createReadStream, openSync, readdirSync, readSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";

/** Files are read in pieces of this size, so that a small file does not cost its limit. */
const PIECE_BYTES = 256 * 1024;

export type ReadFile =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** A clause that follows the path. */
  | { readonly ok: false; readonly problem: string };

/**
 * A file up to a limit. No more is read than that, since the path may be a device that never ends:
 * a caller that wants whole files asks for one byte more than it takes.
 */
export function readFile(path: string, bytesMax: number): ReadFile {
  const problem = fileProblem(path);
  if (problem !== null) return { ok: false, problem };
  try {
    return { ok: true, bytes: readUpTo(path, bytesMax) };
  } catch (error) {
    return { ok: false, problem: reasonOf(error) };
  }
}

/** Why a path cannot be that of a file to read, as a clause that follows it; null if it can. */
export function fileProblem(path: string): string | null {
  try {
    return statSync(path).isDirectory() ? "is a directory" : null;
  } catch (error) {
    return reasonOf(error);
  }
}

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

/** Looks into a crawl directory; what is not there counts as nothing. */
export function keptFiles(folder: string): KeptFiles {
  const names = ownNames(folder);
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

/** A user may keep files beside those of the crawl; they are not counted. */
function ownNames(folder: string): readonly string[] {
  try {
    return CrawlDirectory.filesOf(folder);
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

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT") return "does not exist";
  if (code === "EACCES" || code === "EPERM") return "cannot be read by this user";
  return `cannot be read (${error instanceof Error ? error.message : String(error)})`;
}
