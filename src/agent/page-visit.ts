/**
 * One fetch of a page and all that follows from it, in this order: the frontier is told how it ended;
 * the answer is decoded and parsed; duplicates are looked for; its links are offered; it is stored
 * and logged. Whatever lies in memory is done in one go, without a promise or a timer; only bodies on
 * disk, a look into the near-duplicate index on disk and a store without room make it wait.
 *
 * The links go before the line of the log: whoever finds the line knows that they were offered.
 *
 * Each step that is entered anew, from the fetcher, the disk or a timer, runs behind a barrier: what
 * it throws ends this page alone, with the code of its stage. The frontier is told outside it.
 */
import {
  beyondBarriers,
  type CrawlError,
  type ErrorCode,
  faultOf,
  type InternalCode,
  isInternalFault,
} from "../errors/index.ts";
import type { PageEnd, PageErrand, Settlement } from "../frontier/index.ts";
import type { ParsedPage } from "../parse/index.ts";
import type { Body, FetchInFlight, FetchOutcome } from "../seams/index.ts";
import type { CrawlNote, FetchedPage, StoredPage } from "../store/index.ts";
import { guardedBody } from "./guarded-body.ts";
import type { OfferedLinks } from "./link-offers.ts";
import { PageFacts } from "./page-facts.ts";
import type { PageVisitParts } from "./page-visit-parts.ts";
import { crawlLine, fetchedPage, type VisitFacts } from "./visit-facts.ts";

type Fetched = FetchOutcome & { readonly kind: "fetched" };

/** Longer bodies are compressed in pieces; so many bytes take some milliseconds. */
const STORED_AT_ONCE_BYTES_MAX = 512 * 1024;

const NO_LINKS: OfferedLinks = { offered: 0, remembered: [], requisites: [] };
const NOT_BEGUN: FetchInFlight = { cancel: () => undefined };

export class PageVisit {
  readonly #parts: PageVisitParts;
  readonly #errand: PageErrand;
  readonly #over: () => void;
  readonly #startedAtMs: number;
  readonly #inFlight: FetchInFlight;
  readonly #notes: CrawlNote[] = [];
  /** What is being done, as the code of a fault in it. */
  #stage: InternalCode = "INTERNAL_FETCH";
  /** What is to be released: the answer, and its decoded body. */
  #outcome: Fetched | null = null;
  #decoded: Body | null = null;
  #isTold = false;
  #isCut = false;
  /** Another page has the same text. */
  #hasKnownText = false;
  /** Whether the page has its line in the log. */
  #isStored = false;
  #isOver = false;
  #hasFault = false;
  /** Set while the visit waits for the disk: lets go of what it holds. */
  #letGo: (() => void) | null = null;
  #durationMs = 0;
  #fetchedAtMs = 0;
  #isFinal = false;
  readonly #isRequisite: boolean;
  #redirectTo: string | null = null;
  /** Named as a sitemap: it is fetched like a page and counts as none. */
  #isSitemap = false;

  constructor(parts: PageVisitParts, errand: PageErrand, over: () => void) {
    const { clock, fetcher, headers, limits } = parts;
    this.#parts = parts;
    this.#errand = errand;
    this.#isRequisite = (errand.ticket.requisite ?? 0) > 0;
    if (this.#isRequisite) this.#notes.push(["requisite"]);
    this.#over = () => {
      this.#isOver = true;
      over();
    };
    this.#startedAtMs = clock.nowMs();
    const request = { url: errand.ticket.url, address: errand.address, headers, limits };
    try {
      this.#inFlight = fetcher.fetch(request, (outcome) => this.#fetched(outcome));
    } catch (thrown) {
      this.#inFlight = NOT_BEGUN;
      clock.after(0, () => this.#fault(thrown));
    }
  }

  /** Whether the frontier took its end for the last word on the page. */
  get isFinal(): boolean {
    return this.#isFinal;
  }

  get receivedBytes(): number {
    return this.#inFlight.receivedBytes ?? 0;
  }

  /**
   * Gives the fetch up. When it has ended, this gives up only what waits for room on the disk: such a
   * page is as if it had not been fetched.
   */
  cancel(): void {
    this.#guard(() => {
      this.#inFlight.cancel();
      const letGo = this.#letGo;
      this.#letGo = null;
      letGo?.();
    });
  }

  readonly #guard = (work: () => void): void => {
    try {
      work();
    } catch (thrown) {
      this.#fault(thrown);
    }
  };

  #fetched(outcome: FetchOutcome): void {
    try {
      this.#took(outcome);
    } catch (thrown) {
      this.#fault(thrown);
    }
  }

  #took(outcome: FetchOutcome): void {
    const { clock, faults } = this.#parts;
    if (outcome.kind === "fetched") this.#outcome = outcome;
    // A fetch that failed to begin may still answer.
    if (this.#hasFault || this.#isOver) {
      this.#release();
      return;
    }
    this.#isSitemap = this.#parts.offers.isSitemap(this.#errand.ticket);
    if (this.#isSitemap) this.#notes.push(["sitemap"]);
    this.#durationMs = clock.nowMs() - this.#startedAtMs;
    this.#fetchedAtMs = clock.wallMs();
    switch (outcome.kind) {
      case "cancelled":
        this.#tell({ kind: "cancelled" });
        this.#over();
        break;
      case "failed":
        this.#countFetch();
        if (isInternalFault(outcome.error)) faults.note(outcome.error, this.#errand.ticket.url);
        this.#failed(outcome.error);
        break;
      default:
        this.#countFetch();
        this.#answered(outcome);
    }
  }

  #countFetch(): void {
    if (!this.#isSitemap) this.#parts.counts.fetches += 1;
  }

  #failed(error: CrawlError): void {
    const { counts, offers, seeds } = this.#parts;
    const { code } = error;
    const settlement = this.#tell({ kind: "failed", code });
    this.#isFinal = settlement.kind === "final";
    seeds.failed(this.#errand.ticket, error, settlement);
    if (this.#isFinal) {
      counts.errors.add(code);
      offers.ended(this.#errand.ticket);
      this.#rows?.failed(this.#errand.ticket, code, this.#fetchedAtMs);
    } else this.#notes.push(["retry"]);
    this.#log(code, 0);
  }

  #answered(outcome: Fetched): void {
    const { counts, answers, memory } = this.#parts;
    const { status, headers, body } = outcome;
    const { lengthBytes } = body;
    counts.bytes += lengthBytes;
    const settlement = this.#tell({
      kind: "answered",
      status,
      retryAfterMs: answers.retryAfterMs(headers),
      answerMs: outcome.answerMs,
      bodyBytes: body.lengthBytes,
    });
    this.#parts.seeds.answered(this.#errand.ticket, status, settlement);
    if (settlement.kind === "again") {
      this.#notes.push(["retry"]);
      this.#release();
      this.#log(status, lengthBytes);
      return;
    }
    this.#isFinal = true;
    memory?.begin(this.#errand.ticket.high, this.#errand.ticket.low);
    this.#stage = "INTERNAL_DECODE";
    answers.decode(outcome, ({ body: decoded, error, truncatedBy }) =>
      this.#guard(() => {
        this.#decoded = decoded;
        if (isInternalFault(error)) throw error;
        this.#isCut = outcome.truncatedBy !== null || truncatedBy !== null;
        // Some of it may be garbage.
        const isDamaged = error?.facts["how"] === "damaged";
        if (isDamaged) this.#notes.push(["damaged"]);
        else if (truncatedBy !== null) this.#notes.push(["truncated", `decoding-${truncatedBy}`]);
        this.#whenRowsHaveRoom({ outcome, decoded, isDamaged });
      }),
    );
  }

  /** A page whose row would have to wait is not parsed before: its body costs less than its text. */
  #whenRowsHaveRoom(answer: Omit<Read, "facts" | "parsed">): void {
    const writer = this.#parts.rows?.writer;
    if (writer === undefined || writer.hasRoom) {
      this.#read(answer);
      return;
    }
    this.#letGo = () => this.#giveUp();
    writer.whenRoom(() => {
      if (this.#letGo === null) return;
      this.#letGo = null;
      this.#guard(() => this.#whenRowsHaveRoom(answer));
    });
  }

  #read(answer: Omit<Read, "facts" | "parsed">): void {
    this.#stage = "INTERNAL_PARSE";
    const { ticket } = this.#errand;
    const { outcome, decoded } = answer;
    const { status, headers, body: received } = outcome;
    const facts = new PageFacts(ticket, { status, headers, received, decoded });
    const page: Read = { ...answer, facts, parsed: null };
    if (status >= 300 && status < 400) this.#redirected(page);
    else if (isSuccess(status) && (this.#parts.filters.parse?.accepts(facts) ?? true)) {
      const isSitemap = this.#isSitemap;
      const isCut = this.#isCut;
      const whole = guardedBody(received, this.#guard);
      const source = { url: ticket.url, headers, received: whole, isSitemap, isCut };
      const body = decoded === received ? whole : guardedBody(decoded, this.#guard);
      this.#parts.parsing.parse(source, body, (parsed) =>
        this.#guard(() => {
          facts.take(parsed);
          this.#parsed({ ...page, parsed });
        }),
      );
    } else if (isSuccess(status)) this.#remember(NO_LINKS, -1, () => this.#store(page));
    else this.#store(page);
  }

  #redirected(page: Read): void {
    this.#stage = "INTERNAL_LINKS";
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
    if (this.#isSitemap) {
      this.#follow(page);
      return;
    }
    this.#stage = "INTERNAL_DUPLICATES";
    duplicates.seek(parsed, this.#errand.ticket.url, this.#guard, (found) => {
      facts.isDuplicate = found.kind === "payload" || found.kind === "text";
      facts.isNearDuplicate = found.kind === "near";
      this.#hasKnownText = found.kind === "text";
      if (this.#hasKnownText) this.#notes.push(["same-text"]);
      if (found.kind === "near") this.#notes.push(["near-duplicate"]);
      this.#follow(page);
    });
  }

  #follow(page: Read & { readonly parsed: ParsedPage }): void {
    this.#stage = "INTERNAL_LINKS";
    const { filters, offers, answers } = this.#parts;
    const { ticket } = this.#errand;
    // Links that were never written must not be asked for.
    const isSound = !page.isDamaged;
    const follows = isSound && (filters.follow?.accepts(page.facts) ?? true);
    const leads = follows ? answers.leadsTo(page.outcome, ticket.url) : null;
    const refresh = leads?.kind === "refreshed" ? leads.to : null;
    const { parsed } = page;
    const isShown = !(this.#parts.obeysNoarchive && parsed.directives.noarchive);
    const isOffered = follows || (isSound && offers.takesRequisites);
    const links = isOffered
      ? offers.offerLinks({ ticket, parsed, refresh, isFollowed: follows, isShown })
      : NO_LINKS;
    this.#notes.push(["links", String(links.offered)]);
    this.#remember(links, -1, () => this.#store(page));
  }

  /**
   * With a depth limit the links are kept, in case that the page is found nearer to a seed. Of a
   * requisite they always are, in case that it is met as a page.
   */
  #remember(offered: OfferedLinks, redirects: number, then: () => void): void {
    const { memory } = this.#parts;
    const { high, low, url, depth } = this.#errand.ticket;
    const { remembered: links, requisites } = offered;
    const isRequisite = this.#isRequisite;
    if (memory === null || (links.length === 0 && !isRequisite)) then();
    else {
      const isCounted = isRequisite && redirects < 0;
      const page = { url, redirects, depth, links, requisites, isRequisite: isCounted };
      memory.keep(high, low, page, (error) =>
        this.#guard(() => {
          if (error !== null) this.#parts.failed(error);
          then();
        }),
      );
    }
  }

  /** Everything that the page leads to is in the frontier now. */
  #store(page: Read): void {
    const { memory, offers } = this.#parts;
    const { ticket } = this.#errand;
    this.#stage = "INTERNAL_STORE";
    memory?.end(ticket.high, ticket.low);
    offers.ended(ticket);
    this.#tryStore(page, this.#fetchedPage(page));
  }

  #tryStore(page: Read, fetched: FetchedPage): void {
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

  #storeLater(page: Read, fetched: FetchedPage): void {
    this.#whenRoom(
      () => this.#tryStore(page, fetched),
      () => this.#giveUp(),
    );
  }

  /** There is no room for the page: it is as if it had not been fetched. */
  #giveUp(): void {
    const bodyBytes = this.#outcome?.body.lengthBytes ?? 0;
    this.#parts.counts.takeBackFetch(bodyBytes, !this.#isSitemap);
    this.#release();
    this.#over();
  }

  /** The body lay on disk and cannot be read back: the store is well, the page is lost. */
  #unreadable(): void {
    const bodyBytes = this.#outcome?.body.lengthBytes ?? 0;
    this.#release();
    this.#parts.counts.errors.add("FETCH_BODY_NOT_KEPT");
    this.#rows?.failed(this.#errand.ticket, "FETCH_BODY_NOT_KEPT", this.#fetchedAtMs);
    this.#log("FETCH_BODY_NOT_KEPT", bodyBytes);
  }

  #stored(page: Read, fetched: FetchedPage, stored: StoredPage): void {
    this.#isStored = true;
    if (!this.#isSitemap) this.#countPage(page, fetched, stored);
    this.#release();
    this.#over();
  }

  #countPage(page: Read, fetched: FetchedPage, stored: StoredPage): void {
    const { counts, rows } = this.#parts;
    const { status } = page.outcome;
    const { isNearDuplicate } = page.facts;
    counts.status.add(String(status));
    if (isSuccess(status)) {
      if (this.#isRequisite) counts.requisites += 1;
      else counts.pages += 1;
    }
    if (this.#isCut) counts.truncated += 1;
    if (stored.duplicateOf !== null || this.#hasKnownText) counts.duplicates += 1;
    else if (isNearDuplicate) counts.nearDuplicates += 1;
    const redirectTo = this.#redirectTo;
    rows?.answered({
      ...{ ticket: this.#errand.ticket, fetched, stored, parsed: page.parsed, redirectTo },
    });
  }

  /** Nothing is lost while the disk is full or slow: the page is kept until there is room. */
  #whenRoom(again: () => void, letGo: () => void): void {
    this.#letGo = letGo;
    this.#parts.store.whenRoom(() => {
      if (this.#letGo === null) return;
      this.#letGo = null;
      this.#guard(again);
    });
  }

  #fetchedPage({ outcome, facts, parsed }: Read): FetchedPage {
    const isKept = this.#parts.filters.store?.accepts(facts) ?? true;
    const asksNot = this.#parts.obeysNoarchive && parsed?.directives.noarchive === true;
    return fetchedPage(this.#facts, outcome, {
      sha1: parsed?.payloadSha1 ?? null,
      keep: isKept ? (asksNot ? "metadata" : "whole") : "nothing",
      mime: parsed?.media || null,
      isPage: !this.#isSitemap,
    });
  }

  /** Null for sitemaps too, which have no row. */
  get #rows(): PageVisitParts["rows"] {
    return this.#isSitemap ? null : this.#parts.rows;
  }

  get #facts(): VisitFacts {
    return {
      errand: this.#errand,
      fetchedAtMs: this.#fetchedAtMs,
      durationMs: this.#durationMs,
      notes: this.#notes,
    };
  }

  #log(result: number | ErrorCode, bodyBytes: number): void {
    const { store, counts } = this.#parts;
    const line = crawlLine(this.#facts, result, bodyBytes);
    if (store.tryLog(line)) this.#over();
    else {
      this.#whenRoom(
        () => this.#log(result, bodyBytes),
        () => {
          counts.takeBack(line);
          this.#over();
        },
      );
    }
  }

  /** Never behind the barrier: the frontier is shared by all pages. */
  #tell(end: PageEnd): Settlement {
    this.#isTold = true;
    try {
      return this.#parts.frontier.pageFetched(this.#errand, end);
    } catch (thrown) {
      throw beyondBarriers(thrown);
    }
  }

  #release(): void {
    const outcome = this.#outcome;
    const decoded = this.#decoded;
    this.#outcome = null;
    this.#decoded = null;
    outcome?.body.release();
    if (decoded !== null && decoded !== outcome?.body) decoded.release();
  }

  /** Ends the page, unless what was thrown belongs to no page. A second fault ends it at once. */
  #fault(thrown: unknown): void {
    const { faults, counts } = this.#parts;
    const { url } = this.#errand.ticket;
    const what = `the work on ${url}`;
    const error = faultOf(thrown, { code: this.#stage, what, isOver: this.#isOver });
    faults.note(error, url);
    const isFirst = !this.#hasFault;
    this.#hasFault = true;
    this.#letGo = null;
    if (!this.#isTold) {
      const settlement = this.#tell({ kind: "failed", code: error.code });
      this.#isFinal = settlement.kind === "final";
    }
    if (isFirst) counts.errors.add(error.code);
    if (isFirst && !this.#isStored) {
      this.#guard(() => this.#endFaulty(error));
    } else {
      this.#guard(() => this.#release());
      if (!this.#isOver) this.#over();
    }
  }

  /** What was had is archived, so that the fault can be looked into; the log has the code. */
  #endFaulty(error: CrawlError): void {
    const { memory, offers, store, clock, seeds } = this.#parts;
    const { ticket } = this.#errand;
    const { code } = error;
    const outcome = this.#outcome;
    if (this.#fetchedAtMs === 0) this.#fetchedAtMs = clock.wallMs();
    if (this.#isFinal) {
      seeds.failed(ticket, error, { kind: "final" });
      this.#rows?.failed(ticket, code, this.#fetchedAtMs);
      memory?.end(ticket.high, ticket.low);
      offers.ended(ticket);
    }
    const isKept = outcome !== null && this.#isFinal && this.#stage !== "INTERNAL_STORE";
    this.#stage = "INTERNAL_STORE";
    if (!isKept) {
      this.#logFaulty(code);
      return;
    }
    const extras = { sha1: null, keep: "whole", mime: null, failure: code } as const;
    const page = fetchedPage(this.#facts, outcome, extras);
    const stored = (isStored: boolean): void => {
      if (isStored) {
        this.#release();
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
    const bodyBytes = this.#outcome?.body.lengthBytes ?? 0;
    this.#release();
    this.#log(code, bodyBytes);
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

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
