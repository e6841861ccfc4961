/**
 * Opening the archive of a crawl, new or continued, however it ended. Records and lines on disk are
 * two prefixes of one sequence; they are cut back to what agrees:
 *
 * 1. open the crawl log, which cuts its own torn tail, and read its lines;
 * 2. of each archive file that was left open, find how far it is whole, from where a checkpoint knows it;
 * 3. from the first line whose record is not whole, cut the log;
 * 4. cut each archive file behind the last record that a line names, close it under its final name,
 *    and continue in a new one.
 *
 * A checkpoint knows what the lines before it say (`archive-marks.ts`); then only those that follow are
 * read. If that is not as the checkpoint knows it, or a file was left open of which it says nothing, all are.
 *
 * So afterwards every record has its line and every line its record. What a commit has acknowledged
 * is in both and is never cut. After a crash on the way, opening again gives the same result.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../../base/errors/index.ts";
import { type Log, openLog, type Position } from "../../base/log/index.ts";
import {
  type Acknowledge,
  type Done,
  type FileName,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { inTurn } from "../../base/steps/index.ts";
import { digestBytes } from "../../formats/warc/index.ts";
import { type FoundAnswers, findAnswers, settleAnswers } from "../answers/index.ts";
import { ArchiveBook, type ArchiveMarks, CoveredFiles } from "./archive-marks.ts";
import { type CrawlLine, isFinal } from "./crawl-line.ts";
import { CRAWL_LOG, CRAWL_LOG_LIMITS, readLines, type TakeLine } from "./crawl-log.ts";
import { misfitOf } from "./known-lines.ts";
import type { PageStoreOptions } from "./open-page-store.ts";
import {
  closeLeftOpen,
  cutFile,
  examineAll,
  type FoundArchive,
  findArchive,
  findShort,
  type LeftOpen,
  recordsBeyond,
} from "./open-warc.ts";
import { type OpenedPayloads, openPayloadLog } from "./payload-log.ts";
import type { SharedRecordsParts } from "./shared-records.ts";
import { storeError } from "./store-error.ts";

/** What an archive is opened for. */
export type RecordsOptions = Pick<
  PageStoreOptions,
  "storage" | "random" | "archives" | "payloadBytesMax" | "replayFrom" | "known"
>;

export function openRecords(options: RecordsOptions, done: Done<SharedRecordsParts>): void {
  new Opening(options, done).start();
}

class Opening {
  readonly #options: RecordsOptions;
  readonly #done: Done<SharedRecordsParts>;
  #payloads: OpenedPayloads | null = null;
  /** How far the lines cover each file. */
  #covered: CoveredFiles = new CoveredFiles();
  #archive: FoundArchive = { names: [], leftOpen: [], nextSerial: 0 };
  /** The same files, as far as they are whole; null until that is known. */
  #leftOpen: readonly LeftOpen[] | null = null;
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
  }

  start(): void {
    const failed = (error: CrawlError): void => this.#fail(error);
    const opened = (): void => {
      if (this.#replayFrom === null) this.#examine([], failed, () => this.#openLog());
      else this.#findAnswers();
    };
    findArchive(
      this.#options.storage,
      withValue(failed, (archive) => {
        this.#archive = archive;
        const { archive: marks = null } = this.#options.known ?? {};
        // Files are open only after a kill.
        const isUsable = this.#replayFrom !== null || archive.leftOpen.length === 0;
        this.#openPayloads(isUsable ? marks : null, whenDone(failed, opened));
      }),
    );
  }

  /** What a checkpoint knows, as far as it is there; null for nothing. */
  #openPayloads(marks: ArchiveMarks | null, done: Acknowledge): void {
    const { storage, random, payloadBytesMax: bytesMax } = this.#options;
    openPayloadLog(
      { storage, random, bytesMax, marks: marks?.payloads ?? null },
      withValue(done, (payloads) => {
        this.#payloads = payloads;
        this.#covered = new CoveredFiles(payloads.isWhole ? marks : null);
        done(null);
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
      ...[storage, this.#archive.leftOpen, { bytes: this.#covered.bytes, lines }],
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
    const isKnownUnread = this.#payloads?.isWhole === true;
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
    const again = whenDone(failed, () => this.#readLog(log));
    const begin = isKnownUnread ? Math.min(knownEnd, log.end) : log.begin;
    readLines(
      log.reader(begin),
      take,
      withValue(failed, (damage) => {
        const lines = tail.map(({ line }) => line);
        if (isKnownUnread && !this.#knowsFiles(lines)) {
          this.#readAll(again);
          return;
        }
        // The page of a line that cannot be read would be fetched and stored again.
        const gap = damage.find(({ to }) => to > knownEnd) ?? null;
        if (gap !== null)
          this.#foreign = `${gap.to - gap.from} bytes of the crawl log are no lines`;
        else if (!isKnown) this.#foreign = "the crawl log is not the one that it knows";
        this.#findShort(failed, () => {
          if (from === null) decided();
          else this.#examine(lines, failed, decided);
        });
      }),
    );
  }

  /** What the lines say that a checkpoint knows is there, so files that are shorter are not those. */
  #findShort(failed: (error: CrawlError) => void, looked: () => void): void {
    const { storage, known = null } = this.#options;
    if (known === null) {
      looked();
      return;
    }
    findShort(
      ...([storage, this.#archive, this.#covered.bytes] as const),
      withValue(failed, (short) => {
        if (short !== null) this.#foreign ??= `${short} is shorter than it was`;
        looked();
      }),
    );
  }

  /** Whether it is known how far the lines before these cover the files that may be cut. */
  #knowsFiles(tail: readonly CrawlLine[]): boolean {
    const files = new Set(this.#archive.leftOpen);
    for (const { place } of tail) if (place !== null) files.add(place.file);
    return [...files].every((file) => this.#covered.knows(file));
  }

  /** Nothing is taken from the checkpoint, so that all lines are read. */
  #readAll(done: Acknowledge): void {
    const reopen = (): void => this.#openPayloads(null, done);
    if (this.#payloads === null) reopen();
    else this.#payloads.log.close(whenDone(done, reopen));
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
    this.#covered.take(line.place);
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
      cutFile(storage, file, this.#covered.bytes.get(file) ?? 0, next);
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
    if (hash !== null) this.#payloads?.table.add(hash, line.url, line.atMs);
  }

  #closeFiles(log: Log): void {
    const { storage } = this.#options;
    const next = (index: number): void => {
      const left = this.#leftOpen?.[index];
      if (left === undefined) this.#end(log);
      else {
        const endBytes = this.#covered.bytes.get(left.file) ?? 0;
        this.#recordsCut += recordsBeyond(left, endBytes);
        closeLeftOpen(storage, left, endBytes, (error) => {
          if (error !== null) this.#fail(error, log);
          else next(index + 1);
        });
      }
    };
    next(0);
  }

  #end(log: Log): void {
    const { storage } = this.#options;
    const covered = this.#covered;
    const payloads = this.#payloads;
    assert(payloads !== null, "bodies are known before lines are read");
    covered.forgetClosed(new Set(this.#archive.names));
    this.#done(null, {
      ...{ log, payloads: payloads.table, book: new ArchiveBook(storage, covered, payloads.log) },
      nextSerial: Math.max(this.#archive.nextSerial, covered.nextSerial),
      cuts: { records: this.#recordsCut, lines: this.#linesCut },
    });
  }

  #fail(cause: CrawlError, log: Log | null = null): void {
    const error = storeError(cause);
    const payloads = this.#payloads?.log ?? null;
    const tell = (): void => this.#done(error, undefined);
    const closeLog = (): void => (log === null ? tell() : log.close(tell));
    if (payloads === null) closeLog();
    else payloads.close(closeLog);
  }
}

/** Pages whose answers are not in the archive. */
const NOT_ARCHIVED: ReadonlySet<string> = new Set(["noarchive", "unstored"]);

/** Pages whose bodies are not in the archive, or not whole. */
const NO_ORIGINAL: ReadonlySet<string> = new Set([
  "duplicate",
  "truncated",
  "noarchive",
  "unstored",
  "kept",
  "lost",
  "robots",
  "sitemap",
]);
