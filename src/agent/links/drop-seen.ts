/** The seen test on a list of tickets, before the sieve gets it. */
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { SeenTest } from "../topology/roles.ts";

/** By which depths tickets are compared; where steps inside hosts are limited, by these as well. */
export interface SeenDepths {
  readonly of: (ticket: Ticket) => number;
  readonly ofHost: ((ticket: Ticket) => number) | null;
}

/** Makes another fingerprint of one, under which the steps inside hosts are met. */
const OTHER = 0x9e3779b9;

/** Leaves in the list, in their order, the tickets that were not met before at no greater depths. */
export function dropSeen(tickets: Ticket[], seen: SeenTest, { of, ofHost }: SeenDepths): void {
  let kept = 0;
  for (const ticket of tickets) {
    const { high, low } = ticket;
    let isSeen = seen.meet(high, low, of(ticket));
    // Always asked, so that both are remembered.
    if (ofHost !== null && !seen.meet((high ^ OTHER) >>> 0, low, ofHost(ticket))) isSeen = false;
    if (isSeen) continue;
    tickets[kept] = ticket;
    kept += 1;
  }
  tickets.length = kept;
}
