/** The seen test on a list of tickets, before the sieve gets it. */
import type { Ticket } from "../../frontier/ticket/index.ts";
import type { SeenTest } from "../topology/roles.ts";

/** Leaves in the list, in their order, the tickets that were not met before. */
export function dropSeen(
  tickets: Ticket[],
  seen: SeenTest,
  depthOf: (ticket: Ticket) => number,
): void {
  let kept = 0;
  for (const ticket of tickets) {
    if (seen.meet(ticket.high, ticket.low, depthOf(ticket))) continue;
    tickets[kept] = ticket;
    kept += 1;
  }
  tickets.length = kept;
}
