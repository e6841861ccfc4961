/**
 * What is kept of a visit to a page: its records in the archive, its line in the crawl log, its row,
 * its counts. It holds the answer until then.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import type { Body, FetchedOutcome } from "../../base/seams/index.ts";
import type { PageErrand } from "../../frontier/front/index.ts";
import type { ParsedPage } from "../../parse/page/index.ts";
import type { CrawlLine, CrawlNote, FetchedPage, StoredPage } from "../../store/archive/index.ts";
import type { PageFacts } from "./page-facts.ts";
import type { PageVisitParts } from "./page-visit-parts.ts";
import { crawlLine, fetchedPage, type VisitFacts } from "./visit-facts.ts";
import type { WaitingStore } from "./waiting-store.ts";

/** A page on its way from the wire to the store. */
export interface ReadPage {
  readonly outcome: FetchedOutcome;
  readonly decoded: Body;
  /** Whether the content was damaged, so that some of it may be garbage. */
  readonly isDamaged: boolean;
  readonly facts: PageFacts;
  readonly parsed: ParsedPage | null;
}

type RecordParts = Pick<PageVisitParts, "counts" | "rows" | "filters" | "obeysNoarchive">;

/** The visit sets the fields as it learns them. */
export class PageRecord {
  readonly notes: CrawlNote[] = [];
  /** To be released: the answer, and its decoded body. */
  outcome: FetchedOutcome | null = null;
  decoded: Body | null = null;
  isCut = false;
  /** Another page has the same text. */
  hasKnownText = false;
  /** Named as a sitemap: it is fetched like a page, but is not counted as one. */
  isSitemap = false;
  redirectTo: string | null = null;
  durationMs = 0;
  /** In wall-clock milliseconds; 0 until the fetch has ended. */
  fetchedAtMs = 0;
  /** Whether the page has its line in the crawl log. */
  isStored = false;
  readonly isRequisite: boolean;
  readonly #parts: RecordParts;
  readonly #errand: PageErrand;
  readonly #store: WaitingStore;
  readonly #over: () => void;

  /** `over` is called once everything is kept or given up. */
  constructor(parts: RecordParts, errand: PageErrand, store: WaitingStore, over: () => void) {
    this.#parts = parts;
    this.#errand = errand;
    this.#store = store;
    this.#over = over;
    this.isRequisite = (errand.ticket.requisite ?? 0) > 0;
    if (this.isRequisite) this.notes.push(["requisite"]);
  }

  /** Null also for a sitemap, which has no row. */
  get rows(): PageVisitParts["rows"] {
    return this.isSitemap ? null : this.#parts.rows;
  }

  store(page: ReadPage): void {
    const fetched = this.#fetchedPage(page);
    const stored = (place: StoredPage | null): void => {
      if (place === null) this.#unreadable();
      else this.#stored(page, fetched, place);
    };
    this.#store.store(fetched, stored, () => this.giveUp());
  }

  /** There is no room for the page: it is as if it had not been fetched. */
  giveUp(): void {
    const bodyBytes = this.outcome?.body.lengthBytes ?? 0;
    this.#parts.counts.takeBackFetch(bodyBytes, !this.isSitemap);
    this.release();
    this.#over();
  }

  /** The body was on disk and cannot be read back: the page is lost, but the store is sound. */
  #unreadable(): void {
    const bodyBytes = this.outcome?.body.lengthBytes ?? 0;
    this.release();
    this.#parts.counts.errors.add("FETCH_BODY_NOT_KEPT");
    this.rows?.failed(this.#errand.ticket, "FETCH_BODY_NOT_KEPT", this.fetchedAtMs);
    this.log("FETCH_BODY_NOT_KEPT", bodyBytes);
  }

  #stored(page: ReadPage, fetched: FetchedPage, stored: StoredPage): void {
    this.isStored = true;
    if (!this.isSitemap) this.#countPage(page, fetched, stored);
    this.release();
    this.#over();
  }

  #countPage(page: ReadPage, fetched: FetchedPage, stored: StoredPage): void {
    const { counts, rows } = this.#parts;
    const { status } = page.outcome;
    const { isNearDuplicate } = page.facts;
    counts.status.add(String(status));
    if (isSuccess(status)) {
      if (this.isRequisite) counts.requisites += 1;
      else counts.pages += 1;
    }
    if (this.isCut) counts.truncated += 1;
    if (stored.duplicateOf !== null || this.hasKnownText) counts.duplicates += 1;
    else if (isNearDuplicate) counts.nearDuplicates += 1;
    const redirectTo = this.redirectTo;
    rows?.answered({
      ...{ ticket: this.#errand.ticket, fetched, stored, parsed: page.parsed, redirectTo },
    });
  }

  #fetchedPage({ outcome, facts, parsed }: ReadPage): FetchedPage {
    const isKept = this.#parts.filters.store?.accepts(facts) ?? true;
    const asksNot = this.#parts.obeysNoarchive && parsed?.directives.noarchive === true;
    return fetchedPage(this.#facts, outcome, {
      sha1: parsed?.payloadSha1 ?? null,
      keep: isKept ? (asksNot ? "metadata" : "whole") : "nothing",
      mime: parsed?.media || null,
      isPage: !this.isSitemap,
    });
  }

  get #facts(): VisitFacts {
    const { ticket, address, attempt } = this.#errand;
    const { url, depth, via } = ticket;
    const { fetchedAtMs: atMs, durationMs, notes } = this;
    return { atMs, url, address, depth, via, durationMs, attempt: attempt + 1, notes };
  }

  log(result: number | ErrorCode, bodyBytes: number): void {
    const line = crawlLine(this.#facts, result, bodyBytes);
    this.#store.log(line, this.#over, () => this.#giveUpLine(line));
  }

  #giveUpLine(line: CrawlLine): void {
    this.#parts.counts.takeBack(line);
    this.release();
    this.#over();
  }

  release(): void {
    const outcome = this.outcome;
    const decoded = this.decoded;
    this.outcome = null;
    this.decoded = null;
    outcome?.body.release();
    if (decoded !== null && decoded !== outcome?.body) decoded.release();
  }

  /** The answer is archived, so that the fault can be looked into; the log has the code. */
  keepFaulty(code: ErrorCode, isArchived: boolean): void {
    const { outcome } = this;
    const bodyBytes = outcome?.body.lengthBytes ?? 0;
    const logOnly = (): void => {
      this.release();
      this.log(code, bodyBytes);
    };
    if (outcome === null || !isArchived) {
      logOnly();
      return;
    }
    const facts = this.#facts;
    const keeping = { sha1: null, keep: "whole", mime: null, failure: code } as const;
    const stored = (place: StoredPage | null): void => {
      if (place === null) logOnly();
      else {
        this.release();
        this.#over();
      }
    };
    const line = crawlLine(facts, code, bodyBytes);
    this.#store.store(fetchedPage(facts, outcome, keeping), stored, () => this.#giveUpLine(line));
  }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
