/**
 * Opening an index: the runs that the marks name are opened and their tables loaded, all others are
 * removed. An index only saves work, so a damaged run is reported and left out: of the duplicates of
 * its pages, those are found that the run by the other half of the hash can find.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import { NO_RUNS, type RunStackMarks } from "../../base/runs/index.ts";
import {
  type Background,
  type Done,
  type FileName,
  type Storage,
  withValue,
} from "../../base/seams/index.ts";
import { type HalfRuns, openHalfRuns } from "./half-runs.ts";
import { NearIndex } from "./near-index.ts";
import { type NearMarks, NearRuns } from "./near-runs.ts";

export interface NearIndexOptions {
  readonly storage: Storage;
  readonly background: Background;
  /** The index has this folder to itself. */
  readonly folder: FileName;
  /** What a checkpoint answered; null for an empty index, whatever is in the folder. */
  readonly marks: NearMarks | null;
  /** How many entries are gathered in memory, in 40 bytes each, before they become a run. */
  readonly batchEntries?: number;
  /** Called with failures of background work, which is tried again at the next `retry`. */
  readonly report: (error: CrawlError) => void;
}

const BATCH_ENTRIES = 131_072;

/** Opens the index at the moment of the marks, without runs that are damaged. */
export function openNearIndex(options: NearIndexOptions, done: Done<NearIndex>): void {
  const { marks, report, batchEntries = BATCH_ENTRIES } = options;
  const halfOptions = { ...options, batchEntries };
  const failed = (error: CrawlError): void => {
    if (error.code !== "NEAR_RUN_DAMAGED" || marks === null) done(error, undefined);
    else {
      report(error);
      openNearIndex({ ...options, marks: withoutRun(marks, error.facts["file"]) }, done);
    }
  };
  const openLow = (high: HalfRuns): void => {
    const failedLow = (error: CrawlError): void => {
      high.retire();
      failed(error);
    };
    const finish = (low: HalfRuns): void => {
      const runs = new NearRuns(options, { high, low });
      done(null, new NearIndex(runs, batchEntries));
      runs.work();
    };
    openHalfRuns(halfOptions, "low", marks?.low ?? NO_RUNS, withValue(failedLow, finish));
  };
  openHalfRuns(halfOptions, "high", marks?.high ?? NO_RUNS, withValue(failed, openLow));
}

function withoutRun({ high, low }: NearMarks, file: unknown): NearMarks {
  const without = (marks: RunStackMarks): RunStackMarks => ({
    ...marks,
    runs: marks.runs.filter(({ name }) => name !== file),
  });
  return { high: without(high), low: without(low) };
}
