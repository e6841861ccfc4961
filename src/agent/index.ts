/**
 * The agent: a crawl put together and run. It decides little itself; it brings the parts together
 * that do, and it is the only module above them all.
 *
 *     seeds ─► LinkOffers ─► Frontier ─► Lane ─┬─► Resolver
 *                 ▲  gate, scope               ├─► visitRobots ─► Fetcher
 *                 │                            └─► PageVisit ───► Fetcher
 *                 └──── links ◄── Parsing ◄────────────┘ │
 *                                                        └─► Duplicates ─► PageStore
 *
 * `openCrawl` opens the crawl directory and puts the parts together (`crawl-parts.ts`); `Crawl` runs
 * them to the end and says why it ended. A `Lane` takes errands from the frontier and has them done;
 * a `PageVisit` is one fetch and all that follows from it. The order of the crawl is the frontier's,
 * by the priorities that a score gives to links here; in a random walk, `RandomWalk` says what is next.
 *
 * `single-visit.ts` fetches one URL with the same parts, for a user who wants to look.
 *
 * One lane, one process: further lanes, continuing and the cluster are not yet built. Read `lane.ts`
 * first, then `page-visit.ts` and `page-record.ts`, then `crawl.ts`.
 */
export type { Crawl } from "./crawl/crawl.ts";
export { openNetwork, type RequestSecrets } from "./crawl/crawl-network.ts";
export type { PagesOutput } from "./crawl/crawl-parts.ts";
export type { CrawlReason, CrawlState, CrawlSummary } from "./crawl/crawl-summary.ts";
export { type OpenCrawlOptions, openCrawl } from "./crawl/open-crawl.ts";
export { unbuiltKeys, unbuiltRemark } from "./crawl/unbuilt.ts";
export type { SeedFailure } from "./seeds/seed-watch.ts";
export { type SingleVisitOptions, visitPage, visitRobotsOf } from "./visit/single-visit.ts";
