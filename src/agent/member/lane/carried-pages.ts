/** Pages that go from agent to agent, as the lane of their host works on them. */
import { isCrawlError } from "../../../base/errors/index.ts";
import type { UrlEntry } from "../../../cluster/delivery/index.ts";
import { type HostName, hostOf } from "../../../formats/url/index.ts";
import type { Frontier } from "../../../frontier/front/index.ts";
import { ticketIn } from "../../../holdings/index.ts";
import type { NumberedPage } from "../../../store/index/index.ts";
import type { GivenPage } from "../../crawl/lane/lane.ts";
import type { LanePages } from "../own-lane.ts";
import type { PagePrinter } from "../shipping/page-printer.ts";
import { givenPage, readSentPage } from "../shipping/sent-page.ts";

export interface CarriedPagesParts {
  readonly frontier: Pick<Frontier, "handovers" | "offer">;
  readonly printer: Pick<PagePrinter, "print">;
  /** Gives a page to the lane; calls back when the work on it is over. */
  readonly give: (given: GivenPage, over: () => void) => void;
  /** Calls back when all that custody has asked of the frontier is carried out. */
  readonly inTurn: (done: () => void) => void;
}

export class CarriedPages implements LanePages {
  readonly #parts: CarriedPagesParts;

  constructor(parts: CarriedPagesParts) {
    this.#parts = parts;
  }

  print(row: NumberedPage, from: string, withBody: boolean): Promise<Uint8Array> {
    return this.#parts.printer.print(row, from, withBody);
  }

  async take(entry: UrlEntry, bytes: Uint8Array, isKnown: boolean): Promise<boolean> {
    const { give, inTurn } = this.#parts;
    const ticket = ticketIn(entry);
    const sent = readSentPage(Buffer.from(bytes), ticket.url);
    if (isCrawlError(sent)) throw sent;
    // A claim of a page that is had by then would tell the frontier nothing.
    await new Promise<void>((resolve) => inTurn(resolve));
    let isTold = false;
    const tell = (): void => {
      // When its host comes back, all of its pages are told.
      isTold = !this.#parts.frontier.handovers.isAway(entry.host as HostName);
      if (isTold) this.tell(entry);
    };
    const tellFirst = isKnown ? (): void => undefined : tell;
    await new Promise<void>((over) => give(givenPage(sent, ticket, tellFirst), over));
    return isTold;
  }

  tell(entry: UrlEntry): void {
    const { handovers } = this.#parts.frontier;
    if (!handovers.isAway(entry.host as HostName)) handovers.endElsewhere(ticketIn(entry));
  }

  forget(entry: UrlEntry): void {
    this.#parts.frontier.handovers.fetchAfterAll(ticketIn(entry));
  }

  offerNearer(entry: UrlEntry): void {
    const { frontier } = this.#parts;
    const ticket = ticketIn(entry);
    if (frontier.handovers.isHere(hostOf(ticket.url))) frontier.offer(ticket);
  }
}
