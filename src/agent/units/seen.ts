/**
 * The seen test: of what a page leads to, drops the URLs that were offered a moment ago. What it knows
 * is behind the role `seen`; the sieve, which comes after it, knows all URLs.
 */
import type { ComponentDefinition } from "../../topology/unit/index.ts";
import { dropSeen } from "../links/drop-seen.ts";
import { ROLES } from "../topology/roles.ts";
import { pageUnit } from "./page-unit.ts";

export const SEEN: ComponentDefinition = pageUnit({
  name: "seen",
  code: "INTERNAL_LINKS",
  providers: { seen: ROLES.seen, links: ROLES.links },
  // After a fault, its own too, all of them go on: the sieve drops those that are known.
  wants: ({ tickets, fault }) => tickets.length > 0 && fault === null,
  create:
    ({ providers }) =>
    (visit) => {
      const { seenDepths } = providers.links;
      if (seenDepths !== null) dropSeen(visit.tickets, providers.seen, seenDepths);
      visit.leave();
    },
});
