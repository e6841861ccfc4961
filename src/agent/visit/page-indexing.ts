/**
 * The page index as a crawl sees it: which number a page has, and the row that it gets when it is
 * logged. What a page is said to repeat is found by its number.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { type Acknowledge, type Done, whenDone, withValue } from "../../base/seams/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { CrawlLine } from "../../store/archive/index.ts";
import {
  type AddedRow,
  CRAWL_LOG_MARK,
  type Expected,
  type PageIndexWriter,
  type PageNews,
} from "../../store/index/index.ts";
import type { KeptText, PageTexts } from "../../store/texts/index.ts";
import type { Guard } from "./duplicates.ts";
import { failedPage, type LoggedPage, loggedPage, pastPage, type RowRules } from "./indexed-row.ts";
import type { PageVisit } from "./page-visit.ts";
import { PagesUnderWay } from "./pages-under-way.ts";
import type { Store } from "./waiting-store.ts";

export interface PageIndexingOptions {
  readonly writer: PageIndexWriter;
  /** Null when no texts are kept. */
  readonly texts: PageTexts | null;
  readonly rows: RowRules;
}

/** The page index as units and the crawl see it. */
export type PageIndex = Pick<
  PageIndexing,
  | "begin"
  | "expect"
  | "add"
  | "addFailed"
  | "addPast"
  | "improve"
  | "ended"
  | "due"
  | "commit"
  | "flush"
  | "flushRows"
> & {
  /** Where pages and texts wait to be written. */
  readonly writer: Room;
  readonly texts: Room | null;
  /** Says which number a page has; absent where pages are numbered in another thread. */
  readonly numbers?: Pick<
    PageIndexWriter,
    | ("reserve" | "urlOf" | "expectRevisits")
    // For an agent among others.
    | ("has" | "find" | "rowsAfter" | "firstUnwritten" | "nextNumber")
  >;
};

/** Where there may be no room for a while. */
type Room = Pick<PageIndexWriter, "hasRoom" | "whenRoom">;

export class PageIndexing {
  readonly writer: PageIndexWriter;
  readonly texts: PageTexts | null;
  /** Set by the crawl: much is to be written, so it should commit soon. */
  due: () => void = () => {};
  readonly #rows: RowRules;
  readonly #underWay = new PagesUnderWay();
  /** Flushes of rows that have not been answered. */
  readonly #flushes = new Set<Acknowledge>();

  constructor({ writer, texts, rows }: PageIndexingOptions) {
    this.writer = writer;
    this.texts = texts;
    this.#rows = rows;
  }

  get numbers(): PageIndexWriter {
    return this.writer;
  }

  /** Makes what was logged durable, then the rows of that; answers for the log. */
  commit(store: Store, done: Acknowledge): void {
    const sealed = this.writer.seal();
    // Its rows wait for the places of their texts; what prevents those is reported by them.
    this.texts?.flush(() => {});
    commitStore(store, (error, marks) => {
      if (error === null) this.writer.commit(sealed, marks);
      done(error);
    });
  }

  /** Answers when everything that was committed is written, keys too, or with what prevents it. */
  flush(done: Acknowledge): void {
    this.flushRows(whenDone(done, () => this.writer.flushKeys(done)));
  }

  /** As `flush`, without the keys: those of rows whose keys are in no run are found again at opening. */
  flushRows(done: Acknowledge): void {
    if (this.texts === null) {
      this.writer.flush(done);
      return;
    }
    const end: Acknowledge = (error) => {
      if (this.#flushes.delete(end)) done(error);
    };
    this.#flushes.add(end);
    this.texts.flush(whenDone(end, () => this.writer.flush(end)));
  }

  /** After the last page. Texts that cannot be written are left out of their rows. */
  close(store: Store, done: Acknowledge): void {
    commitStore(store, (...[error, marks]) =>
      this.#closeTexts((textsError) =>
        this.writer.close(error === null ? marks : null, (indexError) =>
          done(indexError ?? textsError),
        ),
      ),
    );
  }

  #closeTexts(done: Acknowledge): void {
    const { texts } = this;
    if (texts === null) done(null);
    else texts.flush((error) => texts.close((closeError) => done(error ?? closeError)));
  }

  /** The frontier is told that this page has ended: what becomes known of it waits until `over`. */
  begin(page: Fingerprint): void {
    this.#underWay.begin(page);
  }

  /** The page has its row, in a batch that is not settled yet, or gets none. */
  over(page: Fingerprint, batch: Expected | null): void {
    const news = this.#underWay.end(page);
    if (news !== null) this.writer.improve(page, news, batch ?? undefined);
  }

  /** A page is logged now, or replayed and was logged before; `add`, `addFailed` or `ended` follows. */
  expect(_isReplayed?: boolean): object {
    return this.writer.expect();
  }

  /** The row of a visit that was logged, if it is the page's last. Calls back, perhaps at once. */
  add(visit: PageVisit, added: () => void): void {
    const page = visit.expected === null ? null : loggedPage(visit, this.#rows);
    if (page === null) added();
    else this.addLogged(page, visit.expected as Expected, visit.guard, added);
  }

  /** The row of a page; everything that happens later runs in `guard`. */
  addLogged(logged: LoggedPage, batch: Expected, guard: Guard, added: () => void): void {
    this.#number(logged, guard, (number) => {
      if (number === null) {
        added();
        return;
      }
      if (logged.isPast === true) {
        this.#addMissing(logged, number, batch, added);
        return;
      }
      const row = this.writer.add(batch, number, logged.page);
      if (row !== null && logged.text !== null) this.#addText(logged.text, batch, row);
      added();
    });
  }

  /** A page that ended without a visit, and was logged just now. */
  addFailed(ticket: Ticket, error: ErrorCode, atMs: number): void {
    const batch = this.writer.expect();
    const { page } = failedPage(ticket, error, atMs, this.#rows.rules);
    this.begin(ticket);
    this.writer.reserve(ticket, ticket.url, (...[, number]) => {
      if (number !== undefined) this.writer.add(batch, number, page);
      this.over(ticket, batch);
      this.writer.settle(batch);
    });
  }

  /** A page that was logged before the crawl was killed, and of which nothing but its line is left. */
  addPast(line: CrawlLine, ticket: Ticket): void {
    const logged = pastPage(line, ticket, this.#rows.rules);
    if (logged === null) return;
    const batch = this.writer.expect();
    const guard: Guard = (work) => work();
    this.begin(ticket);
    this.addLogged(logged, batch, guard, () => {
      this.over(ticket, batch);
      this.writer.settle(batch);
    });
  }

  /** A page turned out to be nearer to a seed, or a requisite to be a page. */
  improve(page: Fingerprint, change: PageNews): void {
    if (!this.#underWay.tryKeep(page, change)) this.writer.improve(page, change);
  }

  /** The visit is over; it has its row, or gets none. */
  ended({ expected, record, isTold, errand }: PageVisit): void {
    if (record.number !== null) this.writer.drop(record.number);
    if (isTold) this.over(errand.ticket, expected as Expected | null);
    this.settle(expected as Expected | null, null);
  }

  settle(expected: Expected | null, number: number | null): void {
    if (number !== null) this.writer.drop(number);
    if (expected !== null) this.writer.settle(expected);
  }

  /** Unless it has a row. */
  #addMissing({ page }: LoggedPage, number: number, batch: Expected, added: () => void): void {
    this.writer.drop(number);
    this.writer.urlOf(number, (error, url) => {
      if (error === null && url === null) this.writer.add(batch, number, page);
      added();
    });
  }

  /** The batch is written when the text has its place. */
  #addText(text: KeptText, batch: Expected, row: AddedRow): void {
    this.writer.hold(batch);
    this.texts?.add(text, (place) => {
      if (place !== null) this.writer.placeText(row, place);
      this.writer.settle(batch);
    });
    if (this.#flushes.size > 0) this.#flushLate();
  }

  /** A row that was committed got its number, and so its text, after the texts had been flushed for it. */
  #flushLate(): void {
    this.texts?.flush((error) => {
      if (error !== null) for (const end of [...this.#flushes]) end(error);
    });
  }

  #number(
    { ticket, number }: LoggedPage,
    guard: Guard,
    done: (number: number | null) => void,
  ): void {
    if (number !== null) {
      done(number);
      return;
    }
    this.writer.reserve(ticket, ticket.url, (error, reserved) =>
      guard(() => done(error === null ? reserved : null)),
    );
  }
}

/** A store of users may have no log; then nothing has to be marked. */
function commitStore(store: Store, done: Done<Readonly<Record<string, number>>>): void {
  if (store.commitLines === undefined) store.commit(whenDone(done, () => done(null, {})));
  else {
    store.commitLines(withValue(done, (position) => done(null, { [CRAWL_LOG_MARK]: position })));
  }
}
