/** Opens the store of a crawl, new or continued: its archive is put in order (`open-records.ts`), then continued. */
import type { NoteFault } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import {
  type Acknowledge,
  type Clock,
  type Done,
  type FileName,
  type Random,
  type Storage,
  withValue,
} from "../../base/seams/index.ts";
import type { Field, WarcEncoderOptions } from "../../formats/warc/index.ts";
import { AnswerJournal, type AnswerJournalOptions } from "../answers/index.ts";
import type { LineLog } from "./held-lines.ts";
import type { KnownLines } from "./known-lines.ts";
import { openRecords } from "./open-records.ts";
import { PageStore, type StoreParts } from "./page-store.ts";
import type { Payloads } from "./payload-table.ts";
import { type ArchiveCuts, SharedRecords } from "./shared-records.ts";
import { WarcFiles } from "./warc-files.ts";
import { warcFileName } from "./warc-name.ts";

export interface PageStoreOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  /** The crawl's name and the agent's id: parts of file names. */
  readonly name: string;
  readonly agent: string;
  readonly encoding: WarcEncoderOptions;
  /** Told of internal faults that lost nothing; they are ignored by default. */
  readonly noteFault?: NoteFault;
  readonly warcBytesMax: number;
  /** False if pages are stored elsewhere, so that only their lines are kept; true by default. */
  readonly archives?: boolean;
  /** Who keeps answers that are not archived, for a replay; null, the default, if nobody does. */
  readonly journal?: AnswerJournalOptions["lane"] | null;
  /** After a kill: from here on the crawl log is replayed, so what is not archived has to be kept. */
  readonly replayFrom?: Position | null;
  /** Whether the links of pages are archived with them; false by default. */
  readonly outlinks?: boolean;
  /** What the crawl goes on from; null for a new crawl. */
  readonly known?: KnownLines | null;
  /** What the first record of each file says; see `warcinfoEntries`. */
  readonly about: readonly Field[];
  /** Memory for finding duplicates. */
  readonly payloadBytesMax?: number;
  readonly chunkBytes?: number;
  readonly pendingBytesMax?: number;
}

export function openPageStore(options: PageStoreOptions, done: Done<PageStore>): void {
  openRecords(
    options,
    withValue(done, ({ nextSerial, ...records }) => {
      let serial = nextSerial - 1;
      const nextNumber = (): number => {
        serial += 1;
        return serial;
      };
      done(null, newPageStore(options, { ...records, nextSerial: nextNumber }));
    }),
  );
}

/** Puts an archive in order whose files several stores will write; see `openPageStore`. */
export function openSharedRecords(
  options: Parameters<typeof openRecords>[0],
  done: Done<SharedRecords>,
): void {
  openRecords(
    options,
    withValue(done, (records) => done(null, new SharedRecords(records))),
  );
}

/** What a store shares with others, if there are any. */
interface StoreSharing extends Pick<StoreParts, "book"> {
  readonly log: LineLog;
  readonly payloads: Payloads;
  /** Gives every number once. */
  readonly nextSerial: () => number;
  /** What was cut off when the archive was opened. */
  readonly cuts: ArchiveCuts;
}

/** A store that begins with a file of its own. */
export function newPageStore(options: PageStoreOptions, shared: StoreSharing): PageStore {
  const { random, name, agent, clock, encoding } = options;
  const nextName = (): FileName => {
    const { compression } = encoding;
    const createdAtMs = clock.wallMs();
    return warcFileName({ name, agent, compression, createdAtMs, serial: shared.nextSerial() });
  };
  const files = (beforeSeal: (done: Acknowledge) => void): WarcFiles =>
    new WarcFiles({ ...options, nextName, beforeSeal, wrote: () => store.releaseLines() });
  const pages = files((done) => store.commitLog(done));
  // Lines of pages may precede those of spooled bodies; their records must be durable too.
  const spooled = files((done) => {
    pages.commit((error) => {
      if (error !== null) done(error);
      else store.commitLog(done);
    });
  });
  const { log, payloads, cuts, book } = shared;
  const { archives = true, outlinks = false, journal: lane = null, storage } = options;
  const journal = lane && new AnswerJournal({ storage, random: random.fork("answers"), lane });
  const parts = { random, pages, spooled, log, payloads, archives, outlinks, journal, cuts, book };
  const store = new PageStore(parts);
  return store;
}
