/**
 * Goes through all records of some runs in the order of their keys, a few thousand at a time, for those
 * who compare whole files with one another. Memory does not depend on how many records there are.
 */
import { isCrawlError } from "../errors/index.ts";
import { answered, type FileName, type Storage } from "../seams/index.ts";
import { RunCursor } from "./run-cursor.ts";
import { openRun, type RunFile, type RunMark } from "./run-file.ts";
import type { RunFormat } from "./run-layout.ts";

/** Records in the order of their keys. */
export interface WalkedRecords {
  readonly count: number;
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
  /** As many bytes for each as the format says. */
  readonly payloads: Uint8Array;
}

const RECORDS_AT_ONCE = 4096;

/**
 * A key that several runs have comes as often, from the oldest run first. `RUN_DAMAGED` when a run is
 * missing or not as it was written.
 */
export async function* walkRuns(
  storage: Storage,
  marks: readonly RunMark[],
  format: RunFormat,
): AsyncGenerator<WalkedRecords> {
  const runs: RunFile[] = [];
  try {
    for (const mark of marks) {
      runs.push(await answered<RunFile>((done) => openRun(storage, mark, format, done)));
    }
    const cursors = runs.map((run) => new RunCursor(run, 0));
    for (;;) {
      const records = await nextOf(cursors, format.payloadBytes);
      if (records.count === 0) return;
      yield records;
    }
  } finally {
    for (const run of runs) await answered((done) => run.close(done));
  }
}

/** Reads runs that must be there as they were written; answers with how many records could be read. */
export async function checkRuns(
  storage: Storage,
  marks: readonly RunMark[],
  format: RunFormat,
  tell: (file: FileName, at: null, problem: string) => void,
): Promise<number> {
  let records = 0;
  for (const mark of marks) {
    try {
      for await (const { count } of walkRuns(storage, [mark], format)) records += count;
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      tell(mark.name, null, String(error.facts["reason"] ?? error.message));
    }
  }
  return records;
}

async function nextOf(cursors: readonly RunCursor[], payloadBytes: number): Promise<WalkedRecords> {
  const highs = new Uint32Array(RECORDS_AT_ONCE);
  const lows = new Uint32Array(RECORDS_AT_ONCE);
  const payloads = new Uint8Array(RECORDS_AT_ONCE * payloadBytes);
  let count = 0;
  while (count < RECORDS_AT_ONCE) {
    for (const cursor of cursors) {
      if (!cursor.hasRecord && !cursor.isAtEnd) await answered((done) => cursor.fill(done));
    }
    const least = leastOf(cursors);
    if (least === null) break;
    highs[count] = least.high;
    lows[count] = least.low;
    const from = least.at * payloadBytes;
    payloads.set(least.block.payloads.subarray(from, from + payloadBytes), count * payloadBytes);
    count += 1;
    least.moveTo(least.at + 1);
  }
  return { count, highs, lows, payloads };
}

/** Of equal ones the first. */
function leastOf(cursors: readonly RunCursor[]): RunCursor | null {
  let least: RunCursor | null = null;
  for (const cursor of cursors) {
    if (!cursor.hasRecord) continue;
    const isLess =
      least === null ||
      cursor.high < least.high ||
      (cursor.high === least.high && cursor.low < least.low);
    if (isLess) least = cursor;
  }
  return least;
}
