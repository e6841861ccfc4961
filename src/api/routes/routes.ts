/** All routes of the API. */
import { openApi } from "../description/open-api.ts";
import { CLUSTER_ROUTES } from "./cluster-routes.ts";
import { CRAWL_ROUTES } from "./crawl-routes.ts";
import { HOST_ROUTES } from "./host-routes.ts";
import { PAGE_ROUTES } from "./page-routes.ts";
import type { Route } from "./route.ts";
import { UNIT_ROUTES } from "./unit-routes.ts";
import { WATCH_ROUTES } from "./watch-routes.ts";

const DESCRIPTION: Route = {
  ...{ method: "GET", path: "/openapi.json", id: "openApi", access: "read" },
  summary: "This description.",
  replies: {
    200: { meaning: "An OpenAPI 3.1 document.", schema: { type: "object" } },
  },
  handle: () => ({ status: 200, body: openApi(ROUTES) }),
};

export const ROUTES: readonly Route[] = [
  ...CRAWL_ROUTES,
  ...CLUSTER_ROUTES,
  ...UNIT_ROUTES,
  ...HOST_ROUTES,
  ...PAGE_ROUTES,
  ...WATCH_ROUTES,
  DESCRIPTION,
];
