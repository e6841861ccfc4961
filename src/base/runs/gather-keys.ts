/** Puts the keys of a run into the bits of a filter, a slice at a time: a task in the background. */
import { type Acknowledge, type Task, whenDone, withValue } from "../seams/index.ts";
import { KeyFilter } from "./key-filter.ts";
import { RunCursor } from "./run-cursor.ts";
import { openRun, type RunFile, type RunMark } from "./run-file.ts";
import type { RunFormat } from "./run-layout.ts";

export interface KeysToGather {
  readonly run: RunMark;
  readonly format: RunFormat;
  /** The first record of the slice, and how many follow at most. */
  readonly from: number;
  readonly recordsMax: number;
  /** Of the filter; given back with the keys of the slice in them. */
  readonly bits: Uint8Array<ArrayBuffer>;
}

export interface GatheredKeys {
  readonly bits: Uint8Array<ArrayBuffer>;
  /** The next record; null if there are no more. */
  readonly next: number | null;
}

export const gatherKeys: Task<KeysToGather, GatheredKeys> = {
  module: import.meta.url,
  name: "gatherKeys",
  run({ run, format, from, recordsMax, bits }, { storage }, done) {
    const gather = (file: RunFile): void => {
      const cursor = new RunCursor(file, from);
      const until = Math.min(from + recordsMax, run.count);
      addKeys(cursor, { filter: new KeyFilter(bits), until, record: from }, (error) =>
        file.close((closeError) => {
          const failure = error ?? closeError;
          if (failure !== null) done(failure, undefined);
          else done(null, { bits, next: until < run.count ? until : null });
        }),
      );
    };
    openRun(storage, run, format, withValue(done, gather));
  },
  moves: { input: ({ bits }) => [bits.buffer], output: ({ bits }) => [bits.buffer] },
};

interface Gathering {
  readonly filter: KeyFilter;
  /** The first record that is left out. */
  readonly until: number;
  record: number;
}

function addKeys(cursor: RunCursor, gathering: Gathering, done: Acknowledge): void {
  const { filter, until } = gathering;
  while (cursor.hasRecord && gathering.record < until) {
    const { block } = cursor;
    const to = Math.min(block.count, cursor.at + until - gathering.record);
    for (let at = cursor.at; at < to; at += 1) {
      filter.add(block.highs[at] as number, block.lows[at] as number);
    }
    gathering.record += to - cursor.at;
    cursor.moveTo(to);
  }
  if (gathering.record >= until || cursor.isAtEnd) done(null);
  else cursor.fill(whenDone(done, () => addKeys(cursor, gathering, done)));
}
