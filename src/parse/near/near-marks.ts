/**
 * Which runs of an index count, and how far into the log each of them reaches: a small file beside
 * the log, replaced as a whole whenever that changes. It may be older than the runs on disk, never
 * newer; entries that its runs do not contain are in the log.
 */
import type { Position } from "../../base/log/index.ts";
import { NO_RUNS, type RunStackMarks } from "../../base/runs/index.ts";
import type { FileName } from "../../base/seams/index.ts";
import { HALVES, type Half } from "./half-table.ts";
import type { NearMark } from "./near-run.ts";

export type NearMarks = Readonly<Record<Half, RunStackMarks<NearMark>>>;

export const NO_NEAR_MARKS: NearMarks = { high: NO_RUNS, low: NO_RUNS };

const KIND = "near 1";

export function marksName(folder: FileName): FileName {
  return `${folder}/runs`;
}

/** Where the runs by one half are. */
export function halfFolder(folder: FileName, half: Half): FileName {
  return `${folder}/${half}`;
}

export function printMarks({ high, low }: NearMarks): Uint8Array {
  return Buffer.from(JSON.stringify({ kind: KIND, high, low }));
}

/** Null when the bytes are not marks. */
export function readMarks(bytes: Uint8Array): NearMarks | null {
  try {
    const { kind, ...marks } = JSON.parse(Buffer.from(bytes).toString());
    const isWhole = HALVES.every((half) => Array.isArray(marks[half]?.runs));
    return kind === KIND && isWhole ? (marks as NearMarks) : null;
  } catch {
    return null;
  }
}

/**
 * The marks of the runs that reach no further than `end` and hold the same entries by both halves:
 * each half is merged by itself, so only at some positions does a run end in both.
 */
export function cutMarks(marks: NearMarks, end: Position): NearMarks {
  const lowEnds = new Set(marks.low.runs.map(({ to }) => to));
  const covered = marks.high.runs
    .map(({ to }) => to)
    .findLast((to) => to <= end && lowEnds.has(to));
  const cut = ({ runs, nextNumber }: RunStackMarks<NearMark>): RunStackMarks<NearMark> => ({
    runs: covered === undefined ? [] : runs.filter(({ to }) => to <= covered),
    nextNumber,
  });
  return { high: cut(marks.high), low: cut(marks.low) };
}
