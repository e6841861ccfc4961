/**
 * Where a link goes that an agent among others has found: into its own frontier if the host is here, else
 * through the sieve for foreign links to the agent that has it. A host that comes here is here when what was
 * asked about it before has been carried out: links to it wait in the same line.
 */
import { hostOf } from "../../../formats/url/index.ts";
import type { Frontier } from "../../../frontier/front/index.ts";
import { politeHost, type Ticket } from "../../../frontier/ticket/index.ts";
import { entryOf, type ForeignLinks, type FrontierHoldings } from "../../../holdings/index.ts";
import type { Routing } from "../../lanes/router/routed-frontier.ts";

export interface MemberRoutingParts {
  /** Whether the host is this agent's, as far as is known now. */
  readonly isOwn: (host: string) => boolean;
  readonly handovers: Pick<Frontier["handovers"], "isHere">;
  readonly holdings: Pick<FrontierHoldings, "isBusy" | "take">;
  readonly foreign: Pick<ForeignLinks, "isWaiting" | "offer">;
}

export class MemberRouting implements Routing {
  readonly #parts: MemberRoutingParts;

  constructor(parts: MemberRoutingParts) {
    this.#parts = parts;
  }

  tryRoute(ticket: Ticket): boolean {
    const { isOwn, handovers, holdings, foreign } = this.#parts;
    const host = politeHost(hostOf(ticket.url));
    if (!isOwn(host)) {
      foreign.offer(ticket);
      return true;
    }
    if (handovers.isHere(host) && !holdings.isBusy) return false;
    holdings.take(entryOf(ticket));
    return true;
  }

  /** Whether foreign links wait for room in their sieve. */
  get isFull(): boolean {
    return this.#parts.foreign.isWaiting;
  }
}
