/**
 * Opening the store of a crawl, new or continued, however it ended. Records and lines on disk are
 * two prefixes of one sequence; they are cut back to what agrees:
 *
 * 1. open the crawl log, which cuts its own torn tail, and read its lines;
 * 2. of each archive file that was left open, find how far it is whole, from where a checkpoint knows it;
 * 3. from the first line whose record is not whole, cut the log;
 * 4. cut each archive file behind the last record that a line names, close it under its final name,
 *    and continue in a new one.
 *
 * So afterwards every record has its line and every line its record. What a commit has acknowledged
 * is in both and is never cut. After a crash on the way, opening again gives the same result.
 */
import type { CrawlError } from "../../base/errors/index.ts";
import { type Log, openLog, type Position } from "../../base/log/index.ts";
import {
  type Acknowledge,
  type Clock,
  type Done,
  type FileName,
  type Random,
  type Storage,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { inTurn } from "../../base/steps/index.ts";
import { digestBytes, type Field, type WarcEncoderOptions } from "../../formats/warc/index.ts";
import {
  AnswerJournal,
  type AnswerJournalOptions,
  type FoundAnswers,
  findAnswers,
  settleAnswers,
} from "../answers/index.ts";
import { type CrawlLine, isFinal } from "./crawl-line.ts";
import { CRAWL_LOG, CRAWL_LOG_LIMITS, readLines, type TakeLine } from "./crawl-log.ts";
import type { LineLog } from "./held-lines.ts";
import { type KnownLines, misfitOf } from "./known-lines.ts";
import {
  closeLeftOpen,
  cutFile,
  examineAll,
  type FoundArchive,
  findArchive,
  type LeftOpen,
  recordsBeyond,
} from "./open-warc.ts";
import { PageStore } from "./page-store.ts";
import { type Payloads, PayloadTable } from "./payload-table.ts";
import { type ArchiveCuts, SharedRecords, type SharedRecordsParts } from "./shared-records.ts";
import { storeError } from "./store-error.ts";
import { WarcFiles } from "./warc-files.ts";
import { serialOf, warcFileName } from "./warc-name.ts";
import type { WarcPlace } from "./warc-place.ts";

export interface PageStoreOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  /** The crawl's name and the agent's id: parts of file names. */
  readonly name: string;
  readonly agent: string;
  readonly encoding: WarcEncoderOptions;
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

/** What an archive is opened for. */
type RecordsOptions = Pick<
  PageStoreOptions,
  "storage" | "random" | "archives" | "payloadBytesMax" | "replayFrom" | "known"
>;

/** Puts an archive in order whose files several stores will write; see `openPageStore`. */
export function openSharedRecords(options: RecordsOptions, done: Done<SharedRecords>): void {
  openRecords(
    options,
    withValue(done, (records) => done(null, new SharedRecords(records))),
  );
}

function openRecords(options: RecordsOptions, done: Done<SharedRecordsParts>): void {
  new Opening(options, done).start();
}

/** What a store shares with others, if there are any. */
interface StoreSharing {
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
  const { log, payloads, cuts } = shared;
  const { archives = true, outlinks = false, journal: lane = null, storage } = options;
  const journal = lane && new AnswerJournal({ storage, random: random.fork("answers"), lane });
  const parts = { random, pages, spooled, log, payloads, archives, outlinks, journal, cuts };
  const store = new PageStore(parts);
  return store;
}

class Opening {
  readonly #options: RecordsOptions;
  readonly #done: Done<SharedRecordsParts>;
  readonly #payloads: PayloadTable;
  /** How far the lines cover each file. */
  readonly #loggedBytes = new Map<FileName, number>();
  #archive: FoundArchive = { leftOpen: [], nextSerial: 0 };
  /** The same files, as far as they are whole; null until that is known. */
  #leftOpen: readonly LeftOpen[] | null = null;
  #nextSerial = 0;
  /** Files with their final names that have records of lines which are cut off. */
  readonly #cutClosed = new Set<FileName>();
  /** Where the log is cut; null if it is whole. */
  #cutAt: Position | null = null;
  #recordsCut = 0;
  #linesCut = 0;
  /** Why the lines are not those that a checkpoint knows. */
  #foreign: string | null = null;
  /** Answers that are kept for a replay; null if nothing is replayed. */
  #answers: FoundAnswers | null = null;

  constructor(options: RecordsOptions, done: Done<SharedRecordsParts>) {
    this.#options = options;
    this.#done = done;
    this.#payloads = new PayloadTable(options.random.fork("payloads"), options.payloadBytesMax);
  }

  start(): void {
    const failed = (error: CrawlError): void => this.#fail(error);
    findArchive(
      this.#options.storage,
      withValue(failed, (archive) => {
        this.#archive = archive;
        this.#nextSerial = archive.nextSerial;
        if (this.#replayFrom === null) this.#examine([], failed, () => this.#openLog());
        else this.#findAnswers();
      }),
    );
  }

  /** Lines before this are known by a checkpoint, and so are their records; null if there is none. */
  get #replayFrom(): Position | null {
    return this.#options.replayFrom ?? null;
  }

  /** Files are read from behind the records that are known: one may have a gibibyte. */
  #examine(
    lines: readonly CrawlLine[],
    failed: (error: CrawlError) => void,
    examined: () => void,
  ): void {
    const { storage } = this.#options;
    examineAll(
      ...[storage, this.#archive.leftOpen, { bytes: this.#loggedBytes, lines }],
      withValue(failed, (leftOpen) => {
        this.#leftOpen = leftOpen;
        examined();
      }),
    );
  }

  #findAnswers(): void {
    const { storage, random } = this.#options;
    const failed = (error: CrawlError): void => this.#fail(error);
    const find = (): void =>
      findAnswers(
        storage,
        withValue(failed, (answers) => {
          this.#answers = answers;
          this.#openLog();
        }),
      );
    // Lines become durable when the log is opened: so must be what they need.
    settleAnswers(storage, random.fork("settled"), whenDone(failed, find));
  }

  #openLog(): void {
    const { storage, random, known = null } = this.#options;
    const limits = { ...CRAWL_LOG_LIMITS, durableEnd: known?.end ?? 0 };
    openLog({ storage, random, name: CRAWL_LOG, framing: "line", ...limits }, (error, opened) => {
      if (error !== null) return this.#fail(error);
      if (opened.cut !== null) this.#linesCut += 1;
      this.#readLog(opened.log);
    });
  }

  #readLog(log: Log): void {
    const from = this.#replayFrom;
    const tail: { readonly line: CrawlLine; readonly position: Position }[] = [];
    const knownEnd = this.#options.known?.end ?? 0;
    let isKnown = knownEnd === 0 || log.end <= knownEnd;
    const take: TakeLine = (line, position) => {
      isKnown ||= position === knownEnd;
      if (from === null) this.#decide(line, position);
      else if (position >= from) tail.push({ line, position });
      else this.#keep(line);
      return true;
    };
    const failed = (error: CrawlError): void => this.#fail(error, log);
    const decided = (): void => {
      for (const { line, position } of tail) this.#decide(line, position);
      this.#cutLog(log);
    };
    readLines(
      log.reader(),
      take,
      withValue(failed, (damage) => {
        // The page of a line that cannot be read would be fetched and stored again.
        const gap = damage.find(({ to }) => to > knownEnd) ?? null;
        if (gap !== null)
          this.#foreign = `${gap.to - gap.from} bytes of the crawl log are no lines`;
        else if (!isKnown) this.#foreign = "the crawl log is not the one that it knows";
        if (from === null) decided();
        else {
          const lines = tail.map(({ line }) => line);
          this.#examine(lines, failed, decided);
        }
      }),
    );
  }

  /** A line that nothing is known of stays if its record is whole, and so are those of all before. */
  #decide(line: CrawlLine, position: Position): void {
    const { place } = line;
    const end = place === null ? 0 : place.offset + place.lengthBytes;
    const left = place === null ? undefined : this.#left(place.file);
    const isLost = left !== undefined && end > left.wholeBytes;
    if (isLost || this.#lacksAnswer(line, position)) this.#cutAt ??= position;
    if (this.#cutAt === null) this.#keep(line);
    else {
      this.#linesCut += 1;
      if (place !== null && left === undefined) this.#cutClosed.add(place.file);
    }
  }

  #left(file: FileName): LeftOpen | undefined {
    return this.#leftOpen?.find((left) => left.file === file);
  }

  #keep(line: CrawlLine): void {
    const { place } = line;
    if (place !== null) this.#loggedBytes.set(place.file, place.offset + place.lengthBytes);
    this.#nextSerial = Math.max(this.#nextSerial, serialAfter(place));
    this.#remember(line);
  }

  #cutLog(log: Log): void {
    const cutAt = this.#cutAt;
    const failed = (error: CrawlError): void => this.#fail(error, log);
    const closeFiles = (): void => this.#closeFiles(log);
    const found = { end: log.end, cutAt, foreign: this.#foreign };
    const misfit = misfitOf(this.#options.known ?? null, found);
    const cutLog = (at: Position): void => log.cutTo(at, whenDone(failed, closeFiles));
    if (misfit !== null) failed(misfit);
    else if (cutAt === null) closeFiles();
    // As long as the lines are there, it is known what else is to be cut.
    else this.#cutFiles(whenDone(failed, () => cutLog(cutAt)));
  }

  /** An earlier opening that was interrupted may have given them their names. */
  #cutFiles(done: Acknowledge): void {
    const { storage } = this.#options;
    const cut = (file: FileName, next: Acknowledge): void =>
      cutFile(storage, file, this.#loggedBytes.get(file) ?? 0, next);
    inTurn(this.#cutClosed, cut, done);
  }

  /** Whether what it is about is to be replayed and cannot be: it is fetched again. */
  #lacksAnswer(line: CrawlLine, position: Position): boolean {
    const { replayFrom = null, archives = true } = this.#options;
    if (replayFrom === null || position < replayFrom || this.#answers === null) return false;
    if (typeof line.result === "string" || !isFinal(line)) return false;
    const isArchived = archives && !line.notes.some(([word]) => NOT_ARCHIVED.has(word));
    return !isArchived && !this.#answers.has(line.url, line.atMs);
  }

  /** Restores the table of payloads from the line of a stored body. */
  #remember(line: CrawlLine): void {
    const { result, digest, place, bodyBytes } = line;
    const isGood = typeof result === "number" && result >= 200 && result < 300;
    const isStored = place !== null || this.#options.archives === false;
    if (!isGood || digest === null || !isStored || bodyBytes === 0) return;
    if (line.notes.some(([word]) => NO_ORIGINAL.has(word))) return;
    const hash = digestBytes(digest);
    if (hash !== null) this.#payloads.add(hash, line.url, line.atMs);
  }

  #closeFiles(log: Log): void {
    const { storage } = this.#options;
    const next = (index: number): void => {
      const left = this.#leftOpen?.[index];
      if (left === undefined) {
        const cuts = { records: this.#recordsCut, lines: this.#linesCut };
        const nextSerial = this.#nextSerial;
        this.#done(null, { log, payloads: this.#payloads, nextSerial, cuts });
      } else {
        const endBytes = this.#loggedBytes.get(left.file) ?? 0;
        this.#recordsCut += recordsBeyond(left, endBytes);
        closeLeftOpen(storage, left, endBytes, (error) => {
          if (error !== null) this.#fail(error, log);
          else next(index + 1);
        });
      }
    };
    next(0);
  }

  #fail(cause: CrawlError, log: Log | null = null): void {
    const error = storeError(cause);
    if (log === null) this.#done(error, undefined);
    else log.close(() => this.#done(error, undefined));
  }
}

/** Files may have been moved elsewhere since: their serials are not used again either. */
function serialAfter(place: WarcPlace | null): number {
  return place === null ? 0 : (serialOf(place.file) ?? -1) + 1;
}

/** Pages whose answers are not in the archive. */
const NOT_ARCHIVED: ReadonlySet<string> = new Set(["noarchive", "unstored"]);

/** Pages whose bodies are not in the archive, or not whole. */
const NO_ORIGINAL: ReadonlySet<string> = new Set([
  "duplicate",
  "truncated",
  "noarchive",
  "unstored",
  "lost",
  "robots",
  "sitemap",
]);
