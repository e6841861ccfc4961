/** Looks a key up in the runs of a table, of which the newest that has it counts. */
import { NO_VALUE } from "../fingerprints/index.ts";
import { type Done, type Storage, withValue } from "../seams/index.ts";
import { findKey } from "./find-keys.ts";
import { openRun, type RunFile, type RunMark } from "./run-file.ts";
import type { RunFormat } from "./run-layout.ts";

export interface TableRuns {
  readonly storage: Storage;
  /** The oldest first. */
  readonly runs: readonly RunMark[];
  readonly format: RunFormat;
}

/** The number of the key; -1 when no run has it. */
export function findNewest(
  { storage, runs, format }: TableRuns,
  key: { readonly high: number; readonly low: number },
  done: Done<number>,
): void {
  const mark = runs.at(-1);
  if (mark === undefined) {
    done(null, NO_VALUE);
    return;
  }
  const search = (run: RunFile): void =>
    findKey(run, key, (error, payload) =>
      run.close((closeError) => {
        const failure = error ?? closeError;
        if (failure !== null) done(failure, undefined);
        else if (payload === null || payload === undefined) {
          findNewest({ storage, runs: runs.slice(0, -1), format }, key, done);
        } else done(null, numberIn(payload));
      }),
    );
  openRun(storage, mark, format, withValue(done, search));
}

export function numberIn(payload: Uint8Array): number {
  if (payload.length === 0) return 0;
  return Buffer.from(payload.buffer, payload.byteOffset).readUIntLE(0, payload.length);
}
