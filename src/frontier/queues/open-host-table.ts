/**
 * Opening a host table: its log is cut to where the checkpoint ended, and all names are read from
 * it. Without marks there was no checkpoint: whatever is there goes.
 */
import { KEY_BYTES } from "../../base/hash/index.ts";
import type { Done, FileName, Random, Storage } from "../../base/seams/index.ts";
import { damagedFile } from "./damaged-file.ts";
import { HostNames } from "./host-names.ts";
import { HostTable, type HostTableMarks, replayNames } from "./host-table.ts";
import { Journal } from "./journal.ts";
import { openJournal, readJournal } from "./open-journal.ts";

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

/** `QUEUES_DAMAGED`, `LOG_DAMAGED` or `LOG_OUT_OF_RANGE` when that state cannot be had any more. */
export function openHostTable(options: HostTableOptions, done: Done<HostTable>): void {
  const { storage, random, folder, marks, segmentBytesMax } = options;
  const key = Uint8Array.from({ length: KEY_BYTES }, () => random.below(256));
  const names = new HostNames(key);
  const name = `${folder}/names`;
  const end = marks?.end ?? null;
  const pendingBytesMax = PENDING_BYTES;
  openJournal(
    { storage, random, name, end, segmentBytesMax, pendingBytesMax },
    (openError, log) => {
      if (openError !== null) return done(openError, undefined);
      const replay = (payload: Uint8Array): boolean => replayNames(payload, names);
      readJournal({ log, from: log.begin, folder, replay }, (error) => {
        const isWhole = names.count === (marks?.hosts ?? 0);
        const failure = error ?? (isWhole ? null : damagedFile(folder, "hosts are missing"));
        if (failure === null) done(null, new HostTable(names, new Journal(log)));
        else log.close(() => done(failure, undefined));
      });
    },
  );
}
