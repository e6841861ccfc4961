/**
 * A visit to a page: the item that goes from unit to unit, from the front to its end. It carries what
 * the units learn; what they do with it is theirs.
 *
 * Each unit works on it behind its barrier: what is thrown there ends this page alone, with the code of
 * the unit, and the visit goes on to be recorded with that code. A second fault ends it without a
 * record. The frontier is told outside the barrier, since all pages share it.
 *
 * Invariant: a visit is in one unit or connector of the line, and perhaps in processors beside it.
 * Whoever does not pass it on lets go of it; when the last one has, its body is given back and it is
 * over.
 */
import assert from "node:assert/strict";
import { inspect } from "node:util";
import {
  beyondBarriers,
  type CrawlError,
  type ErrorCode,
  faultOf,
  type InternalCode,
} from "../../base/errors/index.ts";
import type { Clock, FetchInFlight } from "../../base/seams/index.ts";
import type { Frontier, PageEnd, PageErrand, Settlement } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import type { Faults } from "../crawl/counting/faults.ts";
import type { LinkOffers } from "../links/link-offers.ts";
import { endedPage, type ReplayedPage, type SentPage } from "../recovery/replayed-page.ts";
import type { Seeds } from "../seeds/seed-watch.ts";
import type { AnswerGate } from "./answer-gate.ts";
import type { PageIndex } from "./page-indexing.ts";
import { PageRecord, type ReadPage } from "./page-record.ts";
import { RoomWait } from "./room-wait.ts";

export interface PageVisitParts {
  /** Null if the crawl keeps no index of its pages. */
  readonly index: Pick<PageIndex, "begin" | "expect"> | null;
  readonly clock: Clock;
  readonly frontier: Frontier;
  readonly counts: CrawlCounts;
  readonly faults: Pick<Faults, "note">;
  readonly seeds: Seeds;
  /** Whether bodies are needed until visits are over. */
  readonly keepsBodies: boolean;
  readonly offers: Pick<LinkOffers, "offerAdded">;
  readonly gate: Pick<AnswerGate, "admit" | "begin" | "moved" | "end">;
}

/** What is written of a visit that leaves no page. */
interface BareLine {
  readonly result: number | ErrorCode;
  readonly bodyBytes: number;
}

const NO_TICKETS: Ticket[] = [];

const NOT_BEGUN: FetchInFlight = { cancel: () => undefined };

export class PageVisit {
  readonly errand: PageErrand;
  readonly record: PageRecord;
  readonly wait: RoomWait;
  /** What is replayed of it, from log and archive, or was sent; null for a page that is fetched. */
  readonly replayed: ReplayedPage | null;
  /** The fetch, once it has begun. */
  inFlight: FetchInFlight = NOT_BEGUN;
  /** The answer to be worked on; null before there is one, after a fault, and if only a line is to be written. */
  page: ReadPage | null = null;
  line: BareLine | null = null;
  /** Whether it has its record, or was given up: nothing is left to be written. */
  isRecorded = false;
  /** Where the page index waits for its row; null before it is logged, and if there is no index. */
  expected: object | null = null;
  /** The error of a unit that lost it, if one did. */
  lostBy: CrawlError | null = null;
  #tickets: Ticket[] = NO_TICKETS;
  readonly #parts: PageVisitParts;
  readonly #over: () => void;
  /** The unit that works on it now, as the code of a fault there. */
  #stage: InternalCode = "INTERNAL_FETCH";
  #onward: (() => void) | null = null;
  #fault: CrawlError | null = null;
  /** Whether what came in before a fault is worth keeping. */
  #isArchived = false;
  #isTold = false;
  #isWorkedOn = false;
  #isFinal = false;
  #isOver = false;
  #holders = 1;

  constructor(
    parts: PageVisitParts,
    errand: PageErrand,
    over: () => void,
    replayed: ReplayedPage | null = null,
  ) {
    this.#parts = parts;
    this.replayed = replayed;
    this.errand = errand;
    this.#over = over;
    this.record = new PageRecord(errand);
    this.wait = new RoomWait(this.guard);
  }

  /** Whether it has been recorded before, in an earlier life of the crawl. */
  get isReplayed(): boolean {
    return this.replayed !== null && this.replayed.stored !== null;
  }

  /** What is known of a page that another agent has fetched; null for one that was fetched here. */
  get sent(): SentPage | null {
    return this.replayed?.sent ?? null;
  }

  /** Whether the page is not tried again. */
  get isFinal(): boolean {
    return this.#isFinal;
  }

  /** Whether the frontier knows how the fetch ended. */
  get isTold(): boolean {
    return this.#isTold;
  }

  get isCancelled(): boolean {
    return this.wait.isGivenUp;
  }

  /** The fault that ended the work on it, and whether the answer is archived with it. */
  get fault(): CrawlError | null {
    return this.#fault;
  }

  get isArchived(): boolean {
    return this.#isArchived;
  }

  /** What the page leads to, on its way to the sieve. */
  get tickets(): Ticket[] {
    return this.#tickets;
  }

  /** An empty list in their place, to be filled. */
  newTickets(): Ticket[] {
    this.#tickets = [];
    return this.#tickets;
  }

  /** They are somebody else's from now on. */
  takeTickets(): readonly Ticket[] {
    const tickets = this.#tickets;
    this.#tickets = NO_TICKETS;
    return tickets;
  }

  get receivedBytes(): number {
    return this.inFlight.receivedBytes ?? 0;
  }

  /**
   * Gives up the fetch. After it has ended, this gives up only a wait for room on the disk: the page
   * is then as if it had not been fetched.
   */
  cancel(): void {
    this.guard(() => {
      this.inFlight.cancel();
      this.wait.giveUp();
    });
  }

  /** A unit begins its work. `onward` is called once, by `leave` or after a fault. */
  enter(stage: InternalCode, onward: () => void): void {
    this.#parts.gate.moved();
    this.#stage = stage;
    this.#onward = onward;
  }

  /** The unit is done with it. */
  leave(): void {
    const onward = this.#onward;
    this.#onward = null;
    onward?.();
  }

  /** From here on a fault has this code. */
  reach(stage: InternalCode): void {
    this.#stage = stage;
  }

  /** The barrier: everything that a unit does with a visit runs in it. */
  readonly guard = (work: () => void): void => {
    try {
      work();
    } catch (thrown) {
      this.#failed(thrown);
    }
  };

  /** An answer has come in: it is worked on, behind the barrier, as soon as the gate lets it in. */
  answered(work: () => void): void {
    this.#parts.gate.admit(() => this.guard(work));
  }

  /** Never behind the barrier: the frontier is shared by all pages. */
  tell(end: PageEnd): Settlement {
    this.#isTold = true;
    this.#isWorkedOn = true;
    this.#parts.gate.begin();
    this.#parts.index?.begin(this.errand.ticket);
    try {
      const settlement = this.#settle(end);
      this.#isFinal = settlement.kind === "final" && end.kind !== "cancelled";
      return settlement;
    } catch (thrown) {
      throw beyondBarriers(thrown);
    }
  }

  #settle(end: PageEnd): Settlement {
    const { frontier } = this.#parts;
    if (this.replayed === null) return frontier.pageFetched(this.errand, end);
    const { line, isTold, sent } = this.replayed;
    const tell = sent?.tell ?? null;
    if (tell === null) frontier.markEnded([endedPage(line, this.errand.ticket, isTold)]);
    else tell();
    return { kind: "final" };
  }

  /** It has its line in the crawl log from now on. */
  logged(): void {
    this.isRecorded = true;
    this.expected = this.#parts.index?.expect(this.isReplayed) ?? null;
  }

  /** There is no room for the page: it is as if it had not been fetched. */
  giveUp(): void {
    if (this.sent === null) {
      this.#parts.counts.takeBackFetch(this.record.bodyBytes, !this.record.isSitemap);
    }
    this.page = null;
    this.isRecorded = true;
    this.leave();
  }

  /** The body is no longer needed, unless somebody else holds the visit too. */
  release(): void {
    if (this.#holders === 1 && !this.#parts.keepsBodies) this.record.release();
  }

  /** They are treated like links of the page. */
  addLinks(urls: readonly string[]): void {
    this.#parts.offers.offerAdded(urls, this.errand.ticket);
  }

  /** Of what this code says; the visit goes on. */
  countError(code: ErrorCode): void {
    this.#parts.counts.errors.add(code);
  }

  /** This many hold it from now on, instead of one. */
  share(holders: number): void {
    this.#holders += holders - 1;
  }

  letGo(): void {
    assert(this.#holders > 0, "a visit that is let go of was held");
    this.#holders -= 1;
    if (this.#holders > 0) return;
    this.record.release();
    this.#isOver = true;
    this.#over();
    if (this.#isWorkedOn) this.#parts.gate.end();
  }

  /** A unit lost it; with an error of its own, which has been reported. */
  lose(error: CrawlError | null): void {
    this.lostBy ??= error;
    this.letGo();
  }

  /** Keeps and counts a fault that ended nothing. */
  note(fault: CrawlError): void {
    const { faults, counts } = this.#parts;
    faults.note(fault, this.errand.ticket.url);
    counts.errors.add(fault.code);
  }

  /** The visit goes on with the fault, unless the error belongs to no page. */
  #failed(thrown: unknown): void {
    const { faults, counts, clock, seeds } = this.#parts;
    const { ticket } = this.errand;
    const what = `the work on ${ticket.url}`;
    const error = faultOf(thrown, { code: this.#stage, what, isOver: this.#isOver });
    faults.note(error, ticket.url);
    const isFirst = this.#fault === null;
    this.wait.stopWaiting();
    if (!this.#isTold) this.tell({ kind: "failed", code: error.code });
    if (isFirst) {
      this.#fault = error;
      this.page = null;
      if (this.sent === null) counts.errors.add(error.code);
      this.#isArchived = this.#isFinal && this.#stage !== "INTERNAL_STORE";
      if (this.record.fetchedAtMs === 0) this.record.fetchedAtMs = clock.wallMs();
    } else this.isRecorded = true;
    if (isFirst && this.#isFinal && this.record.kept === null) {
      this.guard(() => seeds.failed(ticket, error, { kind: "final" }));
    }
    this.leave();
  }
}

// In messages a visit is its URL.
Object.defineProperty(PageVisit.prototype, inspect.custom, {
  value: function (this: PageVisit): string {
    return this.errand.ticket.url;
  },
});
