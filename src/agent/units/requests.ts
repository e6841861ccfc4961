/**
 * Takes the requests of another process into the frontier. When that process is done, so is this crawl.
 */
import { type ComponentDefinition, sink } from "../../topology/unit/index.ts";
import { ROLES } from "../topology/roles.ts";
import { RequestItem } from "./fetch-items.ts";

export const REQUESTS: ComponentDefinition = sink({
  name: "requests",
  input: RequestItem,
  providers: { frontier: ROLES.frontier, ledger: ROLES.ledger },
  create: ({ providers }) => {
    const { requests } = providers.ledger;
    requests.open();
    return {
      take: (request) => requests.take(request, (ticket) => providers.frontier.offer(ticket)),
      close: () => requests.end(),
    };
  },
});
