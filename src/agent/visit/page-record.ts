/**
 * What is kept of a visit to a page: its records in the archive, its line in the crawl log, its row,
 * its counts. It holds the answer until then, and waits where the disk has no room: nothing is lost
 * while that is full or slow, unless the wait is given up.
 */
import { type ErrorCode, isInternalFault } from "../../base/errors/index.ts";
import type { Body, FetchOutcome } from "../../base/seams/index.ts";
import type { PageErrand } from "../../frontier/front/index.ts";
import type { ParsedPage } from "../../parse/page/index.ts";
import type { CrawlNote, FetchedPage, StoredPage } from "../../store/archive/index.ts";
import type { PageFacts } from "./page-facts.ts";
import type { PageVisitParts } from "./page-visit-parts.ts";
import { crawlLine, fetchedPage, type VisitFacts } from "./visit-facts.ts";

/** Longer bodies are compressed in pieces; so many bytes take some milliseconds. */
const STORED_AT_ONCE_BYTES_MAX = 512 * 1024;

export type Fetched = FetchOutcome & { readonly kind: "fetched" };

/** A page on its way from the wire to the store. */
export interface ReadPage {
  readonly outcome: Fetched;
  readonly decoded: Body;
  /** Whether the content was damaged, so that some of it may be garbage. */
  readonly isDamaged: boolean;
  readonly facts: PageFacts;
  readonly parsed: ParsedPage | null;
}

type RecordParts = Pick<PageVisitParts, "store" | "counts" | "rows" | "filters" | "obeysNoarchive">;

/** The fields are the visit's to set, as it learns what they say. */
export class PageRecord {
  readonly notes: CrawlNote[] = [];
  /** What is to be released: the answer, and its decoded body. */
  outcome: Fetched | null = null;
  decoded: Body | null = null;
  isCut = false;
  /** Another page has the same text. */
  hasKnownText = false;
  /** Named as a sitemap: it is fetched like a page and counts as none. */
  isSitemap = false;
  redirectTo: string | null = null;
  durationMs = 0;
  /** In wall-clock milliseconds; 0 until the fetch has ended. */
  fetchedAtMs = 0;
  /** Whether the page has its line in the log. */
  isStored = false;
  readonly isRequisite: boolean;
  readonly #parts: RecordParts;
  readonly #errand: PageErrand;
  readonly #guard: (work: () => void) => void;
  readonly #over: () => void;
  /** Set while there is no room: lets go of what is held. */
  #letGo: (() => void) | null = null;

  /** What comes later runs in `guard`; `over` is called once everything is kept or given up. */
  constructor(
    parts: RecordParts,
    errand: PageErrand,
    guard: (work: () => void) => void,
    over: () => void,
  ) {
    this.#parts = parts;
    this.#errand = errand;
    this.#guard = guard;
    this.#over = over;
    this.isRequisite = (errand.ticket.requisite ?? 0) > 0;
    if (this.isRequisite) this.notes.push(["requisite"]);
  }

  /** Null for sitemaps too, which have no row. */
  get rows(): PageVisitParts["rows"] {
    return this.isSitemap ? null : this.#parts.rows;
  }

  store(page: ReadPage): void {
    this.#tryStore(page, this.#fetchedPage(page));
  }

  /** Gives up what waits for room: it is as if it had not been fetched. */
  cancel(): void {
    const letGo = this.#letGo;
    this.#letGo = null;
    letGo?.();
  }

  /** The visit ends in another way. */
  stopWaiting(): void {
    this.#letGo = null;
  }

  /** Goes on when there is room for the page, unless that is given up meanwhile. */
  whenRoom(
    place: { whenRoom(callback: () => void): void },
    again: () => void,
    letGo: () => void = () => this.#giveUp(),
  ): void {
    this.#letGo = letGo;
    place.whenRoom(() => {
      if (this.#letGo === null) return;
      this.#letGo = null;
      this.#guard(again);
    });
  }

  #tryStore(page: ReadPage, fetched: FetchedPage): void {
    const { store } = this.#parts;
    const { bytes, lengthBytes } = fetched.body;
    if (bytes !== null && lengthBytes <= STORED_AT_ONCE_BYTES_MAX) {
      const stored = store.tryStore(fetched);
      if (stored === null) this.#storeLater(page, fetched);
      else this.#stored(page, fetched, stored);
      return;
    }
    store.storeSpooled(fetched, (error, stored) =>
      this.#guard(() => {
        if (error === null) this.#stored(page, fetched, stored);
        else if (isInternalFault(error)) throw error;
        else if (store.trouble !== null) this.#storeLater(page, fetched);
        else this.#unreadable();
      }),
    );
  }

  #storeLater(page: ReadPage, fetched: FetchedPage): void {
    this.whenRoom(this.#parts.store, () => this.#tryStore(page, fetched));
  }

  /** There is no room for the page: it is as if it had not been fetched. */
  #giveUp(): void {
    const bodyBytes = this.outcome?.body.lengthBytes ?? 0;
    this.#parts.counts.takeBackFetch(bodyBytes, !this.isSitemap);
    this.release();
    this.#over();
  }

  /** The body lay on disk and cannot be read back: the store is well, the page is lost. */
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
    return {
      errand: this.#errand,
      fetchedAtMs: this.fetchedAtMs,
      durationMs: this.durationMs,
      notes: this.notes,
    };
  }

  log(result: number | ErrorCode, bodyBytes: number): void {
    const { store, counts } = this.#parts;
    const line = crawlLine(this.#facts, result, bodyBytes);
    if (store.tryLog(line)) this.#over();
    else {
      const letGo = (): void => {
        counts.takeBack(line);
        this.#over();
      };
      this.whenRoom(store, () => this.log(result, bodyBytes), letGo);
    }
  }

  release(): void {
    const outcome = this.outcome;
    const decoded = this.decoded;
    this.outcome = null;
    this.decoded = null;
    outcome?.body.release();
    if (decoded !== null && decoded !== outcome?.body) decoded.release();
  }

  /** What was had is archived, so that the fault can be looked into; the log has the code. */
  keepFaulty(code: ErrorCode, isArchived: boolean): void {
    const { store } = this.#parts;
    const { outcome } = this;
    if (outcome === null || !isArchived) {
      this.#logFaulty(code);
      return;
    }
    const extras = { sha1: null, keep: "whole", mime: null, failure: code } as const;
    const page = fetchedPage(this.#facts, outcome, extras);
    const stored = (isStored: boolean): void => {
      if (isStored) {
        this.release();
        this.#over();
      } else this.#logFaulty(code);
    };
    if (outcome.body.bytes !== null) stored(store.tryStore(page) !== null);
    else {
      store.storeSpooled(page, (...[failure]) =>
        this.#guard(() => {
          if (isInternalFault(failure)) throw failure;
          stored(failure === null);
        }),
      );
    }
  }

  #logFaulty(code: ErrorCode): void {
    const bodyBytes = this.outcome?.body.lengthBytes ?? 0;
    this.release();
    this.log(code, bodyBytes);
  }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
