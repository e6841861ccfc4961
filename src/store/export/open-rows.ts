/**
 * Opens what rows are written to. A file that is not empty is only replaced on request; a crawl that
 * goes on adds to it.
 */
import fs from "node:fs";
import { dirname, resolve } from "node:path";
import zlib from "node:zlib";
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import { RowFile } from "./row-file.ts";
import { RowPipe } from "./row-pipe.ts";
import type { RowSink } from "./row-sink.ts";

/** Rows to a descriptor that is open already, such as standard output. */
export function openDescriptor(descriptor: number, name: string): RowSink {
  const status = fs.fstatSync(descriptor);
  if (status.isFIFO() || status.isSocket()) return new RowPipe(descriptor, name);
  return new RowFile({ descriptor, name, isOwn: false, lengthBytes: 0 });
}

/**
 * Checks whether rows can go to this file, without touching it; throws if not. The file may be in
 * the crawl directory, which may not exist yet.
 */
export function checkRowFile(
  path: string,
  use: { readonly crawlFolder: string; readonly mayReplace: boolean; readonly mayAppend: boolean },
): void {
  const status = fs.statSync(path, { throwIfNoEntry: false });
  if (status === undefined) {
    const folder = resolve(dirname(path));
    const isThere = fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isThere && folder !== resolve(use.crawlFolder)) {
      throw refused(path, "is in a folder that does not exist", "Make the folder first.");
    }
  } else if (status.isDirectory()) throw refused(path, "is a folder");
  else if (status.isFile() && status.size > 0 && !use.mayReplace && !use.mayAppend) {
    throw refused(path, "exists already and is not empty", REPLACING);
  }
}

/** What becomes of a file of rows that is not empty. */
export interface RowFileUse {
  /** Whether the user wants it replaced. */
  readonly mayReplace: boolean;
  /** For a crawl that goes on: whether rows fit below the first line that is there; else null. */
  readonly fits: ((firstLine: string) => boolean) | null;
  /** Whether it is in members of gzip. */
  readonly isCompressed: boolean;
  /**
   * What follows is cut off, since the crawl does not know of it; what is shorter is refused. Null, the
   * default, for a file of which the crawl knows nothing.
   */
  readonly cutTo?: number | null;
}

/** A file, emptied unless rows are added to it; or the writing end of a named pipe that has a reader. */
export function openRowFile(path: string, use: RowFileUse = REPLACED): RowSink {
  try {
    const status = fs.statSync(path, { throwIfNoEntry: false });
    const isPipe = status?.isFIFO() === true;
    if (status?.isFile() !== false) checkLength(path, status?.size ?? 0, use);
    if (status?.isFile() === true && status.size > 0) checkContent(path, status.size, use);
    const { O_WRONLY, O_NONBLOCK, O_CREAT, O_TRUNC, O_APPEND } = fs.constants;
    const flags = O_CREAT | (use.fits === null ? O_TRUNC : O_APPEND);
    const descriptor = fs.openSync(path, O_WRONLY | (isPipe ? O_NONBLOCK : flags));
    if (isPipe) return new RowPipe(descriptor, path);
    const { size, isFile } = opened(descriptor);
    const kept = Math.min(size, use.cutTo ?? size);
    if (isFile && kept < size) fs.ftruncateSync(descriptor, kept);
    return new RowFile({ descriptor, name: path, isOwn: isFile, lengthBytes: isFile ? kept : 0 });
  } catch (error) {
    if (isCrawlError(error)) throw error;
    const remedy = isCode(error, "ENXIO") ? "Start the reader first." : undefined;
    throw refused(path, reasonOf(error), remedy);
  }
}

const REPLACED: RowFileUse = { mayReplace: true, fits: null, isCompressed: false };
/** What is read of a file; a longer first line is not looked at. */
const READ_BYTES_MAX = 4 * 1024 * 1024;

/** Throws if rows are missing that the crawl knows to be durable. */
function checkLength(path: string, size: number, { cutTo = null }: RowFileUse): void {
  if (cutTo === null || size >= cutTo) return;
  throw new CrawlError(
    "PAGES_DAMAGED",
    `The file ${quoted(path)} of --pages has ${size} bytes, and had ${cutTo} when the crawl recorded it: ` +
      "rows are missing, and would not be written again. Put it back from a copy, name another file for " +
      "the rows to come, or start over with --fresh.",
    { file: path },
  );
}

/** Throws unless what is in a file may be replaced or added to. */
function checkContent(path: string, size: number, use: RowFileUse): void {
  if (use.fits === null) {
    if (use.mayReplace) return;
    throw refused(path, "exists already and is not empty", REPLACING);
  }
  const line = firstLine(path, size, use.isCompressed);
  if (line === null || use.fits(line)) return;
  throw refused(
    path,
    "has rows with other columns than this run would write",
    "Give --text, --links, --extract and --page-requisites as before, or name another file.",
  );
}

/** Without its line feed; null if it is too long. */
function firstLine(path: string, size: number, isCompressed: boolean): string | null {
  const descriptor = fs.openSync(path, "r");
  try {
    const bytes = Buffer.alloc(Math.min(size, READ_BYTES_MAX));
    fs.readSync(descriptor, bytes);
    const text = isCompressed ? unpacked(bytes) : bytes;
    const end = text.indexOf("\n");
    if (end >= 0) return text.toString("utf8", 0, end);
    return bytes.length === size ? text.toString("utf8") : null;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** As far as it goes: the end may be missing. What is not gzip has no line in common with rows. */
function unpacked(bytes: Buffer): Buffer {
  try {
    return zlib.gunzipSync(bytes, { finishFlush: zlib.constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.from("?\n");
  }
}

function opened(descriptor: number): { readonly size: number; readonly isFile: boolean } {
  const status = fs.fstatSync(descriptor);
  return { size: status.size, isFile: status.isFile() };
}

function reasonOf(error: unknown): string {
  if (isCode(error, "ENXIO")) return "is a pipe that nobody reads";
  if (isCode(error, "EACCES") || isCode(error, "EPERM")) return "cannot be written by this user";
  return `cannot be written (${error instanceof Error ? error.message : String(error)})`;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

const REPLACING = "Name a file that does not exist yet; with --fresh an existing one is replaced.";

function refused(path: string, problem: string, remedy = "Name another file."): CrawlError {
  return new CrawlError("USAGE_BAD_FLAG_VALUE", `--pages ${quoted(path)} ${problem}. ${remedy}`);
}
