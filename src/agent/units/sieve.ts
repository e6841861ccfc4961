/**
 * The sieve: hands what a page leads to over to the frontier, where new URLs come out of the sieve into
 * the queues of their hosts. That is done before the page is logged: a page that has its line has had
 * its links offered.
 */
import type { ComponentDefinition } from "../../topology/unit/index.ts";
import { ROLES } from "../topology/roles.ts";
import { pageUnit } from "./page-unit.ts";

export const SIEVE: ComponentDefinition = pageUnit({
  name: "sieve",
  code: "INTERNAL_LINKS",
  providers: { frontier: ROLES.frontier, links: ROLES.links },
  wants: ({ tickets }) => tickets.length > 0,
  create:
    ({ providers }) =>
    (visit) => {
      const { frontier } = providers;
      for (const ticket of visit.takeTickets()) frontier.offer(ticket);
      visit.leave();
    },
  // Everything that the page leads to has been offered now.
  leaving: ({ providers }, { isFinal, errand }) => {
    if (!isFinal) return;
    const { memory, offers } = providers.links;
    memory?.end(errand.ticket.high, errand.ticket.low);
    offers.ended(errand.ticket);
  },
});
