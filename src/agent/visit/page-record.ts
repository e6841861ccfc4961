/** What is known of a visit to a page so far, for its records, its line and its row. */
import type { CrawlError } from "../../base/errors/index.ts";
import type { Body, FetchedOutcome } from "../../base/seams/index.ts";
import type { PageErrand } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { ParsedPage } from "../../parse/page/index.ts";
import type { CrawlNote, FetchedPage, StoredPage } from "../../store/archive/index.ts";
import type { LinkLines } from "../../store/links/index.ts";
import type { PageFacts } from "./page-facts.ts";
import type { VisitFacts } from "./visit-facts.ts";

/** An answer on its way from the wire to the store. */
export interface ReadPage {
  readonly outcome: FetchedOutcome;
  readonly decoded: Body;
  /** Whether the content was damaged, so that some of it may be garbage. */
  readonly isDamaged: boolean;
  readonly facts: PageFacts;
  /** Null until it is parsed, and for what is not. */
  parsed: ParsedPage | null;
}

/** A page in the store. */
export interface KeptPage {
  readonly fetched: FetchedPage;
  readonly stored: StoredPage;
}

/** The units set the fields as they learn them. */
export class PageRecord {
  readonly notes: CrawlNote[];
  /** To be released: the answer, and its decoded body. */
  outcome: FetchedOutcome | null = null;
  decoded: Body | null = null;
  isCut = false;
  /** Another page has the same text. */
  hasKnownText = false;
  /** Its URL, if that is known; and that of a page with nearly the same text. */
  sameTextAs: string | null = null;
  nearDuplicateOf: string | null = null;
  /** In the page index; null until something refers to it. */
  number: number | null = null;
  /** Named as a sitemap: it is fetched like a page, but is not counted as one. */
  isSitemap = false;
  redirectTo: string | null = null;
  /** Its links that are URLs, on their way to the link graph; null if there are none to be kept. */
  links: LinkLines | null = null;
  /** Of the last try; another process may know more than the errand. */
  address: string | null;
  /** 0 for the first try. */
  attempt: number;
  /** What the fetch failed with, if it did. */
  failure: CrawlError | null = null;
  durationMs = 0;
  /** In wall-clock milliseconds; 0 until the fetch has ended. */
  fetchedAtMs = 0;
  /** Null until the page has its line in the crawl log. */
  kept: KeptPage | null = null;
  readonly isRequisite: boolean;
  readonly #errand: PageErrand;

  constructor(errand: PageErrand) {
    this.#errand = errand;
    this.address = errand.address;
    this.attempt = errand.attempt;
    this.notes = ticketNotes(errand.ticket);
    this.isRequisite = (errand.ticket.requisite ?? 0) > 0;
  }

  get facts(): VisitFacts {
    const { url, depth, via } = this.#errand.ticket;
    const { fetchedAtMs: atMs, durationMs, notes, address, attempt } = this;
    return { atMs, url, address, depth, via, durationMs, attempt: attempt + 1, notes };
  }

  /** Bytes of the body as it was received. */
  get bodyBytes(): number {
    return this.outcome?.body.lengthBytes ?? 0;
  }

  release(): void {
    const outcome = this.outcome;
    const decoded = this.decoded;
    this.outcome = null;
    this.decoded = null;
    outcome?.body.release();
    if (decoded !== null && decoded !== outcome?.body) decoded.release();
  }
}

/** What a line says of its ticket, so that a replay knows it. */
/** For the line of an answer: how long the server asks to be left alone. */
export function restNotes(retryAfterMs: number | null): CrawlNote[] {
  return retryAfterMs === null || retryAfterMs === 0 ? [] : [["rest", String(retryAfterMs)]];
}

export function ticketNotes({ requisite = 0, redirects, hostDepth }: Ticket): CrawlNote[] {
  const notes: CrawlNote[] = [];
  if (requisite > 0) notes.push(requisite > 1 ? ["requisite", `${requisite}`] : ["requisite"]);
  if (redirects > 0) notes.push(["redirects", `${redirects}`]);
  if (hostDepth !== undefined) notes.push(["host-depth", `${hostDepth}`]);
  return notes;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
