/**
 * The holdings of a simulated agent: those of a lane, as agents have them, over a real frontier, and a log
 * of pages for a store. Asks take a while to get there, as they do to a lane in a thread of its own.
 */

import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Acknowledge, Clock, Random } from "../../base/seams/index.ts";
import type { Found, Holdings, PageName, Withheld } from "../../cluster/custody/index.ts";
import type { UrlEntry } from "../../cluster/delivery/index.ts";
import type { Place } from "../../cluster/messages/index.ts";
import type { Frontier } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { entryOf, FrontierHoldings } from "../../holdings/index.ts";
import type { Page, PageLog } from "./page-log.ts";
import { hostNameOf, ticketOf } from "./small-web.ts";

export interface SimHoldingsParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly frontier: Frontier;
  readonly pages: PageLog;
  /** Gets a page of the log that others count from farther away. */
  readonly foundNearer: (entry: UrlEntry) => void;
  /** There is a way of this depth to a page, which may be in the log. */
  readonly nearer: (page: Fingerprint, depth: number) => void;
  /** Something may be fetched, or nothing is left. */
  readonly woken: () => void;
  readonly whenSaved: (done: () => void) => void;
}

/** Asks get to the lane within this time. */
const WAY_MS_MAX = 4;

export class SimHoldings implements Holdings {
  readonly #parts: SimHoldingsParts;
  readonly #lane: FrontierHoldings;
  readonly #asks: ((lane: FrontierHoldings) => void)[] = [];
  /** Of the asks, those that ask for nothing. */
  #turns = 0;
  #isOnTheWay = false;

  constructor(parts: SimHoldingsParts) {
    const { frontier, pages } = parts;
    this.#parts = parts;
    this.#lane = new FrontierHoldings({
      ...{ frontier, woken: () => undefined, nearer: parts.foundNearer },
      pages: {
        has: (page, done) => done(pages.of(page) !== null),
        find: (page, done) => {
          const known = pages.of(page);
          done(known === null ? null : ticketOfPage(known));
        },
        ofHost: (host, done) => done(pagesOf(pages, (one) => one === host)),
        // Those that are not durable yet are told when they are.
        ofHosts: (isWanted, each, done) =>
          pages.commit((error) => {
            for (const page of pagesOf(pages, isWanted)) each(page);
            done(error);
          }),
      },
    });
  }

  /** Whether something was asked and is not carried out. */
  get isBusy(): boolean {
    return this.#asks.length > this.#turns;
  }

  /** Whether no checkpoint may be taken. */
  get isTelling(): boolean {
    return this.#lane.isTelling;
  }

  /** Calls back when all that was asked before is carried out, and nothing after it. */
  inTurn(done: () => void): void {
    this.#turns += 1;
    this.#ask((lane) => {
      this.#turns -= 1;
      lane.inTurn(done);
    });
  }

  take(entry: UrlEntry): void {
    this.#ask((lane) => lane.take(entry));
  }

  end(entry: UrlEntry, done: Found): void {
    this.#ask((lane) => lane.end(entry, done));
  }

  again(entry: UrlEntry): void {
    this.#ask((lane) => lane.again(entry));
  }

  adopt(host: string, record: Uint8Array): void {
    this.#ask((lane) => lane.adopt(host, record));
  }

  find(page: PageName, done: Found): void {
    this.#ask((lane) => lane.find(page, done));
  }

  lost(...asked: Parameters<Holdings["lost"]>): void {
    this.#ask((lane) => lane.lost(...asked));
  }

  giveAway(...asked: Parameters<Holdings["giveAway"]>): void {
    this.#ask((lane) => lane.giveAway(...asked));
  }

  pagesOf(...asked: Parameters<Holdings["pagesOf"]>): void {
    this.#ask((lane) => lane.pagesOf(...asked));
  }

  nearer(page: Fingerprint, depth: number): void {
    this.#ask((lane) => {
      lane.nearer(page, depth);
      this.#parts.nearer(page, depth);
    });
  }

  hide(page: PageName, toward: Place): void {
    this.#ask(() => this.#parts.pages.hide(page, toward));
  }

  show(toward: Place, each: (entry: UrlEntry) => void, done: Acknowledge): void {
    this.#parts.pages.show(toward, (error, shown) => {
      for (const page of shown ?? []) each(entryOf(ticketOfPage(page)));
      done(error);
    });
  }

  withhold(withheld: Withheld): void {
    this.#ask((lane) => lane.withhold(withheld));
  }

  admit(): void {
    this.#ask((lane) => lane.admit());
  }

  whenSaved(done: () => void): void {
    this.#parts.whenSaved(done);
  }

  #ask(ask: (lane: FrontierHoldings) => void): void {
    this.#asks.push(ask);
    if (!this.#isOnTheWay) this.#goOn();
  }

  #goOn(): void {
    const { clock, random, woken } = this.#parts;
    this.#isOnTheWay = true;
    clock.after(random.below(WAY_MS_MAX * 1000) / 1000, () => {
      // What is asked meanwhile is on its way for a while too.
      for (const ask of this.#asks.slice()) {
        ask(this.#lane);
        this.#asks.shift();
      }
      this.#isOnTheWay = false;
      if (this.#asks.length > 0) this.#goOn();
      woken();
    });
  }
}

function ticketOfPage({ url, depth }: Page): Ticket {
  return ticketOf(url, depth);
}

function pagesOf(pages: PageLog, isWanted: (host: string) => boolean): readonly Ticket[] {
  const wanted = [...pages.pages()].filter(({ url }) => isWanted(hostNameOf(url)));
  return wanted.map(ticketOfPage);
}
