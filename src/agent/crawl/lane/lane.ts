/**
 * A lane: takes errands from the frontier, has them done, and tells the frontier how they ended. It
 * holds no queue of its own and never polls: it looks at the frontier again when an errand has ended,
 * when links were offered, or at the instant that the frontier named.
 *
 * Invariant: every errand acquired is ended once. `open` counts what has been begun and is not over,
 * from the acquisition to the last effect (for a page: until it is stored and its links are offered),
 * so the crawl is exhausted when the frontier is and nothing is open. Only visits, to a robots.txt or
 * a page, use slots of `concurrency`; the frontier bounds how many hosts are resolved at once.
 */
import assert from "node:assert/strict";
import { beyondBarriers, type CrawlError, faultOf } from "../../../base/errors/index.ts";
import type { Clock, Timer } from "../../../base/seams/index.ts";
import type { Resolver } from "../../../fetch/dns/index.ts";
import type {
  Errand,
  Frontier,
  PageErrand,
  Resolution,
  ResolveErrand,
  RobotsErrand,
} from "../../../frontier/front/index.ts";
import type { Replay, Replayable } from "../../recovery/replay.ts";
import type { FetchRates } from "./fetch-rates.ts";

/** What a lane needs from its crawl. */
export interface LaneParts {
  readonly clock: Clock;
  readonly frontier: Frontier;
  readonly resolver: Resolver;
  /** Fetches a robots.txt, tells the frontier, and calls `over`. */
  readonly robots: (errand: RobotsErrand, over: () => void) => Cancellable;
  /** Fetches a page, tells the frontier, processes the page, and calls `over`. */
  readonly page: (errand: PageErrand, over: () => void) => Cancellable;
  /** Called if a host cannot be resolved; tells the frontier. */
  readonly unresolved: (errand: ResolveErrand, error: CrawlError) => void;
  /** Carries out errands that need no fetch. */
  readonly unfetched: (errand: Errand & { readonly kind: "unfetched" | "expand" }) => void;
  /** How many more pages may be begun now; asked before each errand. */
  readonly pagesWanted: () => number;
  /** Whether requisites are fetched even when no more pages are wanted. */
  readonly takesRequisites?: boolean;
  /** Whether anything may be begun: not while the store is behind or the disk is full. */
  readonly mayBegin: () => boolean;
  /** The same for pages that were fetched elsewhere, which count for no limit. */
  readonly mayTake?: () => boolean;
  /**
   * Whether visits may be begun, as an agent among others says; they may when left out. Whatever else is to
   * be done goes on, and offers are decided: others wait until this one has taken what they hand over.
   */
  readonly mayVisit?: () => boolean;
  /** Called whenever something has changed; the crawl checks whether it is over. */
  readonly changed: () => void;
  /** Visits at once. */
  readonly concurrency: number;
  /** What is replayed before anything is fetched; null if nothing is. */
  readonly replay?: Pick<Replay, "next" | "isOver"> | null;
  /** Whether nothing is begun after that. */
  readonly replaysOnly?: boolean;
  /** Works on a page or robots.txt that is replayed, or a page that was given, and calls `over`. */
  readonly replayed?: (replayed: Replayable, over: () => void) => Cancellable;
  /** How fast visits may be begun; as fast as possible when left out. */
  readonly rates?: Pick<FetchRates, "opensAtMs" | "pageBegun" | "waits">;
}

/** A page that another agent has fetched. */
export type GivenPage = Extract<Replayable, { readonly kind: "page" }>;

interface Given {
  readonly given: GivenPage;
  readonly over: () => void;
}

export interface Cancellable {
  cancel(): void;
  /** Bytes of the body received so far, where that is known. */
  readonly receivedBytes?: number;
}

/** How long to wait, while all slots are taken, before looking again. */
const FULL_AGAIN_MS = 250;

/** Errands begun in one turn of the event loop; the rest waits, so that answers are processed. */
const ERRANDS_PER_TURN = 64;

export class Lane {
  readonly #parts: LaneParts;
  readonly #fetches = new Map<Errand, Cancellable>();
  readonly #resolves = new Set<ResolveErrand>();
  #concurrency: number;
  #open = 0;
  #elsewhere = 0;
  #visits = 0;
  #pagesOpen = 0;
  #replaysOpen = 0;
  /** Pages that were given, and are not begun. */
  readonly #given: Given[] = [];
  #isStopped = true;
  #isPumping = false;
  #timer: Timer | null = null;
  #timerAtMs = Number.POSITIVE_INFINITY;
  #relieveAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: LaneParts) {
    this.#parts = parts;
    this.#concurrency = parts.concurrency;
  }

  /** Visits at once from now on; those beyond it end in their own time. */
  set concurrency(concurrency: number) {
    this.#concurrency = concurrency;
    this.pump();
  }

  /** Errands begun and not over. */
  get open(): number {
    return this.#open;
  }

  /** Of those, how many may become a page. */
  get pagesOpen(): number {
    return this.#pagesOpen;
  }

  /**
   * Why it begins nothing, by the words of the summary's `idle`: `limit` if the fetches that are open
   * may be all that a limit allows.
   */
  get idle(): Readonly<Partial<Record<"limit" | "rate" | "bandwidth", 1>>> {
    if (this.#parts.pagesWanted() <= 0) return { limit: 1 };
    const waits = this.#parts.rates?.waits ?? null;
    return waits === null ? {} : { [waits]: 1 };
  }

  start(): void {
    this.#isStopped = false;
    this.pump();
  }

  /** Begins nothing more; visits that are open go on, resolutions are given up. */
  stop(): void {
    this.#isStopped = true;
    this.#setTimer(Number.POSITIVE_INFINITY);
    this.#open -= this.#given.splice(0).length;
    for (const errand of [...this.#resolves]) this.#resolved(errand, { kind: "cancelled" });
  }

  /** Something else is under way that may lead to more work; it ends with `release`. */
  hold(): void {
    this.#open += 1;
  }

  /** The same for what only another lane can end; this one does not wait for that with a full frontier. */
  holdElsewhere(): void {
    this.#elsewhere += 1;
    this.hold();
  }

  releaseElsewhere(): void {
    this.#elsewhere -= 1;
    this.release();
  }

  release(): void {
    this.#open -= 1;
    if (this.#isStopped) this.#parts.changed();
    else this.pump();
  }

  /**
   * Works on a page that another agent has sent; calls back when that is over. It is under way like a visit,
   * but takes no slot and counts for no limit. It waits until all has been replayed, which must not meet its
   * line, and is forgotten if the lane is stopped before it is begun.
   */
  give(given: GivenPage, over: () => void): void {
    this.#open += 1;
    this.#given.push({ given, over });
    this.pump();
  }

  #takeGiven(): void {
    const { replayed, mayTake = this.#parts.mayBegin } = this.#parts;
    assert(replayed !== undefined, "a lane that is given pages can work on them");
    while (this.#given.length > 0 && !this.isReplaying && mayTake()) {
      const { given, over } = this.#given.shift() as Given;
      const ended = (): void => {
        this.release();
        over();
      };
      this.#open -= 1;
      this.#track(given.errand, (done) => replayed(given, done), { slots: 0, ended });
    }
  }

  /** Gives up the fetches in flight; each ends in its own time, soon. */
  cancelAll(): void {
    for (const fetch of [...this.#fetches.values()]) fetch.cancel();
  }

  /** Begins what can be begun. Harmless at any time. */
  pump(): void {
    if (this.#isStopped || this.#isPumping) return;
    // This may run while a page is processed, but what it throws does not belong to that page.
    try {
      this.#pumpOnce();
    } catch (thrown) {
      throw beyondBarriers(thrown);
    }
  }

  #pumpOnce(): void {
    this.#isPumping = true;
    let begun = 0;
    if (this.#given.length > 0) this.#takeGiven();
    while (begun < ERRANDS_PER_TURN && this.#beginNext()) begun += 1;
    this.#isPumping = false;
    if (begun === ERRANDS_PER_TURN) this.#setTimer(this.#parts.clock.nowMs());
    this.#parts.changed();
  }

  #beginNext(): boolean {
    const { frontier, mayBegin, pagesWanted } = this.#parts;
    if (!mayBegin()) return false;
    if (this.#parts.replaysOnly === true && (frontier.isFull || !this.isReplaying)) {
      // A whole crawl is replayed: what it offers must not gather in memory.
      this.#decideOffers();
      if (frontier.isFull || !this.isReplaying) return false;
    }
    if (this.isReplaying) return this.#replayNext();
    if (pagesWanted() > 0) frontier.holdsPages = false;
    else if (this.#parts.takesRequisites === true) frontier.holdsPages = true;
    else return false;
    // A full frontier gets room only if it is asked again: one errand at a time. Two lanes that are full
    // would wait for each other for ever.
    if (frontier.isFull && this.#open > this.#elsewhere) return false;
    const mayVisit = this.#parts.mayVisit?.() ?? true;
    const hasSlot = mayVisit && this.#visits < this.#concurrency;
    const opensAtMs = this.#parts.rates?.opensAtMs ?? Number.NEGATIVE_INFINITY;
    const isTooFast = opensAtMs > this.#parts.clock.nowMs();
    const errand = frontier.acquire(hasSlot && !isTooFast);
    if (errand === null) {
      if (isTooFast) this.#setTimer(opensAtMs);
      else if (hasSlot) this.#setTimer(frontier.nextAtMs);
      else if (mayVisit) this.#relieve();
      else if (frontier.isFull) this.#decideOffers();
      return false;
    }
    this.#begin(errand);
    return true;
  }

  #decideOffers(): void {
    const againAtMs = this.#parts.frontier.decideOffers();
    if (againAtMs !== null) this.#setTimer(againAtMs);
  }

  /** Pages of earlier fetches that are worked on once more. */
  get replaysOpen(): number {
    return this.#replaysOpen;
  }

  /** Whether pages of earlier fetches are still to come, or are worked on: nothing is fetched before. */
  get isReplaying(): boolean {
    const { replay = null } = this.#parts;
    return replay !== null && !(replay.isOver && this.#replaysOpen === 0);
  }

  #replayNext(): boolean {
    const { replay, replayed } = this.#parts;
    const next = replay?.next() ?? null;
    if (next === null || replayed === undefined) return false;
    this.#replaysOpen += 1;
    this.#track(next.errand, (over) =>
      replayed(next, () => {
        this.#replaysOpen -= 1;
        over();
      }),
    );
    return true;
  }

  #begin(errand: Errand): void {
    switch (errand.kind) {
      case "resolve":
        this.#resolve(errand);
        break;
      case "robots":
        this.#track(errand, (over) => this.#parts.robots(errand, over));
        break;
      case "page":
        this.#beginPage(errand);
        break;
      default:
        this.#parts.unfetched(errand);
    }
  }

  #beginPage(errand: PageErrand): void {
    const pages = (errand.ticket.requisite ?? 0) > 0 ? 0 : 1;
    this.#parts.rates?.pageBegun();
    this.#pagesOpen += pages;
    this.#track(errand, (over) =>
      this.#parts.page(errand, () => {
        this.#pagesOpen -= pages;
        over();
      }),
    );
  }

  #resolve(errand: ResolveErrand): void {
    const { clock, resolver } = this.#parts;
    const { host } = errand;
    this.#open += 1;
    this.#resolves.add(errand);
    try {
      resolver.resolve(host, (resolution) => {
        if (resolution.kind === "resolved") this.#resolved(errand, resolution);
        else this.#unresolved(errand, resolution.error);
      });
    } catch (thrown) {
      const unit = { code: "INTERNAL_RESOLVE", what: `the resolution of ${host}` } as const;
      const error = faultOf(thrown, { ...unit, isOver: !this.#resolves.has(errand) });
      clock.after(0, () => this.#unresolved(errand, error));
    }
  }

  #unresolved(errand: ResolveErrand, error: CrawlError): void {
    if (!this.#resolves.delete(errand)) return;
    this.#parts.unresolved(errand, error);
    this.release();
  }

  /** Ends a resolution, unless it was given up before. */
  #resolved(errand: ResolveErrand, resolution: Resolution): void {
    if (!this.#resolves.delete(errand)) return;
    this.#parts.frontier.resolved(errand, resolution);
    this.release();
  }

  #track(
    errand: Errand,
    begin: (over: () => void) => Cancellable,
    { slots = 1, ended = () => this.release() } = {},
  ): void {
    this.#open += 1;
    this.#visits += slots;
    let isOver = false;
    const fetch = begin(() => {
      assert(!isOver, "an errand is over once");
      isOver = true;
      this.#visits -= slots;
      this.#fetches.delete(errand);
      ended();
    });
    if (!isOver) this.#fetches.set(errand, fetch);
  }

  /** Every slot is taken: cancels, from time to time, the visits that must give way. */
  #relieve(): void {
    const { clock, frontier } = this.#parts;
    const nowMs = clock.nowMs();
    if (nowMs >= this.#relieveAtMs) {
      this.#relieveAtMs = nowMs + FULL_AGAIN_MS;
      const received = (errand: Errand): number => this.#fetches.get(errand)?.receivedBytes ?? 0;
      for (const errand of frontier.givingWay(received)) this.#fetches.get(errand)?.cancel();
    }
    this.#setTimer(this.#relieveAtMs);
  }

  #setTimer(atMs: number): void {
    if (atMs === this.#timerAtMs && this.#timer !== null) return;
    this.#timer?.cancel();
    this.#timer = null;
    this.#timerAtMs = atMs;
    if (atMs === Number.POSITIVE_INFINITY) return;
    const { clock } = this.#parts;
    this.#timer = clock.after(Math.max(0, atMs - clock.nowMs()), () => {
      this.#timer = null;
      this.pump();
    });
  }
}
