/**
 * Opening a host table: its log is cut to where the checkpoint ended, and all names are read from
 * it. Without marks there was no checkpoint, and the log is emptied.
 */
import type { Log } from "../../base/log/index.ts";
import {
  type Done,
  type FileName,
  type Random,
  type Storage,
  withValue,
} from "../../base/seams/index.ts";
import { HostTable, type HostTableMarks } from "./host-table.ts";
import { Journal } from "./journals/journal.ts";
import { openJournal, readJournal } from "./journals/open-journal.ts";
import { damagedFile } from "./queue-errors.ts";

export interface HostTableOptions {
  readonly storage: Storage;
  /** The salt of a new log, and the key of the table in memory, are drawn from it. */
  readonly random: Random;
  /** The table has this folder to itself. */
  readonly folder: FileName;
  /** What the last checkpoint answered; null when there was none. */
  readonly marks: HostTableMarks | null;
  /** How long a file of the log grows. */
  readonly segmentBytesMax?: number;
}

/** Names of some ten thousand hosts. */
const PENDING_BYTES = 512 * 1024;

/** `QUEUES_DAMAGED`, `LOG_DAMAGED` or `LOG_OUT_OF_RANGE` when that state cannot be restored. */
export function openHostTable(options: HostTableOptions, done: Done<HostTable>): void {
  const { storage, random, folder, marks, segmentBytesMax } = options;
  const table = new HostTable(random);
  const name = `${folder}/names`;
  const end = marks?.end ?? null;
  const read = (log: Log): void => {
    const replay = (payload: Uint8Array): boolean => table.replay(payload);
    readJournal({ log, from: log.begin, folder, replay }, (error) => {
      const isWhole = table.count === (marks?.hosts ?? 0);
      const failure = error ?? (isWhole ? null : damagedFile(folder, "hosts are missing"));
      if (failure !== null) log.close(() => done(failure, undefined));
      else {
        table.keepIn(new Journal(log));
        done(null, table);
      }
    });
  };
  const journal = { storage, random, name, end, segmentBytesMax, pendingBytesMax: PENDING_BYTES };
  openJournal(journal, withValue(done, read));
}
