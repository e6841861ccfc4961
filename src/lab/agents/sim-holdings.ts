/** The holdings of a simulated agent: a real frontier, and a log of pages for a store. */
import type { Acknowledge, Clock } from "../../base/seams/index.ts";
import type { Holdings } from "../../cluster/custody/index.ts";
import type { UrlEntry } from "../../cluster/delivery/index.ts";
import type { Place } from "../../cluster/messages/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import type { Frontier } from "../../frontier/front/index.ts";
import type { Page, PageLog } from "./page-log.ts";
import { hostNameOf, ticketOf } from "./small-web.ts";
import { entryOf, ticketIn } from "./ticket-entries.ts";

export interface SimHoldingsParts {
  readonly clock: Clock;
  readonly frontier: Frontier;
  readonly pages: PageLog;
  /** Something may be fetched, or nothing is left. */
  readonly woken: () => void;
  readonly whenSaved: (done: () => void) => void;
}

export class SimHoldings implements Holdings {
  readonly #parts: SimHoldingsParts;

  constructor(parts: SimHoldingsParts) {
    this.#parts = parts;
  }

  take(entry: UrlEntry): void {
    this.#parts.frontier.handovers.take(ticketIn(entry));
    this.#parts.woken();
  }

  end(entry: UrlEntry): void {
    this.#parts.frontier.handovers.endElsewhere(ticketIn(entry));
    this.#parts.woken();
  }

  again(entry: UrlEntry): void {
    this.#parts.frontier.handovers.fetchAfterAll(ticketIn(entry));
    this.#parts.woken();
  }

  has(page: { readonly high: number; readonly low: number }): boolean {
    return this.#parts.pages.of(page) !== null;
  }

  hosts(): Iterable<string> {
    return this.#parts.frontier.handovers.hosts();
  }

  isAway(host: string): boolean {
    return this.#parts.frontier.handovers.isAway(host as HostName);
  }

  giveAway(
    host: string,
    each: (entry: UrlEntry) => void,
    done: (record: Uint8Array) => void,
  ): void {
    this.#parts.frontier.handovers.giveAway(host as HostName, {
      each: (ticket) => each(entryOf(ticket)),
      done: (handed) => done(Buffer.from(JSON.stringify(handed))),
    });
  }

  takeBack(host: string, done: () => void): void {
    const { frontier, pages, clock } = this.#parts;
    frontier.handovers.takeBack(host as HostName, null);
    for (const { url, depth } of pages.pages()) {
      if (hostNameOf(url) === host) frontier.handovers.endElsewhere(ticketOf(url, depth));
    }
    clock.after(0, done);
  }

  adopt(host: string, record: Uint8Array): void {
    const handed = JSON.parse(Buffer.from(record).toString());
    this.#parts.frontier.handovers.takeBack(host as HostName, handed);
  }

  pagesOf(
    isWanted: (host: string) => boolean,
    each: (entry: UrlEntry) => void,
    done: Acknowledge,
  ): void {
    const { pages } = this.#parts;
    // Those that are not durable yet are told when they are.
    pages.commit((error) => {
      for (const page of pages.pages()) if (isWanted(hostNameOf(page.url))) each(entryOfPage(page));
      done(error);
    });
  }

  hide(
    page: { readonly high: number; readonly low: number },
    toward: Place,
    done: Acknowledge,
  ): void {
    this.#parts.pages.hide(page, toward, done);
  }

  show(toward: Place, each: (entry: UrlEntry) => void, done: Acknowledge): void {
    this.#parts.pages.show(toward, (error, shown) => {
      for (const page of shown ?? []) each(entryOfPage(page));
      done(error);
    });
  }

  withhold(isWithheld: (host: string) => boolean): void {
    this.#parts.frontier.handovers.withhold(isWithheld);
  }

  admit(): void {
    this.#parts.frontier.handovers.admit();
    this.#parts.woken();
  }

  whenSaved(done: () => void): void {
    this.#parts.whenSaved(done);
  }
}

function entryOfPage({ url, depth }: Page): UrlEntry {
  return entryOf(ticketOf(url, depth));
}
