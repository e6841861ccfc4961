/**
 * The summary of a crawl that several agents share while all of them rest: from their directories, as
 * `clusterSummary` makes it of what they say. A directory that says nothing is named.
 */
import { SECOND_MS } from "../../../base/units/index.ts";
import type { RestingCrawl } from "../../control/resting-crawl.ts";
import { CrawlCounts } from "../../crawl/counting/crawl-counts.ts";
import { type CrawlSummary, stateFor } from "../../crawl/counting/crawl-summary.ts";
import { CrawlLimits } from "../../crawl/lane/crawl-limits.ts";
import { type AgentPart, clusterSummary } from "./cluster-summary.ts";

/** What an agent that rests does not say. */
const UNTOLD = { pending: 0, lagMs: 0, retainedBytes: 0, told: 0, view: "" } as const;

/** As of their last checkpoints; null if none has one that can be read. */
export function summaryTogether(crawls: readonly RestingCrawl[]): CrawlSummary | null {
  const told = crawls.map((crawl) => ({ crawl, summary: crawl.lastSummary() }));
  const own = told.find(({ summary }) => summary !== null)?.summary ?? null;
  if (own === null) return null;
  const parts = told.flatMap(({ crawl, summary }): AgentPart[] => {
    if (summary === null) return [];
    const { agent, capacity } = crawl.identity;
    return [{ agent, capacity, summary: { ...summary }, ...UNTOLD }];
  });
  const silent = told.filter(({ summary }) => summary === null);
  const missing = silent.map(
    ({ crawl }) => ({ agent: crawl.identity.agent, why: "failed" }) as const,
  );
  const sum = clusterSummary({ own, parts, agents: crawls.length, missing });
  return { ...sum, ...endOf(sum, crawls[0] as RestingCrawl) };
}

/** Limits are those of the whole crawl. */
function endOf(
  { pages, bytes, seconds, queued, missing }: CrawlSummary,
  { configuration }: RestingCrawl,
): Pick<CrawlSummary, "state" | "reason" | "limit"> {
  const isExhausted = queued + missing.length === 0;
  const counts = Object.assign(new CrawlCounts(), { pages, bytes });
  const limits = new CrawlLimits(configuration.limits, counts);
  const limit = isExhausted ? null : limits.reached(seconds * SECOND_MS);
  const reason = isExhausted ? "exhausted" : limit === null ? "signal" : "limit";
  return { state: stateFor(reason), reason, limit };
}
