/** Opens what rows are written to. A file that is not empty is only replaced on request. */
import fs from "node:fs";
import { dirname, resolve } from "node:path";
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import { RowFile } from "./row-file.ts";
import { RowPipe } from "./row-pipe.ts";
import type { RowSink } from "./row-sink.ts";

/** Rows to a descriptor that is open already, such as standard output. */
export function openDescriptor(descriptor: number, name: string): RowSink {
  const status = fs.fstatSync(descriptor);
  if (status.isFIFO() || status.isSocket()) return new RowPipe(descriptor, name);
  return new RowFile({ descriptor, name, isOwn: false });
}

/**
 * Checks whether rows can go to this file, without touching it; throws if not. The file may be in
 * the crawl directory, which may not exist yet.
 */
export function checkRowFile(
  path: string,
  { crawlFolder, mayReplace }: { readonly crawlFolder: string; readonly mayReplace: boolean },
): void {
  const status = fs.statSync(path, { throwIfNoEntry: false });
  if (status === undefined) {
    const folder = resolve(dirname(path));
    const isThere = fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isThere && folder !== resolve(crawlFolder)) {
      throw refused(path, "is in a folder that does not exist", "Make the folder first.");
    }
  } else if (status.isDirectory()) throw refused(path, "is a folder");
  else if (status.isFile() && status.size > 0 && !mayReplace) {
    throw refused(path, "exists already and is not empty", REPLACING);
  }
}

/** A file, emptied; or the writing end of a named pipe that has a reader. */
export function openRowFile(path: string): RowSink {
  try {
    const isPipe = fs.statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
    const { O_WRONLY, O_NONBLOCK, O_CREAT, O_TRUNC } = fs.constants;
    const flags = O_WRONLY | (isPipe ? O_NONBLOCK : O_CREAT | O_TRUNC);
    const descriptor = fs.openSync(path, flags);
    if (isPipe) return new RowPipe(descriptor, path);
    const isOwn = fs.fstatSync(descriptor).isFile();
    return new RowFile({ descriptor, name: path, isOwn });
  } catch (error) {
    const remedy = isCode(error, "ENXIO") ? "Start the reader first." : undefined;
    throw refused(path, reasonOf(error), remedy);
  }
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
