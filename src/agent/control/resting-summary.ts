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
 * a limit if one is reached, and was stopped otherwise. Limits are those of the whole crawl: of an agent's
 * part nobody knows here why it has ended while something is left.
 */
export function restingSummary(saved: SavedCrawl, configuration: Configuration): CrawlSummary {
  const counts = new CrawlCounts();
  counts.restore(saved.counts);
  const seeds = new SeedWatch({ tell: () => {} });
  seeds.restore(saved.seeds);
  const lanes = saved.lanes.map(({ frontier: one }) => RestingFrontier.statusOf(one));
  const frontier = summedStatus(lanes);
  const isExhausted = saved.lanes.every(({ frontier: one }) => RestingFrontier.isExhausted(one));
  const isPart = saved.member !== undefined;
  const limit = isExhausted || isPart ? null : limitReached(configuration, counts, saved);
  const left = isPart ? "none" : limit === null ? "signal" : "limit";
  const reason = isExhausted ? "exhausted" : left;
  const state = reason === "none" ? "stopped" : stateFor(reason);
  return summarize({
    ...{ state, reason, limit, counts, frontier, seeds },
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
