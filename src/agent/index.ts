/**
 * The agent: puts one crawl together and runs it. It decides little itself; it connects the parts
 * that do, and is the only module above them all.
 *
 *     seeds ─► LinkOffers ─► Frontier ─► Lane ─┬─► Resolver
 *                 ▲  gate, scope               ├─► RobotsVisit ─► Fetcher
 *                 │                            └─► front
 *                 │                                  │ visits
 *   sieve ◄─ seen ◄─ offers ◄─ duplicates ◄─ parser ◄─ downloader ─► Fetcher
 *     └─► archive ─► log ─► rows
 *
 * A crawl is a topology (`topology/crawl.yaml`): a page is a `PageVisit`, which the units in `units`
 * hand on from one to the next, each behind a barrier. `openCrawl` checks the topology and opens the
 * crawl directory; providers of the topology open and close what units share (`providers`); `Crawl`
 * runs it to the end and says why it ended. A `Lane` takes errands from the frontier as fast as limits
 * and units allow. The frontier decides the order, by the priorities that a score gives to links here;
 * in a random walk, `RandomWalk` chooses the next page.
 *
 * Where a topology asks other processes for pages (`units/remote-downloader.ts`), those fetch for it:
 * `units/requests.ts` and `units/answers.ts`, with `crawl/network/request-desk.ts` between them. `crawl/network/fetching.ts`
 * says which side does what.
 *
 * `visit/single-visit.ts` fetches one URL with the same parts, for `trobar inspect`.
 *
 * With several lanes (`lanes`), each runs such a topology in a thread of its own, for its own hosts, and
 * `LanedCrawl` takes the place of `Crawl`: the desk, which has what exists once. Read
 * `lanes/laned-crawl.ts`, then `lanes/lane/lane-run.ts`.
 *
 * An agent among others is a crawl and a node that connects it with the others: `openMember`. A lane asks the
 * node, and the node a lane, by two interfaces (`member/lane/node-side.ts`, `member/own-lane.ts`); where lanes
 * are threads, `member/threads` carries what is asked and told.
 * `member` has what such a crawl has besides: which pages are here of hosts that change hands, which are
 * hidden, where links go, visits that wait for their slots, answers to queries.
 *
 * Read `visit/page-visit.ts` first, beside `topology/crawl.yaml`, then the units, then `crawl/lane/lane.ts`
 * and `crawl/crawl.ts`.
 *
 * Words of this module:
 * - *seed watch*: follows each seed until a page is fetched; reports its first failure and lists the
 *   seeds that gave no page
 * - *seed trail*: a seed and where it redirects, hop by hop; while one is open the scope may grow
 * - *desk*: the main thread of a crawl with several lanes
 * - *post*: what a lane tells the desk of one turn, in one message
 * - *claim*: a page's question whether its body is archived, by which it becomes the original if not
 * - *robots turn*: when a large robots.txt may be read: one at a time, with pauses between
 */
export type { ControlledCrawl } from "./control/controlled-crawl.ts";
export { CrawlControl } from "./control/crawl-control.ts";
export { RestingCrawl } from "./control/resting-crawl.ts";
export type { CrawlSummary } from "./crawl/counting/crawl-summary.ts";
export { fittedToProcess } from "./crawl/machine/process-limits.ts";
export { openNetwork } from "./crawl/network/crawl-network.ts";
export { noSeeds, openCrawl } from "./crawl/open-crawl.ts";
export type { RunningCrawl as Crawl } from "./crawl/running-crawl.ts";
export { refusedKeys } from "./crawl/unbuilt.ts";
export { openMember } from "./member/open-member.ts";
export { readSeed } from "./seeds/seed-text.ts";
export type { SeedFailure } from "./seeds/seed-watch.ts";
export { CRAWL_TOPOLOGY } from "./topology/crawl-topology.ts";
export { type SeenTest, seenRole, storeRole } from "./topology/roles.ts";
export { documentParser } from "./units/document-parser.ts";
export { type Processor, processor, type SeenPage, type SeenPages } from "./units/processor.ts";
export { DIRECTORY_CARE } from "./verify/directory-care.ts";
export { dryRun } from "./visit/dry-run.ts";
export { ExtractingReader } from "./visit/extracting-reader.ts";
export type { DonePage, PageReader } from "./visit/page-reader.ts";
export { visitPage, visitRobotsOf } from "./visit/single-visit.ts";
export type { Store } from "./visit/waiting-store.ts";
