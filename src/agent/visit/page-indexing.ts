/**
 * The page index as a crawl sees it: which number a page has, and the row that it gets when it is
 * logged. What a page is said to repeat is found by its number.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import {
  type Acknowledge,
  type Done,
  type Header,
  whenDone,
  withValue,
} from "../../base/seams/index.ts";
import { headerValue } from "../../formats/http/index.ts";
import { reservationIn, TDM_RESERVATION } from "../../formats/robots/index.ts";
import { hostOf, keyOf, type UrlRules } from "../../formats/url/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { digestHex } from "../../parse/page/index.ts";
import {
  type AddedRow,
  CRAWL_LOG_MARK,
  type Expected,
  type IndexedPage,
  type PageIndexWriter,
} from "../../store/index/index.ts";
import type { PageTexts } from "../../store/texts/index.ts";
import { keptText } from "./kept-text.ts";
import type { PageVisit } from "./page-visit.ts";
import type { Store } from "./waiting-store.ts";

export interface PageIndexingOptions {
  readonly writer: PageIndexWriter;
  /** Null when no texts are kept. */
  readonly texts: PageTexts | null;
  /** Whether texts are kept, or only their words. */
  readonly keepsText: boolean;
  readonly rules: UrlRules;
}

export class PageIndexing {
  readonly writer: PageIndexWriter;
  readonly texts: PageTexts | null;
  /** Set by the crawl: much is to be written, so it should commit soon. */
  due: () => void = () => {};
  readonly #keepsText: boolean;
  readonly #rules: UrlRules;

  constructor({ writer, texts, keepsText, rules }: PageIndexingOptions) {
    this.writer = writer;
    this.texts = texts;
    this.#keepsText = keepsText;
    this.#rules = rules;
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

  /** Answers when everything that was committed is written, or with what prevents it. */
  flush(done: Acknowledge): void {
    if (this.texts === null) this.writer.flush(done);
    else this.texts.flush(whenDone(done, () => this.writer.flush(done)));
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

  /** The row of a visit that was logged, if it is the page's last. Calls back, perhaps at once. */
  add(visit: PageVisit, batch: Expected, added: () => void): void {
    const { ticket } = visit.errand;
    const page = this.#pageOf(visit);
    if (page === null) added();
    else {
      this.#number(visit, (number) => {
        const row = this.writer.add(batch, number, { ...this.#common(ticket), ...page });
        if (row !== null && this.texts !== null) this.#addText(visit, batch, row);
        added();
      });
    }
  }

  /** A page that ended without a visit. */
  addFailed(ticket: Ticket, error: ErrorCode, atMs: number): void {
    const batch = this.writer.expect();
    this.writer.reserve(ticket, ticket.url, (...[, number]) => {
      if (number !== undefined) {
        this.writer.add(batch, number, { ...this.#common(ticket), ...failed(error, atMs) });
      }
      this.writer.settle(batch);
    });
  }

  /** The visit is over; it has its row, or gets none. */
  ended({ expected, record }: PageVisit): void {
    if (record.number !== null) this.writer.drop(record.number);
    if (expected !== null) this.writer.settle(expected);
  }

  /** The batch is written when the text has its place. */
  #addText(visit: PageVisit, batch: Expected, row: AddedRow): void {
    const text = keptText(visit, this.#keepsText);
    if (text === null) return;
    this.writer.hold(batch);
    this.texts?.add(text, (place) => {
      if (place !== null) this.writer.placeText(row, place);
      this.writer.settle(batch);
    });
  }

  #number({ errand, record, guard }: PageVisit, done: (number: number) => void): void {
    if (record.number !== null) {
      done(record.number);
      return;
    }
    const { ticket } = errand;
    this.writer.reserve(ticket, ticket.url, (error, number) =>
      guard(() => {
        if (error !== null) throw error;
        done(number);
      }),
    );
  }

  #common({ url, depth, via, requisite }: Ticket) {
    return {
      ...{ url, key: keyOf(url, this.#rules), host: hostOf(url), depth, via },
      ...{ requisite: (requisite ?? 0) > 0, textBlock: null, textEntry: null },
    };
  }

  #pageOf(visit: PageVisit): PageContent | null {
    const { record, isFinal } = visit;
    if (record.isSitemap) return null;
    if (record.kept !== null) return answered(visit);
    const code = isFinal ? failureOf(visit) : null;
    return code === null ? null : failed(code, record.fetchedAtMs);
  }
}

/** A store of users may have no log; then nothing has to be marked. */
function commitStore(store: Store, done: Done<Readonly<Record<string, number>>>): void {
  if (store.commitLines === undefined) store.commit(whenDone(done, () => done(null, {})));
  else {
    store.commitLines(withValue(done, (position) => done(null, { [CRAWL_LOG_MARK]: position })));
  }
}

type PageContent = Omit<
  IndexedPage,
  "url" | "key" | "host" | "depth" | "via" | "requisite" | "textBlock" | "textEntry"
>;

/** What the page failed with in the end, if it did. */
export function failureOf({ isFinal, fault, line }: PageVisit): ErrorCode | null {
  if (!isFinal) return null;
  if (fault !== null) return fault.code;
  return typeof line?.result === "string" ? line.result : null;
}

function answered({ page, record }: PageVisit): PageContent | null {
  if (record.kept === null) return null;
  const { fetched, stored } = record.kept;
  const parsed = page?.parsed ?? null;
  const { headers, status } = fetched.response;
  return {
    status,
    mime: fetched.crawl.mime,
    bytes: fetched.body.lengthBytes,
    digest: stored.digest,
    simhash: parsed?.near == null ? null : digestHex(parsed.near),
    duplicateOf: stored.duplicateOf ?? record.sameTextAs,
    nearDuplicateOf: record.nearDuplicateOf,
    redirectTo: record.redirectTo,
    truncated: fetched.truncatedBy,
    title: parsed?.title || null,
    language: parsed?.language || parsed?.declaredLanguage || null,
    fetchedAt: new Date(fetched.fetchedAtMs).toISOString(),
    warc: stored.place === null ? null : baseName(stored.place.file),
    offset: stored.place?.offset ?? null,
    length: stored.place?.lengthBytes ?? null,
    charset: parsed?.encoding || null,
    error: null,
    noindex: parsed?.directives.noindex ?? false,
    noarchive: parsed?.directives.noarchive ?? false,
    contentSignal: signalOf(headers, "content-signal"),
    contentUsage: signalOf(headers, "content-usage"),
    tdmReservation: reservationOf(headers) ?? parsed?.directives.tdmReservation ?? null,
  };
}

function failed(error: ErrorCode, atMs: number): PageContent {
  return {
    ...{ status: 0, mime: null, bytes: 0, digest: null, simhash: null },
    ...{ duplicateOf: null, nearDuplicateOf: null, redirectTo: null, truncated: null },
    ...{ title: null, language: null, fetchedAt: new Date(atMs).toISOString() },
    ...{ warc: null, offset: null, length: null, charset: null, error },
    ...{ noindex: false, noarchive: false },
    ...{ contentSignal: null, contentUsage: null, tdmReservation: null },
  };
}

/** Servers make these texts as long as they like. */
const SIGNAL_LENGTH_MAX = 512;

function signalOf(headers: readonly Header[], name: string): string | null {
  return headerValue(headers, name)?.slice(0, SIGNAL_LENGTH_MAX) || null;
}

function reservationOf(headers: readonly Header[]): number | null {
  return reservationIn(headerValue(headers, TDM_RESERVATION) ?? "");
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}
