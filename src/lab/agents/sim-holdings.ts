/**
 * The holdings of a simulated agent: a real frontier, and a log of pages for a store. Asks take a while to
 * get there, as they do to a lane in a thread of its own, and are carried out in their order.
 */
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import type { Acknowledge, Clock, Random } from "../../base/seams/index.ts";
import type { Holdings, PageName } from "../../cluster/custody/index.ts";
import type { UrlEntry } from "../../cluster/delivery/index.ts";
import type { Place } from "../../cluster/messages/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import type { Frontier } from "../../frontier/front/index.ts";
import type { Page, PageLog } from "./page-log.ts";
import { hostNameOf, ticketOf } from "./small-web.ts";
import { entryOf, ticketIn } from "./ticket-entries.ts";

export interface SimHoldingsParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly frontier: Frontier;
  readonly pages: PageLog;
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
  readonly #asks: (() => void)[] = [];
  /** Of the asks, those that ask for nothing. */
  #turns = 0;
  #isOnTheWay = false;

  constructor(parts: SimHoldingsParts) {
    this.#parts = parts;
  }

  /** Whether something was asked and is not carried out. */
  get isBusy(): boolean {
    return this.#asks.length > this.#turns;
  }

  /** Calls back when all that was asked before is carried out, and nothing after it. */
  inTurn(done: () => void): void {
    this.#turns += 1;
    this.#ask(() => {
      this.#turns -= 1;
      done();
    });
  }

  take(entry: UrlEntry): void {
    this.#askOf(entry.host, () => this.#parts.frontier.handovers.take(ticketIn(entry)));
  }

  end(entry: UrlEntry, done: (isHad: boolean) => void): void {
    this.#askOf(entry.host, () => {
      const isHad = this.#has(entry);
      if (!isHad) this.#parts.frontier.handovers.endElsewhere(ticketIn(entry));
      done(isHad);
    });
  }

  again(entry: UrlEntry): void {
    this.#askOf(entry.host, () => {
      if (!this.#has(entry)) this.#parts.frontier.handovers.fetchAfterAll(ticketIn(entry));
    });
  }

  adopt(host: string, record: Uint8Array): void {
    const handed = JSON.parse(Buffer.from(record).toString());
    this.#askOf(host, () => this.#parts.frontier.handovers.takeBack(host as HostName, handed));
  }

  find(page: PageName, done: (isHad: boolean) => void): void {
    this.#ask(() => done(this.#has(page)));
  }

  lost(
    isOwn: (host: string) => boolean,
    each: (host: string, next: () => void) => void,
    done: () => void,
  ): void {
    this.#ask(() => {
      const { handovers } = this.#parts.frontier;
      const lost = [...handovers.hosts()].filter((host) => !isOwn(host));
      const next = (): void => {
        const host = lost.pop();
        if (host === undefined) done();
        else each(host, next);
      };
      next();
    });
  }

  giveAway(
    host: string,
    each: (entry: UrlEntry) => void,
    done: (record: Uint8Array) => void,
  ): void {
    this.#ask(() =>
      this.#parts.frontier.handovers.giveAway(host as HostName, {
        each: (ticket) => each(entryOf(ticket)),
        done: (handed) => done(Buffer.from(JSON.stringify(handed))),
      }),
    );
  }

  pagesOf(
    isWanted: (host: string) => boolean,
    each: (entry: UrlEntry) => void,
    done: Acknowledge,
  ): void {
    const { pages } = this.#parts;
    // Those that are not durable yet are told when they are.
    this.#ask(() =>
      pages.commit((error) => {
        for (const page of pages.pages()) {
          if (isWanted(hostNameOf(page.url))) each(entryOfPage(page));
        }
        done(error);
      }),
    );
  }

  nearer(page: Fingerprint, depth: number): void {
    this.#ask(() => this.#parts.nearer(page, depth));
  }

  hide(page: PageName, toward: Place): void {
    this.#ask(() => this.#parts.pages.hide(page, toward));
  }

  show(toward: Place, each: (entry: UrlEntry) => void, done: Acknowledge): void {
    this.#parts.pages.show(toward, (error, shown) => {
      for (const page of shown ?? []) each(entryOfPage(page));
      done(error);
    });
  }

  withhold(isWithheld: (host: string) => boolean): void {
    this.#ask(() => this.#parts.frontier.handovers.withhold(isWithheld));
  }

  admit(): void {
    this.#ask(() => this.#parts.frontier.handovers.admit());
  }

  whenSaved(done: () => void): void {
    this.#parts.whenSaved(done);
  }

  #has(page: Fingerprint): boolean {
    return this.#parts.pages.of(page) !== null;
  }

  /** The host comes first, if it is not here. */
  #askOf(host: string, carryOut: () => void): void {
    this.#ask(() => {
      const { frontier, pages } = this.#parts;
      if (!frontier.handovers.isHere(host as HostName)) {
        frontier.handovers.takeBack(host as HostName, null);
        for (const { url, depth } of pages.pages()) {
          if (hostNameOf(url) === host) frontier.handovers.endElsewhere(ticketOf(url, depth));
        }
      }
      carryOut();
    });
  }

  #ask(carryOut: () => void): void {
    this.#asks.push(carryOut);
    if (!this.#isOnTheWay) this.#goOn();
  }

  #goOn(): void {
    const { clock, random, woken } = this.#parts;
    this.#isOnTheWay = true;
    clock.after(random.below(WAY_MS_MAX * 1000) / 1000, () => {
      // What is asked meanwhile is on its way for a while too.
      for (const carryOut of this.#asks.slice()) {
        carryOut();
        this.#asks.shift();
      }
      this.#isOnTheWay = false;
      if (this.#asks.length > 0) this.#goOn();
      woken();
    });
  }
}

function entryOfPage({ url, depth }: Page): UrlEntry {
  return entryOf(ticketOf(url, depth));
}
