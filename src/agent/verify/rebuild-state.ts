/**
 * How far a rebuild is: `rebuild.json` in the crawl directory, which is there from its beginning to
 * its end. A rebuild whose process ended goes on from it.
 *
 * 1. `salvage`: new files are being written beside the old ones. Begun again, it writes them anew.
 * 2. `swap`: old files are being moved aside, and new ones into their places. Begun again, it goes on.
 * 3. `replay`: what derives from archive and crawl log is being made. Begun again, it is removed first.
 * 4. `done`: what was there before is being removed.
 */
import { join } from "node:path";
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import {
  parseChecked,
  printChecked,
  readText,
  removeFile,
  writePrivate,
} from "../../base/folder/index.ts";
import { quoted } from "../../base/text/index.ts";
import type { Salvaged } from "../../store/query/index.ts";

/** Of all that a rebuild needs for itself. */
export const REBUILD_FOLDER = "rebuild";
const STATE_FILE = "rebuild.json";
const FORMAT = 1;

export interface RebuildState {
  readonly phase: "salvage" | "swap" | "replay" | "done";
  /** Under which folder of `damaged/` files are kept that were not whole. */
  readonly id: string;
  /** Null before it is over. */
  readonly salvaged: Salvaged | null;
  /** The first of the pages that are fetched again; left out before that, and by earlier versions. */
  readonly lostUrls?: readonly string[];
}

/** Null if there is no rebuild. Throws `DIRECTORY_DAMAGED` if it cannot be read. */
export function readRebuildState(path: string): RebuildState | null {
  const text = readText(join(path, STATE_FILE));
  if (text === null) return null;
  const { format, ...state } = parseChecked(text, "must-have") ?? {};
  if (format === FORMAT) return state as unknown as RebuildState;
  throw new CrawlError(
    "DIRECTORY_DAMAGED",
    `${quoted(join(path, STATE_FILE))} cannot be read, so it is not known how far the rebuild of this ` +
      "crawl was. Files that were not whole are in its folder damaged, all others in rebuild/old, if there " +
      "are any: put these back, remove rebuild.json and the folder rebuild, and rebuild again.",
  );
}

export function writeRebuildState(path: string, state: RebuildState): void {
  writePrivate(join(path, STATE_FILE), printChecked({ format: FORMAT, ...state }));
}

export function removeRebuildState(path: string): void {
  removeFile(join(path, STATE_FILE));
}

/** Codes of what is used for other files too, so that their messages do not name the way out. */
const OF_ANY_FILE: ReadonlySet<string> = new Set([
  ...["LOG_DAMAGED", "LOG_OUT_OF_RANGE", "DATABASE_CORRUPT", "DATABASE_SCHEMA"],
]);

/** The error of a crawl that cannot go on, with what helps. */
export function withRebuild<Thrown>(error: Thrown): Thrown | CrawlError {
  if (!isCrawlError(error)) return error;
  const { code } = isCrawlError(error.cause) ? error.cause : error;
  if (!OF_ANY_FILE.has(code)) return error;
  if (error.message.includes("--rebuild")) return error;
  const message = `${error.message} For a crawl, \`trobar store verify --rebuild\` makes all again that derives from archive and crawl log.`;
  return new CrawlError(error.code, message, error.facts, error);
}

/** Throws if a rebuild of the crawl has begun and did not end, or that cannot be told. */
export function refuseHalfRebuilt(path: string): void {
  if (readRebuildState(path) === null) return;
  throw new CrawlError(
    "DIRECTORY_DAMAGED",
    `A rebuild of the crawl in ${quoted(path)} has begun and did not end. Begin it again: ` +
      "`trobar store verify --rebuild` with the same directory goes on where it was.",
  );
}
