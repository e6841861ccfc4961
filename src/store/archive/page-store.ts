/**
 * Takes the pages of a crawl: their records go into the archive, their lines into the crawl log.
 * Both stay in memory until they are written in batches; what a commit has acknowledged is durable.
 *
 * Invariants: a line goes to the log when the records that it names are in their file, or, for a
 * body that was on disk, when they are durable. So on disk records and lines are prefixes of one
 * sequence, and opening cuts both back to what agrees (`open-page-store.ts`). An archive file gets
 * its final name only when its lines, and the records of all lines before them, are durable.
 * Nothing is taken when the disk is full or failed, or too much is pending: the caller waits and
 * tries again `whenRoom`.
 */
import assert from "node:assert/strict";
import { type CrawlError, faultOf, isInternalFault } from "../../base/errors/index.ts";
import type { Position } from "../../base/log/index.ts";
import type { Acknowledge, Done, Random } from "../../base/seams/index.ts";
import { digestText, sha1, type WarcRecord } from "../../formats/warc/index.ts";
import type { AnswerJournal } from "../answers/index.ts";
import type { ArchiveBook, ArchiveMarks } from "./archive-marks.ts";
import type { CrawlLine } from "./crawl-line.ts";
import type { FetchedPage, StoredPage } from "./fetched-page.ts";
import { HeldLines, type LineLog } from "./held-lines.ts";
import { lineOf } from "./page-line.ts";
import {
  type ExchangeContext,
  isOriginal,
  keepsBody,
  mayRepeat,
  metadataOnly,
  revisitExchange,
  wholeExchange,
} from "./page-records.ts";
import type { PayloadOriginal, Payloads } from "./payload-table.ts";
import type { ArchiveCuts } from "./shared-records.ts";
import { digestSpooled, type SpooledDigests, writeSpooled } from "./spooled-page.ts";
import { storeError } from "./store-error.ts";
import type { WarcFiles } from "./warc-files.ts";
import type { WarcPlace } from "./warc-place.ts";

/** What a page store is made of; `openPageStore` puts it together. */
export interface StoreParts {
  readonly random: Random;
  readonly pages: WarcFiles;
  /** Bodies on disk go to files of their own: while one is copied, pages are stored meanwhile. */
  readonly spooled: WarcFiles;
  readonly log: LineLog;
  readonly payloads: Payloads;
  /** False if there is only the log. */
  readonly archives: boolean;
  /** Has answers that are not archived until a checkpoint knows them; null if there are no checkpoints. */
  readonly journal: AnswerJournal | null;
  /** Whether pages are to be given with their links. */
  readonly outlinks: boolean;
  readonly cuts: ArchiveCuts;
  /** Null if somebody else has it, who gets all lines. */
  readonly book: ArchiveBook | null;
}

export class PageStore {
  readonly #parts: StoreParts;
  readonly #waiting: (() => void)[] = [];
  readonly #spooledQueue: (() => void)[] = [];
  readonly #lines: HeldLines;
  #logTrouble: CrawlError | null = null;
  #journalTrouble: CrawlError | null = null;
  #isCommitting = false;
  #isClosed = false;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    this.#lines = new HeldLines(parts.log);
  }

  /** Why nothing is taken: `STORE_FULL` until there is room, `STORE_FAILED` for good. */
  get trouble(): CrawlError | null {
    const { pages, spooled } = this.#parts;
    return this.#logTrouble ?? this.#journalTrouble ?? pages.trouble ?? spooled.trouble;
  }

  /** What was cut off when it was opened. */
  get cuts(): ArchiveCuts {
    return this.#parts.cuts;
  }

  /** Whether pages should come with their links. */
  get wantsOutlinks(): boolean {
    return this.#parts.outlinks;
  }

  /** Whether the next page will be taken. */
  get hasRoom(): boolean {
    return this.#parts.pages.hasRoom && this.trouble === null && this.#lines.hasRoom;
  }

  /** The URL of the page whose archived body has this SHA-1; null for a new one. */
  originalOf(hash: Uint8Array): string | null {
    return this.#parts.payloads.find(hash, null)?.url ?? null;
  }

  /** How many lines were taken in all; that of what was taken last has this number, less one. */
  get linesTaken(): number {
    return this.#lines.taken;
  }

  /**
   * Stores a page whose body is in memory, and logs it. Null, and nothing is taken, when there is
   * no room: the body must be kept until `whenRoom` calls back.
   */
  tryStore(page: FetchedPage): StoredPage | null {
    assert(page.body.bytes !== null, "a body on disk is stored by storeSpooled");
    if (!this.hasRoom) return null;
    const hash = page.sha1 ?? sha1(page.body.bytes);
    const digest = digestText(hash);
    const original = mayRepeat(page) ? this.#parts.payloads.find(hash, page.url) : null;
    const place = this.#archive(page, digest, original);
    if (original === null && isOriginal(page)) {
      this.#parts.payloads.add(hash, page.url, page.fetchedAtMs);
    }
    return this.#logged(page, { place, digest, duplicateOf: original?.url ?? null });
  }

  /** Whether the archive will not have the answer, so that it has to be kept before the page is stored. */
  wantsAnswer(page: FetchedPage): boolean {
    const { journal, archives } = this.#parts;
    const isFound = page.keep === "whole" || page.absent?.kept != null;
    return journal !== null && !(archives && isFound);
  }

  /** Keeps an answer for a replay, until a checkpoint knows its page. Fails as a commit does. */
  keepAnswer(page: FetchedPage, done: Acknowledge): void {
    const { journal } = this.#parts;
    assert(journal !== null, "answers are kept where they are wanted");
    journal.keep(journaled(page), (cause) => done(this.#journaled(cause)));
  }

  /** A checkpoint is taken at this moment, which knows all pages that were stored or replayed. */
  saved(): void {
    this.#parts.journal?.saved();
  }

  /** A checkpoint is recorded: the one that was told of last, or one that knew less. */
  recorded(): void {
    this.#parts.journal?.recorded();
  }

  /** Stores a page whose body is on disk, a piece at a time; one such page after the other. */
  storeSpooled(page: FetchedPage, done: Done<StoredPage>): void {
    const run = (): void => {
      const unit = new SpooledStore((...outcome) => {
        this.#spooledQueue.shift();
        this.#spooledQueue[0]?.();
        done(...outcome);
      });
      unit.guard(() => this.#storeSpooled(page, unit));
    };
    if (this.#spooledQueue.push(run) === 1) run();
  }

  /** Logs a fetch that left nothing to store: a failure, or an answer that is tried again. */
  tryLog(line: CrawlLine): boolean {
    if (!this.hasRoom) return false;
    this.#log(line);
    return true;
  }

  /**
   * Answers when everything taken before this call is durable. After `STORE_FULL` it stays pending
   * and the next commit tries again; after `STORE_FAILED` the store is to be closed.
   */
  commit(done: Acknowledge): void {
    const { pages, spooled } = this.#parts;
    this.#isCommitting = true;
    pages.commit((pagesError) => {
      spooled.commit((spooledError) => {
        const error = pagesError ?? spooledError;
        if (error !== null) this.#committed(error, done);
        else this.commitLog((logError) => this.#committed(logError, done));
      });
    });
  }

  /** Tells, after a commit, where the lines end in the crawl log of everything taken before this call. */
  linesEnd(): () => Position {
    return this.#lines.end();
  }

  /** What a checkpoint of this moment says of the archive; answers when what it names is durable. */
  mark(done: Done<ArchiveMarks>): void {
    const { book } = this.#parts;
    assert(book !== null, "who has all lines gives marks");
    book.checkpoint(done);
  }

  /** A commit that answers with where the lines of everything taken before end in the crawl log. */
  commitLines(done: Done<Position>): void {
    const end = this.linesEnd();
    this.commit((error) => {
      if (error === null) done(null, end());
      else done(error, undefined);
    });
  }

  /**
   * Answers when the records and lines of everything taken before this call are in their files,
   * where others can read them; they need not be durable. Fails as a commit does.
   */
  flush(done: Acknowledge): void {
    const { pages, log } = this.#parts;
    pages.flush((pagesError) => {
      if (pagesError !== null) return done(pagesError);
      this.releaseLines();
      log.flush((cause) => done(cause === null ? null : storeError(cause)));
    });
  }

  /** Calls back, never inside this call, when pages may be taken again; not after a failure. */
  whenRoom(callback: () => void): void {
    this.#waiting.push(callback);
    if (!this.#isCommitting && this.trouble === null) this.commit(() => undefined);
  }

  /** Takes no more; everything is made durable and the files get their final names. */
  close(done: Acknowledge): void {
    assert(!this.#isClosed, "a store is closed once");
    assert(this.#spooledQueue.length === 0, "a store is closed when it has answered");
    this.#isClosed = true;
    const { pages, spooled, log, journal, book } = this.#parts;
    const closeBook = (then: Acknowledge): void => (book === null ? then(null) : book.close(then));
    const closeJournal = (then: Acknowledge): void =>
      closeBook((error) => {
        if (journal === null) then(error);
        else journal.close((journalError) => then(error ?? journalError));
      });
    pages.close((pagesError) => {
      spooled.close((spooledError) => {
        this.commitLog((logError) => {
          closeJournal((journalError) => {
            log.close((closeError) => {
              const cause = pagesError ?? spooledError ?? logError ?? journalError ?? closeError;
              done(cause === null ? null : storeError(cause));
            });
          });
        });
      });
    });
  }

  /** After a close that failed: the lines of what was taken and is not on the disk. */
  lostLines(): readonly CrawlLine[] {
    return this.#lines.unwritten();
  }

  /** For the archive: writes the lines whose records are in their files now. */
  releaseLines(): boolean {
    return this.#lines.release(this.#parts.pages.writtenBytes);
  }

  /** Makes the lines durable, which a file of pages waits for before it gets its final name. */
  commitLog(done: Acknowledge): void {
    const isLeft = this.releaseLines();
    // Lines are durable only with the answers that they need for a replay.
    this.#commitJournal((journalError) => {
      if (journalError !== null) return done(journalError);
      this.#commitLines(isLeft, done);
    });
  }

  #commitLines(isLeft: boolean, done: Acknowledge): void {
    this.#parts.log.commit((cause) => {
      const error = cause === null ? null : storeError(cause);
      this.#logTrouble = error;
      if (error === null && isLeft) this.commitLog(done);
      else done(error);
    });
  }

  #commitJournal(done: Acknowledge): void {
    const { journal } = this.#parts;
    if (journal === null) done(null);
    else journal.commit((cause) => done(this.#journaled(cause)));
  }

  #journaled(cause: CrawlError | null): CrawlError | null {
    this.#journalTrouble = cause === null ? null : storeError(cause);
    return this.#journalTrouble;
  }

  #committed(error: CrawlError | null, done: Acknowledge): void {
    this.#isCommitting = false;
    done(error);
    if (error !== null) return;
    for (const callback of this.#waiting.splice(0)) callback();
  }

  #archive(page: FetchedPage, digest: string, original: PayloadOriginal | null): WarcPlace | null {
    const { pages, archives } = this.#parts;
    if (page.keep === "nothing" || !archives) return null;
    const context = this.#context(pages, digest);
    return appendAll(pages, recordsOf(page, context, original));
  }

  #context(files: WarcFiles, payloadDigest: string): ExchangeContext {
    const { random } = this.#parts;
    return { random, warcinfoId: files.file().warcinfoId, payloadDigest };
  }

  #logged(page: FetchedPage, stored: StoredPage): StoredPage {
    this.#log(lineOf(page, stored));
    return stored;
  }

  #log(line: CrawlLine): void {
    this.#parts.book?.take(line.place);
    this.#lines.add(line, this.#parts.pages.appendedBytes);
    this.releaseLines();
  }

  #storeSpooled(page: FetchedPage, unit: SpooledStore): void {
    const { payloads, spooled, random, archives } = this.#parts;
    const digested = (digests: SpooledDigests): void => {
      if (this.trouble !== null) {
        unit.fail(this.trouble);
        return;
      }
      const digest = digestText(digests.payload);
      const original = mayRepeat(page) ? payloads.find(digests.payload, page.url) : null;
      if (!archives || !keepsBody(page) || original !== null) {
        const place = this.#archive(page, digest, original);
        if (original === null && isOriginal(page)) {
          payloads.add(digests.payload, page.url, page.fetchedAtMs);
        }
        const stored = { place, digest, duplicateOf: original?.url ?? null };
        unit.end(this.#logged(page, stored));
        return;
      }
      writeSpooled({ page, files: spooled, random, digests }, (failure, place) =>
        unit.guard(() => {
          if (failure !== null) return unit.fail(failure);
          if (isOriginal(page)) payloads.add(digests.payload, page.url, page.fetchedAtMs);
          unit.end(this.#logged(page, { place, digest, duplicateOf: null }));
        }),
      );
    };
    digestSpooled(page, (error, digests) =>
      unit.guard(() => (error === null ? digested(digests) : unit.fail(error))),
    );
  }
}

/** Of a body that is kept elsewhere, what was found in it. */
function journaled(page: FetchedPage): FetchedPage {
  const kept = page.absent?.kept ?? null;
  if (kept === null) return page;
  const bytes = Buffer.from(kept.page);
  return { ...page, body: { ...page.body, bytes, lengthBytes: bytes.length } };
}

/** The storing of one body on disk; an exception in it fails only this body. */
class SpooledStore {
  readonly #done: Done<StoredPage>;
  #isOver = false;

  constructor(done: Done<StoredPage>) {
    this.#done = done;
  }

  guard(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      const what = "the storing of a body on disk";
      this.fail(faultOf(thrown, { code: "INTERNAL_STORE", what, isOver: this.#isOver }));
    }
  }

  end(stored: StoredPage): void {
    this.#isOver = true;
    this.#done(null, stored);
  }

  fail(error: CrawlError): void {
    this.#isOver = true;
    this.#done(isInternalFault(error) ? error : storeError(error), undefined);
  }
}

function recordsOf(
  page: FetchedPage,
  context: ExchangeContext,
  original: PayloadOriginal | null,
): WarcRecord[] {
  if (!keepsBody(page)) return metadataOnly(page, context);
  return original === null
    ? wholeExchange(page, context)
    : revisitExchange(page, context, original);
}

/** Where the last of the records is. All of them are encoded before the first is appended. */
function appendAll(files: WarcFiles, records: readonly WarcRecord[]): WarcPlace | null {
  const encoded = records.map((record, index) => {
    const bytes = files.encoder.encode(record);
    // The encoder reuses its memory.
    return index < records.length - 1 ? Uint8Array.from(bytes) : bytes;
  });
  let place: WarcPlace | null = null;
  for (const bytes of encoded) place = files.append(bytes);
  return place;
}
