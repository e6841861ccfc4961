/** The summary of a crawl that rests, from its checkpoint. */
import { RestingFrontier } from "../../frontier/front/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { CrawlCounts } from "../crawl/counting/crawl-counts.ts";
import { type CrawlSummary, stateFor, summarize } from "../crawl/counting/crawl-summary.ts";
import { type CrawlLimit, CrawlLimits } from "../crawl/lane/crawl-limits.ts";
import { summedStatus } from "../lanes/lane-sums.ts";
import type { SavedCrawl } from "../saving/saved-crawl.ts";
import { SeedWatch } from "../seeds/seed-watch.ts";

/**
 * A checkpoint does not say why the crawl has ended: it was exhausted if nothing is left, has reached
 * a limit if one is reached, and was stopped otherwise.
 */
export function restingSummary(saved: SavedCrawl, configuration: Configuration): CrawlSummary {
  const counts = new CrawlCounts();
  counts.restore(saved.counts);
  const seeds = new SeedWatch({ tell: () => {} });
  seeds.restore(saved.seeds);
  const lanes = saved.lanes.map(({ frontier: one }) => RestingFrontier.statusOf(one));
  const frontier = summedStatus(lanes);
  const isExhausted = saved.lanes.every(({ frontier: one }) => RestingFrontier.isExhausted(one));
  const limit = isExhausted ? null : limitReached(configuration, counts, saved);
  const reason = isExhausted ? "exhausted" : limit === null ? "signal" : "limit";
  return summarize({
    ...{ state: stateFor(reason), reason, limit, counts, frontier, seeds },
    ...{ elapsedMs: saved.elapsedMs, idle: {}, holders: new Map() },
  });
}

function limitReached(
  { limits }: Configuration,
  counts: CrawlCounts,
  { elapsedMs }: SavedCrawl,
): CrawlLimit | null {
  return new CrawlLimits(limits, counts).reached(elapsedMs);
}
