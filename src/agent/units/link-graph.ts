/** Hands the links of a page over to the link graph, if there is one; waits while that has no room. */
import type { ComponentDefinition } from "../../topology/unit/index.ts";
import { ROLES } from "../topology/roles.ts";
import type { PageVisit } from "../visit/page-visit.ts";
import { pageUnit } from "./page-unit.ts";

export const LINK_GRAPH: ComponentDefinition = pageUnit({
  name: "graph",
  code: "INTERNAL_LINKS",
  providers: { links: ROLES.links },
  wants: ({ record }) => record.links !== null,
  create: ({ providers }) => {
    const add = (visit: PageVisit): void => {
      const { record, errand, wait } = visit;
      const { graph } = providers.links;
      if (graph !== null && !graph.hasRoom) {
        wait.whenRoom(
          graph,
          () => add(visit),
          () => visit.leave(),
        );
        return;
      }
      if (record.links !== null) graph?.add(errand.ticket, record.links);
      record.links = null;
      visit.leave();
    };
    return add;
  },
});
