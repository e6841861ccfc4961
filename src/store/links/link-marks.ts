/**
 * Which runs of a link graph count, and how much of its log: a small file that is replaced as a whole.
 * What is on disk beyond it belongs to a batch that was not finished.
 */
import { crc32 } from "node:zlib";
import type { Position } from "../../base/log/index.ts";
import { NO_RUNS, type RunFormat, type RunStackMarks } from "../../base/runs/index.ts";
import type { FileName } from "../../base/seams/index.ts";

/**
 * The runs of a graph:
 * - `arcs`: the high half of a target's fingerprint, and as the low half of the key the number of a
 *   block that has links to it;
 * - `pages`: the fingerprint of a page, and the number of the block with its links;
 * - `places`: the number of a block, and its position in the log.
 */
export type LinkRuns = "arcs" | "pages" | "places";

export const LINK_RUNS: readonly LinkRuns[] = ["arcs", "pages", "places"];

const BLOCK_RECORDS = 512;

export const LINK_FORMATS: Readonly<Record<LinkRuns, RunFormat>> = {
  arcs: { payloadBytes: 0, blockRecords: BLOCK_RECORDS },
  pages: { payloadBytes: 4, blockRecords: BLOCK_RECORDS },
  places: { payloadBytes: 6, blockRecords: BLOCK_RECORDS },
};

export interface LinkMarks extends Readonly<Record<LinkRuns, RunStackMarks>> {
  /** The length of the log. */
  readonly end: Position;
  readonly nextBlock: number;
  readonly countOfPages: number;
  readonly countOfLinks: number;
  /**
   * How many links the blocks have: more than there are where pages were added once more after a kill.
   * Left out by earlier versions, to which both were one.
   */
  readonly linksWritten?: number;
}

export const NO_LINK_MARKS: LinkMarks = {
  ...{ end: 0, nextBlock: 0, countOfPages: 0, countOfLinks: 0 },
  ...{ arcs: NO_RUNS, pages: NO_RUNS, places: NO_RUNS },
};

const KIND = "links 2";

export function linkMarksName(folder: FileName): FileName {
  return `${folder}/runs`;
}

export function linkLogName(folder: FileName): FileName {
  return `${folder}/log`;
}

export function printLinkMarks(marks: LinkMarks): Uint8Array {
  const text = JSON.stringify(marks);
  return Buffer.from(`${JSON.stringify({ kind: KIND, check: crc32(text) })}\n${text}\n`);
}

/** Null when the bytes are not marks, or not as they were written. */
export function readLinkMarks(bytes: Uint8Array): LinkMarks | null {
  try {
    const [head = "", text = ""] = Buffer.from(bytes).toString().split("\n");
    const { kind, check } = JSON.parse(head);
    return kind === KIND && check === crc32(text) ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}
