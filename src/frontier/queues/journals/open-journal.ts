/** Opening the log under a journal as a checkpoint recorded it, and reading what is in it. */
import { type Log, type LogReader, openLog, type Position } from "../../../base/log/index.ts";
import type { Acknowledge, Done, FileName, Random, Storage } from "../../../base/seams/index.ts";
import { damagedFile } from "../queue-errors.ts";

export interface JournalToOpen {
  readonly storage: Storage;
  readonly random: Random;
  readonly name: FileName;
  /**
   * Where the log ended at the checkpoint, and is cut; null without a checkpoint: it is emptied.
   */
  readonly end: Position | null;
  readonly segmentBytesMax: number | undefined;
  /** How many bytes may wait to be written. */
  readonly pendingBytesMax: number;
}

export function openJournal(journal: JournalToOpen, done: Done<Log>): void {
  const { storage, random, name, segmentBytesMax, pendingBytesMax } = journal;
  const sizes = segmentBytesMax === undefined ? {} : { segmentBytesMax };
  const durable = { framing: "binary", durableEnd: journal.end ?? 0 } as const;
  const options = { storage, random, name, pendingBytesMax, ...durable, ...sizes };
  openLog(options, (error, opened) => {
    if (error !== null) return done(error, undefined);
    const { log } = opened;
    const end = journal.end ?? log.begin;
    if (log.end === end) return done(null, log);
    log.cutTo(end, (cutError) => {
      if (cutError === null) done(null, log);
      else log.close(() => done(cutError, undefined));
    });
  });
}

export interface JournalReading {
  readonly log: Log;
  readonly from: Position;
  /** The folder to name in the error when the journal is damaged. */
  readonly folder: FileName;
  /** Gets the payloads of all frames, in order; returns false when one is not valid. */
  replay(payload: Uint8Array): boolean;
}

/** `QUEUES_DAMAGED` when a frame is missing or not valid. */
export function readJournal(reading: JournalReading, done: Acknowledge): void {
  const reader = reading.log.reader(reading.from);
  readOn(reading, reader, (error) => reader.close(() => done(error)));
}

function readOn(reading: JournalReading, reader: LogReader, done: Acknowledge): void {
  const { log, folder } = reading;
  if (reader.position >= log.end) {
    done(null);
    return;
  }
  reader.read((error, frames) => {
    if (error !== null) return done(error);
    let isWhole = frames.damage.length === 0;
    for (let index = 0; index < frames.count && isWhole; index += 1) {
      isWhole = reading.replay(frames.payloadOf(index));
    }
    if (isWhole) readOn(reading, reader, done);
    else done(damagedFile(folder, "its journal is not as it was written"));
  });
}
