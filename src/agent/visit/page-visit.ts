/**
 * One fetch of a page and all that follows from it, in this order: the frontier is told how it ended;
 * the answer is decoded and parsed; duplicates are looked for; its links are offered; it is stored
 * and logged. What is in memory is processed in one go, without a promise or a timer; only bodies on
 * disk, look-ups in the near-duplicate index on disk and a full store make it wait.
 *
 * The links are offered before the line is logged: a page that has its line has had them offered.
 *
 * Each step that the fetcher, the disk or a timer begins runs behind a barrier: what it throws ends
 * this page alone, with the code of its stage. The frontier is told outside the barrier.
 */
import {
  beyondBarriers,
  type CrawlError,
  faultOf,
  type InternalCode,
  isInternalFault,
} from "../../base/errors/index.ts";
import type { FetchedOutcome, FetchInFlight, FetchOutcome } from "../../base/seams/index.ts";
import type { PageEnd, PageErrand, Settlement } from "../../frontier/front/index.ts";
import type { ParsedPage } from "../../parse/page/index.ts";
import { NO_LINKS, type OfferedLinks } from "../links/link-offers.ts";
import { guardedBody } from "./guarded-body.ts";
import { PageFacts } from "./page-facts.ts";
import { isSuccess, PageRecord, type ReadPage } from "./page-record.ts";
import type { PageVisitParts } from "./page-visit-parts.ts";
import { WaitingStore } from "./waiting-store.ts";

const NOT_BEGUN: FetchInFlight = { cancel: () => undefined };

export class PageVisit {
  readonly #parts: PageVisitParts;
  readonly #errand: PageErrand;
  readonly #over: () => void;
  readonly #startedAtMs: number;
  readonly #inFlight: FetchInFlight;
  readonly #store: WaitingStore;
  readonly #record: PageRecord;
  /** The current stage, as the code of a fault in it. */
  #stage: InternalCode = "INTERNAL_FETCH";
  #isTold = false;
  #isOver = false;
  #hasFault = false;
  #isFinal = false;

  constructor(parts: PageVisitParts, errand: PageErrand, over: () => void) {
    const { clock, fetcher, headers, limits } = parts;
    this.#parts = parts;
    this.#errand = errand;
    this.#over = () => {
      this.#isOver = true;
      over();
    };
    this.#store = new WaitingStore(parts.store, this.#guard);
    this.#record = new PageRecord(parts, errand, this.#store, this.#over);
    this.#startedAtMs = clock.nowMs();
    const request = { url: errand.ticket.url, address: errand.address, headers, limits };
    try {
      this.#inFlight = fetcher.fetch(request, (outcome) =>
        this.#guard(() => this.#fetched(outcome)),
      );
    } catch (thrown) {
      this.#inFlight = NOT_BEGUN;
      clock.after(0, () => this.#fault(thrown));
    }
  }

  /** Whether the page is not tried again. */
  get isFinal(): boolean {
    return this.#isFinal;
  }

  get receivedBytes(): number {
    return this.#inFlight.receivedBytes ?? 0;
  }

  /**
   * Gives up the fetch. After it has ended, this gives up only a wait for room on the disk: the page
   * is then as if it had not been fetched.
   */
  cancel(): void {
    this.#guard(() => {
      this.#inFlight.cancel();
      this.#store.giveUp();
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
    const { clock, faults } = this.#parts;
    if (outcome.kind === "fetched") this.#record.outcome = outcome;
    // A fetch that failed to begin may still answer.
    if (this.#hasFault || this.#isOver) {
      this.#record.release();
      return;
    }
    this.#record.isSitemap = this.#parts.offers.isSitemap(this.#errand.ticket);
    if (this.#record.isSitemap) this.#record.notes.push(["sitemap"]);
    this.#record.durationMs = clock.nowMs() - this.#startedAtMs;
    this.#record.fetchedAtMs = clock.wallMs();
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
    if (!this.#record.isSitemap) this.#parts.counts.fetches += 1;
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
      this.#record.rows?.failed(this.#errand.ticket, code, this.#record.fetchedAtMs);
    } else this.#record.notes.push(["retry"]);
    this.#record.log(code, 0);
  }

  #answered(outcome: FetchedOutcome): void {
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
      this.#record.notes.push(["retry"]);
      this.#record.release();
      this.#record.log(status, lengthBytes);
      return;
    }
    this.#isFinal = true;
    memory?.begin(this.#errand.ticket.high, this.#errand.ticket.low);
    this.#stage = "INTERNAL_DECODE";
    answers.decode(outcome, ({ body: decoded, error, truncatedBy }) =>
      this.#guard(() => {
        this.#record.decoded = decoded;
        if (isInternalFault(error)) throw error;
        this.#record.isCut = outcome.truncatedBy !== null || truncatedBy !== null;
        // Some of it may be garbage.
        const isDamaged = error?.facts["how"] === "damaged";
        if (isDamaged) this.#record.notes.push(["damaged"]);
        else if (truncatedBy !== null)
          this.#record.notes.push(["truncated", `decoding-${truncatedBy}`]);
        this.#whenRowsHaveRoom({ outcome, decoded, isDamaged });
      }),
    );
  }

  /** A page whose row must wait is not parsed yet: its text takes more memory than its body. */
  #whenRowsHaveRoom(answer: Omit<ReadPage, "facts" | "parsed">): void {
    const writer = this.#parts.rows?.writer;
    if (writer === undefined || writer.hasRoom) {
      this.#read(answer);
      return;
    }
    const again = (): void => this.#whenRowsHaveRoom(answer);
    this.#store.whenRoom(writer, again, () => this.#record.giveUp());
  }

  #read(answer: Omit<ReadPage, "facts" | "parsed">): void {
    this.#stage = "INTERNAL_PARSE";
    const { ticket } = this.#errand;
    const { outcome, decoded } = answer;
    const { status, headers, body: received } = outcome;
    const facts = new PageFacts(ticket, outcome, decoded);
    const page: ReadPage = { ...answer, facts, parsed: null };
    if (status >= 300 && status < 400) this.#redirected(page);
    else if (isSuccess(status) && (this.#parts.filters.parse?.accepts(facts) ?? true)) {
      const isSitemap = this.#record.isSitemap;
      const isCut = this.#record.isCut;
      const whole = guardedBody(received, this.#guard);
      const source = { url: ticket.url, headers, received: whole, isSitemap, isCut };
      const body = decoded === received ? whole : guardedBody(decoded, this.#guard);
      this.#parts.parsing.parse(source, body, (parsed) =>
        this.#guard(() => {
          facts.take(parsed);
          this.#parsed({ ...page, parsed });
        }),
      );
    } else if (isSuccess(status)) this.#remember(NO_LINKS, -1, () => this.#keep(page));
    else this.#keep(page);
  }

  #redirected(page: ReadPage): void {
    this.#stage = "INTERNAL_LINKS";
    const { offers, answers, counts, seeds } = this.#parts;
    const { ticket } = this.#errand;
    const target = answers.leadsTo(page.outcome, ticket.url);
    if (target.kind !== "redirected") {
      seeds.redirected(ticket, null, false);
      if (target.kind === "refused") counts.refused.add(target.reason);
      this.#keep(page);
      return;
    }
    this.#record.redirectTo = target.to;
    this.#record.notes.push(["redirect", target.to]);
    const offered = offers.offerRedirect(target.to, ticket);
    seeds.redirected(ticket, target.to, offered.offered > 0);
    this.#remember(offered, ticket.redirects, () => this.#keep(page));
  }

  #parsed(page: ReadPage & { readonly parsed: ParsedPage }): void {
    const { duplicates } = this.#parts;
    const { facts, parsed } = page;
    if (this.#record.isSitemap) {
      this.#follow(page);
      return;
    }
    this.#stage = "INTERNAL_DUPLICATES";
    duplicates.seek(parsed, this.#errand.ticket.url, this.#guard, (found) => {
      facts.isDuplicate = found.kind === "payload" || found.kind === "text";
      facts.isNearDuplicate = found.kind === "near";
      this.#record.hasKnownText = found.kind === "text";
      if (this.#record.hasKnownText) this.#record.notes.push(["same-text"]);
      if (found.kind === "near") this.#record.notes.push(["near-duplicate"]);
      this.#follow(page);
    });
  }

  #follow(page: ReadPage & { readonly parsed: ParsedPage }): void {
    this.#stage = "INTERNAL_LINKS";
    const { filters, offers, answers } = this.#parts;
    const { ticket } = this.#errand;
    // Damaged content may hold links that nobody wrote.
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
    this.#record.notes.push(["links", String(links.offered)]);
    this.#remember(links, -1, () => this.#keep(page));
  }

  /**
   * With a depth limit the links are kept in case the page turns out to be nearer to a seed; those of
   * a requisite always are, in case it turns out to be a page.
   */
  #remember(offered: OfferedLinks, redirects: number, then: () => void): void {
    const { memory } = this.#parts;
    const { high, low, url, depth } = this.#errand.ticket;
    const { remembered: links, requisites } = offered;
    const isRequisite = this.#record.isRequisite;
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

  /** Everything that the page leads to has been offered now. */
  #keep(page: ReadPage): void {
    const { memory, offers } = this.#parts;
    const { ticket } = this.#errand;
    this.#stage = "INTERNAL_STORE";
    memory?.end(ticket.high, ticket.low);
    offers.ended(ticket);
    this.#record.store(page);
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

  /** Ends the page, unless the error belongs to no page. A second fault ends it without a line. */
  #fault(thrown: unknown): void {
    const { faults, counts } = this.#parts;
    const { url } = this.#errand.ticket;
    const what = `the work on ${url}`;
    const error = faultOf(thrown, { code: this.#stage, what, isOver: this.#isOver });
    faults.note(error, url);
    const isFirst = !this.#hasFault;
    this.#hasFault = true;
    this.#store.stopWaiting();
    if (!this.#isTold) {
      const settlement = this.#tell({ kind: "failed", code: error.code });
      this.#isFinal = settlement.kind === "final";
    }
    if (isFirst) counts.errors.add(error.code);
    if (isFirst && !this.#record.isStored) {
      this.#guard(() => this.#endFaulty(error));
    } else {
      this.#guard(() => this.#record.release());
      if (!this.#isOver) this.#over();
    }
  }

  #endFaulty(error: CrawlError): void {
    const { memory, offers, clock, seeds } = this.#parts;
    const { ticket } = this.#errand;
    const { code } = error;
    if (this.#record.fetchedAtMs === 0) this.#record.fetchedAtMs = clock.wallMs();
    if (this.#isFinal) {
      seeds.failed(ticket, error, { kind: "final" });
      this.#record.rows?.failed(ticket, code, this.#record.fetchedAtMs);
      memory?.end(ticket.high, ticket.low);
      offers.ended(ticket);
    }
    const isKept = this.#isFinal && this.#stage !== "INTERNAL_STORE";
    this.#stage = "INTERNAL_STORE";
    this.#record.keepFaulty(code, isKept);
  }
}
