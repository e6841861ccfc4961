/**
 * A lane: takes errands from the frontier, has them done, and tells the frontier how they ended. It
 * holds no queue of its own and never polls: it looks at the frontier again when an errand has ended,
 * when links were offered, or at the instant that the frontier named.
 *
 * Invariant: every errand acquired is ended once. `open` counts what has been begun and is not over,
 * from the acquisition to the last effect (for a page: until it is stored and its links are offered),
 * so the crawl is exhausted when the frontier is and nothing is open.
 */
import assert from "node:assert/strict";
import type { CrawlError } from "../errors/index.ts";
import type { Resolver } from "../fetch/index.ts";
import type {
  Errand,
  Frontier,
  PageErrand,
  ResolveErrand,
  RobotsErrand,
} from "../frontier/index.ts";
import type { Clock, Timer } from "../seams/index.ts";

/** What a lane needs of its crawl. */
export interface LaneParts {
  readonly clock: Clock;
  readonly frontier: Frontier;
  readonly resolver: Resolver;
  /** Fetches a robots.txt, tells the frontier, and calls `over`. */
  readonly robots: (errand: RobotsErrand, over: () => void) => Cancellable;
  /** Fetches a page, tells the frontier, does what is to be done with it, and calls `over`. */
  readonly page: (errand: PageErrand, over: () => void) => Cancellable;
  /** A host could not be resolved; tells the frontier, and whoever else wants to know. */
  readonly unresolved: (errand: ResolveErrand, error: CrawlError) => void;
  /** Does what is to be done for errands that need no fetch. */
  readonly unfetched: (errand: Errand & { readonly kind: "unfetched" | "expand" }) => void;
  /** How many more pages may be begun now; asked before each errand. */
  readonly pagesWanted: () => number;
  /** Whether anything may be begun at all: not while the store is behind or the disk is full. */
  readonly mayBegin: () => boolean;
  /** Called whenever something has changed; the crawl looks whether it is over. */
  readonly changed: () => void;
  readonly concurrency: number;
}

export interface Cancellable {
  cancel(): void;
}

const NO_ADDRESS = {
  kind: "resolved",
  addresses: [""],
  expiresAtMs: Number.POSITIVE_INFINITY,
} as const;

/** Errands begun in one turn of the event loop: the rest waits, so that answers are heard. */
const ERRANDS_PER_TURN = 64;

export class Lane {
  readonly #parts: LaneParts;
  readonly #fetches = new Set<Cancellable>();
  #open = 0;
  #pagesOpen = 0;
  #isStopped = true;
  #isPumping = false;
  #timer: Timer | null = null;
  #timerAtMs = Number.POSITIVE_INFINITY;

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  /** Errands begun and not over. */
  get open(): number {
    return this.#open;
  }

  /** Of those, how many may become a page. */
  get pagesOpen(): number {
    return this.#pagesOpen;
  }

  start(): void {
    this.#isStopped = false;
    this.pump();
  }

  /** Begins nothing more; what is open goes on. */
  stop(): void {
    this.#isStopped = true;
    this.#setTimer(Number.POSITIVE_INFINITY);
  }

  /** Something else is under way that may lead to more work; ended by `letGo`. */
  hold(): void {
    this.#open += 1;
  }

  letGo(): void {
    this.#end();
  }

  /** Gives up the fetches in flight; each ends in its own time, soon. */
  cancelAll(): void {
    for (const fetch of [...this.#fetches]) fetch.cancel();
  }

  /** Looks whether something can be begun. Harmless at any time. */
  pump(): void {
    if (this.#isStopped || this.#isPumping) return;
    this.#isPumping = true;
    let begun = 0;
    while (begun < ERRANDS_PER_TURN && this.#beginNext()) begun += 1;
    this.#isPumping = false;
    if (begun === ERRANDS_PER_TURN) this.#setTimer(this.#parts.clock.nowMs());
    this.#parts.changed();
  }

  #beginNext(): boolean {
    const { frontier, concurrency, mayBegin, pagesWanted } = this.#parts;
    if (this.#open >= concurrency || !mayBegin() || pagesWanted() <= 0) return false;
    // A frontier that is full gets room only if somebody goes on asking: one errand at a time.
    if (frontier.isFull && this.#open > 0) return false;
    const errand = frontier.acquire();
    if (errand === null) {
      this.#setTimer(frontier.nextAtMs);
      return false;
    }
    this.#begin(errand);
    return true;
  }

  #begin(errand: Errand): void {
    switch (errand.kind) {
      case "resolve":
        this.#resolve(errand);
        break;
      case "robots":
        this.#track((over) => this.#parts.robots(errand, over));
        break;
      case "page":
        this.#pagesOpen += 1;
        this.#track((over) =>
          this.#parts.page(errand, () => {
            this.#pagesOpen -= 1;
            over();
          }),
        );
        break;
      default:
        this.#parts.unfetched(errand);
    }
  }

  #resolve(errand: Errand & { readonly kind: "resolve" }): void {
    const { frontier, resolver, clock } = this.#parts;
    this.#open += 1;
    // A file of this machine has no host, and no address is asked for it.
    if (errand.host === "") {
      clock.after(0, () => {
        frontier.resolved(errand, NO_ADDRESS);
        this.#end();
      });
      return;
    }
    resolver.resolve(errand.host, (resolution) => {
      if (resolution.kind === "resolved") frontier.resolved(errand, resolution);
      else this.#parts.unresolved(errand, resolution.error);
      this.#end();
    });
  }

  #track(begin: (over: () => void) => Cancellable): void {
    this.#open += 1;
    let isOver = false;
    const fetch = begin(() => {
      assert(!isOver, "an errand is over once");
      isOver = true;
      this.#fetches.delete(fetch);
      this.#end();
    });
    this.#fetches.add(fetch);
  }

  #end(): void {
    this.#open -= 1;
    if (this.#isStopped) this.#parts.changed();
    else this.pump();
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
