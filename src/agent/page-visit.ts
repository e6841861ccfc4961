/**
 * One fetch of a page and all that follows from it, in this order: the frontier is told how it ended;
 * the answer is decoded and parsed; duplicates are looked for; its links are offered; it is stored
 * and logged. Whatever lies in memory is done in one go, without a promise or a timer; only bodies on
 * disk, a look into the near-duplicate index on disk and a store without room make it wait.
 *
 * The links go before the line of the log: whoever finds the line knows that they were offered.
 */
import type { CrawlError, ErrorCode } from "../errors/index.ts";
import type { Filter, PageView, ResponseView } from "../filter/index.ts";
import type { Frontier, PageErrand } from "../frontier/index.ts";
import type { ParsedPage, Parsing } from "../parse/index.ts";
import type {
  Body,
  Clock,
  Fetcher,
  FetchInFlight,
  FetchLimits,
  FetchOutcome,
  Header,
} from "../seams/index.ts";
import type { CrawlLine, CrawlNote, FetchedPage, PageStore, StoredPage } from "../store/index.ts";
import type { AnswerReading } from "./answer-reading.ts";
import type { CrawlCounts } from "./crawl-counts.ts";
import type { Duplicates } from "./duplicates.ts";
import type { LinkMemory } from "./link-memory.ts";
import type { LinkOffers, OfferedLinks } from "./link-offers.ts";
import { headerOf, PageFacts } from "./page-facts.ts";
import type { PageRows } from "./page-rows.ts";
import type { SeedWatch } from "./seed-watch.ts";

export interface PageVisitParts {
  readonly clock: Clock;
  readonly fetcher: Fetcher;
  readonly frontier: Frontier;
  readonly answers: AnswerReading;
  readonly parsing: Parsing;
  readonly offers: LinkOffers;
  readonly duplicates: Duplicates;
  readonly store: PageStore;
  /** Null without a depth limit. */
  readonly memory: LinkMemory | null;
  readonly counts: CrawlCounts;
  readonly seeds: SeedWatch;
  /** Null unless pages are written out while the crawl runs. */
  readonly rows: PageRows | null;
  readonly headers: readonly Header[];
  readonly limits: FetchLimits;
  /** Told when the disk failed where links are kept. */
  readonly failed: (error: CrawlError) => void;
  readonly filters: {
    readonly parse: Filter<ResponseView> | null;
    readonly follow: Filter<PageView> | null;
    readonly store: Filter<PageView> | null;
  };
}

type Fetched = FetchOutcome & { readonly kind: "fetched" };

const NO_LINKS: OfferedLinks = { offered: 0, remembered: [] };

export class PageVisit {
  readonly #parts: PageVisitParts;
  readonly #errand: PageErrand;
  readonly #over: () => void;
  readonly #startedAtMs: number;
  readonly #inFlight: FetchInFlight;
  readonly #notes: CrawlNote[] = [];
  /** Set while the visit waits for the disk: lets go of what it holds. */
  #letGo: (() => void) | null = null;
  #durationMs = 0;
  #fetchedAtMs = 0;
  #isFinal = false;
  #redirectTo: string | null = null;

  constructor(parts: PageVisitParts, errand: PageErrand, over: () => void) {
    const { clock, fetcher, headers, limits } = parts;
    this.#parts = parts;
    this.#errand = errand;
    this.#over = over;
    this.#startedAtMs = clock.nowMs();
    const request = { url: errand.ticket.url, address: errand.address, headers, limits };
    this.#inFlight = fetcher.fetch(request, (outcome) => this.#fetched(outcome));
  }

  /** Whether the frontier took its end for the last word on the page. */
  get isFinal(): boolean {
    return this.#isFinal;
  }

  /**
   * Gives the fetch up. When it has ended, this gives up only what waits for room on the disk: such a
   * page is as if it had not been fetched.
   */
  cancel(): void {
    this.#inFlight.cancel();
    const letGo = this.#letGo;
    this.#letGo = null;
    letGo?.();
  }

  #fetched(outcome: FetchOutcome): void {
    const { clock, frontier, counts } = this.#parts;
    this.#durationMs = clock.nowMs() - this.#startedAtMs;
    this.#fetchedAtMs = clock.wallMs();
    switch (outcome.kind) {
      case "cancelled":
        frontier.pageFetched(this.#errand, { kind: "cancelled" });
        this.#over();
        break;
      case "failed":
        counts.fetches += 1;
        this.#failed(outcome.error);
        break;
      default:
        counts.fetches += 1;
        this.#answered(outcome);
    }
  }

  #failed(error: CrawlError): void {
    const { frontier, counts, offers, seeds } = this.#parts;
    const { code } = error;
    const settlement = frontier.pageFetched(this.#errand, { kind: "failed", code });
    this.#isFinal = settlement.kind === "final";
    seeds.failed(this.#errand.ticket, error, settlement);
    if (this.#isFinal) {
      counts.errors.add(code);
      offers.ended(this.#errand.ticket);
      this.#parts.rows?.failed(this.#errand.ticket, code, this.#fetchedAtMs);
    } else this.#notes.push(["retry"]);
    this.#log(code, 0);
  }

  #answered(outcome: Fetched): void {
    const { frontier, counts, answers, memory } = this.#parts;
    const { status, headers, body } = outcome;
    counts.bytes += body.lengthBytes;
    const settlement = frontier.pageFetched(this.#errand, {
      kind: "answered",
      status,
      retryAfterMs: answers.retryAfterMs(headers),
      answerMs: outcome.answerMs,
    });
    this.#parts.seeds.answered(this.#errand.ticket, status, settlement);
    if (settlement.kind === "again") {
      this.#notes.push(["retry"]);
      body.release();
      this.#log(status, body.lengthBytes);
      return;
    }
    this.#isFinal = true;
    memory?.begin(this.#errand.ticket.high, this.#errand.ticket.low);
    answers.decode(outcome, ({ body: decoded, error }) => {
      // Some of it may be garbage.
      const isDamaged = error?.facts["how"] === "damaged";
      if (isDamaged) this.#notes.push(["damaged"]);
      this.#whenRowsHaveRoom({ outcome, decoded, isDamaged });
    });
  }

  /** A page whose row would have to wait is not parsed before: its body costs less than its text. */
  #whenRowsHaveRoom(answer: Omit<Read, "facts" | "parsed">): void {
    const writer = this.#parts.rows?.writer;
    if (writer === undefined || writer.hasRoom) {
      this.#decoded(answer);
      return;
    }
    this.#letGo = () => {
      release(answer);
      this.#over();
    };
    writer.whenRoom(() => {
      if (this.#letGo === null) return;
      this.#letGo = null;
      this.#whenRowsHaveRoom(answer);
    });
  }

  #decoded(answer: Omit<Read, "facts" | "parsed">): void {
    const { ticket } = this.#errand;
    const { outcome, decoded } = answer;
    const { status, headers, body: received } = outcome;
    const facts = new PageFacts(ticket, { status, headers, received, decoded });
    const page: Read = { ...answer, facts, parsed: null };
    if (status >= 300 && status < 400) this.#redirected(page);
    else if (isSuccess(status) && (this.#parts.filters.parse?.accepts(facts) ?? true)) {
      const isSitemap = this.#parts.offers.isSitemap(ticket);
      const source = { url: ticket.url, headers, received, isSitemap };
      this.#parts.parsing.parse(source, decoded, (parsed) => {
        facts.take(parsed);
        this.#parsed({ ...page, parsed });
      });
    } else this.#store(page);
  }

  #redirected(page: Read): void {
    const { offers, answers, counts, seeds } = this.#parts;
    const { ticket } = this.#errand;
    const target = answers.leadsTo(page.outcome, ticket.url);
    if (target.kind !== "redirected") {
      seeds.redirected(ticket, null, false);
      if (target.kind === "refused") counts.refused.add(target.reason);
      this.#store(page);
      return;
    }
    this.#redirectTo = target.to;
    this.#notes.push(["redirect", target.to]);
    const offered = offers.offerRedirect(target.to, ticket);
    seeds.redirected(ticket, target.to, offered.offered > 0);
    this.#remember(offered, ticket.redirects, () => this.#store(page));
  }

  #parsed(page: Read & { readonly parsed: ParsedPage }): void {
    const { duplicates } = this.#parts;
    const { facts, parsed } = page;
    duplicates.seek(parsed, this.#errand.ticket.url, (found) => {
      facts.isDuplicate = found.kind === "payload" || found.kind === "text";
      facts.isNearDuplicate = found.kind === "near";
      if (found.kind === "text") this.#notes.push(["same-text"]);
      if (found.kind === "near") this.#notes.push(["near-duplicate"]);
      this.#follow(page);
    });
  }

  #follow(page: Read & { readonly parsed: ParsedPage }): void {
    const { filters, offers, answers } = this.#parts;
    const { ticket } = this.#errand;
    // Links that were never written must not be asked for.
    const follows = !page.isDamaged && (filters.follow?.accepts(page.facts) ?? true);
    const leads = follows ? answers.leadsTo(page.outcome, ticket.url) : null;
    const refresh = leads?.kind === "refreshed" ? leads.to : null;
    const { parsed } = page;
    const links = follows ? offers.offerLinks({ ticket, parsed, refresh }) : NO_LINKS;
    this.#notes.push(["links", String(links.offered)]);
    this.#remember(links, -1, () => this.#store(page));
  }

  /** With a depth limit the links are kept, in case that the page is found nearer to a seed. */
  #remember({ remembered }: OfferedLinks, redirects: number, then: () => void): void {
    const { memory } = this.#parts;
    const { high, low, url } = this.#errand.ticket;
    if (memory === null || remembered.length === 0) then();
    else {
      memory.keep(high, low, { url, redirects, links: remembered }, (error) => {
        if (error !== null) this.#parts.failed(error);
        then();
      });
    }
  }

  /** Everything that the page leads to is in the frontier now. */
  #store(page: Read): void {
    const { memory, offers } = this.#parts;
    const { ticket } = this.#errand;
    memory?.end(ticket.high, ticket.low);
    offers.ended(ticket);
    this.#tryStore(page, this.#fetchedPage(page));
  }

  #tryStore(page: Read, fetched: FetchedPage): void {
    const { store } = this.#parts;
    if (fetched.body.bytes !== null) {
      const stored = store.tryStore(fetched);
      if (stored === null) this.#storeLater(page, fetched);
      else this.#stored(page, fetched, stored);
      return;
    }
    store.storeSpooled(fetched, (error, stored) => {
      if (error === null) this.#stored(page, fetched, stored);
      else if (store.trouble !== null) this.#storeLater(page, fetched);
      else this.#unreadable(page);
    });
  }

  #storeLater(page: Read, fetched: FetchedPage): void {
    this.#whenRoom(
      () => this.#tryStore(page, fetched),
      () => {
        release(page);
        this.#over();
      },
    );
  }

  /** The body lay on disk and cannot be read back: the store is well, the page is lost. */
  #unreadable(page: Read): void {
    release(page);
    this.#parts.counts.errors.add("FETCH_BODY_NOT_KEPT");
    this.#parts.rows?.failed(this.#errand.ticket, "FETCH_BODY_NOT_KEPT", this.#fetchedAtMs);
    this.#log("FETCH_BODY_NOT_KEPT", 0);
  }

  #stored(page: Read, fetched: FetchedPage, stored: StoredPage): void {
    const { counts, rows } = this.#parts;
    const { status } = page.outcome;
    const { isDuplicate, isNearDuplicate } = page.facts;
    counts.status.add(String(status));
    if (isSuccess(status)) counts.pages += 1;
    if (isDuplicate) counts.duplicates += 1;
    else if (isNearDuplicate) counts.nearDuplicates += 1;
    const redirectTo = this.#redirectTo;
    rows?.answered({
      ...{ ticket: this.#errand.ticket, fetched, stored, parsed: page.parsed, redirectTo },
    });
    release(page);
    this.#over();
  }

  /** Nothing is lost while the disk is full or slow: the page is kept until there is room. */
  #whenRoom(again: () => void, letGo: () => void): void {
    this.#letGo = letGo;
    this.#parts.store.whenRoom(() => {
      if (this.#letGo === null) return;
      this.#letGo = null;
      again();
    });
  }

  #fetchedPage({ outcome, facts, parsed }: Read): FetchedPage {
    const { filters } = this.#parts;
    const { ticket, address, attempt } = this.#errand;
    const { request, status, reason, headers, body, truncatedBy } = outcome;
    const isKept = filters.store?.accepts(facts) ?? true;
    const asksNot = parsed?.directives.noarchive === true;
    return {
      url: ticket.url,
      fetchedAtMs: this.#fetchedAtMs,
      address: address === "" ? null : address,
      request,
      response: { status, reason, headers },
      body,
      truncatedBy,
      sha1: parsed?.payloadSha1 ?? null,
      keep: isKept ? (asksNot ? "metadata" : "whole") : "nothing",
      crawl: {
        depth: ticket.depth,
        via: ticket.via === "" ? null : ticket.via,
        mime: parsed?.media || mimeOf(headers),
        durationMs: this.#durationMs,
        attempt: attempt + 1,
        notes: this.#notes,
      },
    };
  }

  #log(result: number | ErrorCode, bodyBytes: number): void {
    const { store } = this.#parts;
    const { ticket, address, attempt } = this.#errand;
    const line: CrawlLine = {
      atMs: this.#fetchedAtMs,
      result,
      bodyBytes,
      url: ticket.url,
      depth: ticket.depth,
      via: ticket.via === "" ? null : ticket.via,
      mime: null,
      digest: null,
      durationMs: this.#durationMs,
      attempt: attempt + 1,
      address: address === "" ? null : address,
      place: null,
      notes: this.#notes,
    };
    if (store.tryLog(line)) this.#over();
    else {
      this.#whenRoom(
        () => this.#log(result, bodyBytes),
        () => this.#over(),
      );
    }
  }
}

/** A page on its way from the wire to the store. */
interface Read {
  readonly outcome: Fetched;
  readonly decoded: Body;
  /** Whether the content was damaged, so that some of it may be garbage. */
  readonly isDamaged: boolean;
  readonly facts: PageFacts;
  readonly parsed: ParsedPage | null;
}

function release({ outcome, decoded }: Pick<Read, "outcome" | "decoded">): void {
  outcome.body.release();
  if (decoded !== outcome.body) decoded.release();
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function mimeOf(headers: readonly Header[]): string | null {
  const type = headerOf(headers, "content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  return type === undefined || type === "" ? null : type;
}
