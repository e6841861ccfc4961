/** Adds to an index that is being opened the entries of its log that are in no run. */
import type { CrawlError } from "../../base/errors/index.ts";
import type { FrameBatch, LogReader } from "../../base/log/index.ts";
import { type Acknowledge, whenDone, withValue } from "../../base/seams/index.ts";
import { decodeEntry } from "./near-entry.ts";
import type { NearIndex } from "./near-index.ts";
import type { NearRuns } from "./near-runs.ts";

export interface Replay {
  readonly index: NearIndex;
  readonly runs: NearRuns;
  /** At the first entry that is in no run. */
  readonly reader: LogReader;
  /** Failures of background work. */
  readonly failures: readonly CrawlError[];
}

export function replayLog(replay: Replay, done: Acknowledge): void {
  readOn(replay, (error) => replay.reader.close(() => done(error)));
}

function readOn(replay: Replay, done: Acknowledge): void {
  const take = (frames: FrameBatch): void => {
    const isAtEnd = frames.count === 0 && frames.damage.length === 0;
    if (isAtEnd) done(null);
    else {
      const goOn = whenDone(done, () => readOn(replay, done));
      replayFrames(replay, frames, 0, goOn);
    }
  };
  replay.reader.read(withValue(done, take));
}

/** Adds the frames to the index; when it is full, waits until a run has been written. */
function replayFrames(replay: Replay, frames: FrameBatch, from: number, done: Acknowledge): void {
  const { index, runs, failures } = replay;
  for (let at = from; at < frames.count; at++) {
    const entry = decodeEntry(frames.payloadOf(at));
    if (entry === null || index.tryReplay(entry, frames.endOf(at))) continue;
    runs.whenIdle(() => {
      const failure = failures[0];
      if (failure !== undefined) done(failure);
      else replayFrames(replay, frames, at, done);
    });
    return;
  }
  done(null);
}
