/** All routes of the API. */
import { CRAWL_ROUTES } from "./crawl-routes.ts";
import type { Route } from "./route.ts";

export const ROUTES: readonly Route[] = [...CRAWL_ROUTES];
