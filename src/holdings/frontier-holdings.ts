/**
 * What one lane has of the crawl, as custody of a cluster asks for it: a frontier, and the pages that are in
 * the store. Asks are carried out one after another, in their order; one that has to look into the store
 * keeps the following ones waiting, while the frontier goes on with what it has.
 *
 * Invariant: a host that comes back is here together with all of its pages that are in the store. They are
 * read first; then it is taken back, and they are marked, in one call. So none of them is ever fetched again.
 */
import type { Fingerprint } from "../base/fingerprints/index.ts";
import type { Acknowledge } from "../base/seams/index.ts";
import { inTurn } from "../base/steps/index.ts";
import type { Found, PageName, Withheld } from "../cluster/custody/index.ts";
import type { UrlEntry } from "../cluster/delivery/index.ts";
import type { LaneHoldings } from "../cluster/node/index.ts";
import type { HostName } from "../formats/url/index.ts";
import type { Frontier } from "../frontier/front/index.ts";
import type { Ticket } from "../frontier/ticket/index.ts";
import { entryOf, ticketIn } from "./ticket-entries.ts";

/** The pages in the store. Answers may come inside the call. */
export interface KnownPages {
  has(page: Fingerprint, done: Found): void;
  /** One of them, at the smallest depth that is known of it; null if it is not here. */
  find(page: Fingerprint, done: (page: Ticket | null) => void): void;
  /** Those of one host, at the smallest depths that their links count from. */
  ofHost(host: string, done: (pages: readonly Ticket[]) => void): void;
  /** Those of all hosts that are wanted, when they are durable. */
  ofHosts(
    isWanted: (host: string) => boolean,
    each: (page: Ticket) => void,
    done: Acknowledge,
  ): void;
}

export interface FrontierHoldingsParts {
  readonly frontier: Pick<Frontier, "handovers">;
  readonly pages: KnownPages;
  /** Gets a page at a smaller depth than others count from who have it too. */
  readonly nearer: (entry: UrlEntry) => void;
  /** Asks were carried out: something may be fetched, or nothing is left. */
  readonly woken: () => void;
}

/** What goes with a host. */
type HandedHost = Parameters<Frontier["handovers"]["takeBack"]>[1];

/** Calls back when it is carried out; perhaps inside the call. */
type Ask = (next: () => void) => void;

export class FrontierHoldings implements LaneHoldings {
  readonly #parts: FrontierHoldingsParts;
  readonly #asks: Ask[] = [];
  /** Of the asks, those that ask for nothing. */
  #turns = 0;
  #isAtWork = false;

  constructor(parts: FrontierHoldingsParts) {
    this.#parts = parts;
  }

  /** Whether something was asked and is not carried out. */
  get isBusy(): boolean {
    return this.#asks.length > this.#turns;
  }

  /** Whether no checkpoint may be taken: something was given away, and more of it is still to be told. */
  get isTelling(): boolean {
    return this.#parts.frontier.handovers.isFinding;
  }

  /** Calls back when all that was asked before is carried out, and nothing after it. */
  inTurn(done: () => void): void {
    this.#turns += 1;
    this.#ask((next) => {
      this.#turns -= 1;
      done();
      next();
    });
  }

  take(entry: UrlEntry): void {
    this.#askOf(entry.host, (next) => {
      this.#handovers.take(ticketIn(entry));
      next();
    });
  }

  end(entry: UrlEntry, done: Found): void {
    this.#askOf(entry.host, (next) =>
      this.#parts.pages.has(entry, (isHad) => {
        if (!isHad) this.#handovers.endElsewhere(ticketIn(entry));
        done(isHad);
        next();
      }),
    );
  }

  again(entry: UrlEntry): void {
    this.#askOf(entry.host, (next) =>
      this.#parts.pages.has(entry, (isHad) => {
        if (!isHad) this.#handovers.fetchAfterAll(ticketIn(entry));
        next();
      }),
    );
  }

  adopt(host: string, record: Uint8Array): void {
    const handed: HandedHost = JSON.parse(Buffer.from(record).toString());
    this.#askOf(host, (next) => {
      this.#handovers.takeBack(host as HostName, handed);
      next();
    });
  }

  /**
   * There is a way of this depth to a page: if it waits to be fetched, that counts. If it is in the store and a
   * shorter way is known here, others must know of that: perhaps nothing came of the fetch.
   */
  nearer(page: Fingerprint, depth: number): void {
    this.#ask((next) => {
      this.#handovers.nearer(page, depth);
      this.#parts.pages.find(page, (known) => {
        const isPage = (known?.requisite ?? 0) === 0;
        if (known !== null && isPage && known.depth < depth) this.#parts.nearer(entryOf(known));
        next();
      });
    });
  }

  /** Looks for a page in its turn. */
  find(page: PageName, done: Found): void {
    this.#ask((next) =>
      this.#parts.pages.has(page, (isHad) => {
        done(isHad);
        next();
      }),
    );
  }

  lost(
    isOwn: (host: string) => boolean,
    each: (host: string, next: () => void) => void,
    done: () => void,
  ): void {
    this.#ask((carriedOut) => {
      const lost = [...this.#handovers.hosts()].filter((host) => !isOwn(host));
      inTurn(
        lost.reverse(),
        (host, next) => each(host, () => next(null)),
        () => done(),
      );
      carriedOut();
    });
  }

  /** The frontier goes on with it; what is asked about other hosts does not wait for the visits of this one. */
  giveAway(
    host: string,
    each: (entry: UrlEntry) => void,
    done: (record: Uint8Array) => void,
  ): void {
    this.#ask((next) => {
      this.#handovers.giveAway(host as HostName, {
        each: (ticket) => each(entryOf(ticket)),
        done: (handed) => done(Buffer.from(JSON.stringify(handed))),
      });
      next();
    });
  }

  pagesOf(
    isWanted: (host: string) => boolean,
    each: (entry: UrlEntry) => void,
    done: Acknowledge,
  ): void {
    this.#ask((next) => {
      this.#parts.pages.ofHosts(isWanted, (page) => each(entryOf(page)), done);
      next();
    });
  }

  withhold(withheld: Withheld): void {
    this.#ask((next) => {
      this.#handovers.withhold((host) => withheld.has(host));
      next();
    });
  }

  admit(): void {
    this.#ask((next) => {
      this.#handovers.admit();
      next();
    });
  }

  get #handovers(): Frontier["handovers"] {
    return this.#parts.frontier.handovers;
  }

  /** The host comes first, if it is not here. */
  #askOf(host: string, carryOut: Ask): void {
    this.#ask((next) => {
      if (this.#handovers.isHere(host as HostName)) carryOut(next);
      else
        this.#parts.pages.ofHost(host, (pages) => {
          this.#bringBack(host as HostName, pages);
          carryOut(next);
        });
    });
  }

  #bringBack(host: HostName, pages: readonly Ticket[]): void {
    this.#handovers.takeBack(host, null);
    for (const page of pages) this.#handovers.endElsewhere(page);
  }

  #ask(ask: Ask): void {
    this.#asks.push(ask);
    this.#work();
  }

  /** A loop rather than calls of calls: thousands of asks may be carried out at once. */
  #work(): void {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    for (let ask = this.#asks[0]; ask !== undefined; ask = this.#asks[0]) {
      if (!this.#isCarriedOut(ask)) return;
    }
    this.#isAtWork = false;
    this.#parts.woken();
  }

  /** False if it goes on by itself. */
  #isCarriedOut(ask: Ask): boolean {
    let [isInside, isOver] = [true, false];
    ask(() => {
      this.#asks.shift();
      isOver = true;
      if (isInside) return;
      this.#isAtWork = false;
      this.#work();
    });
    isInside = false;
    return isOver;
  }
}
