/**
 * The metrics of an agent among others: its own, so that a sum over all agents makes sense, and those of the
 * whole crawl as it sees them, which are the same at all.
 */
import type { ControlledCrawl, CrawlSummary } from "../../agent/index.ts";
import { by, type MetricsPage } from "./metrics-page.ts";

export interface ClusterFigures {
  readonly report: Awaited<ReturnType<ControlledCrawl["cluster"]>>;
  /** Of the whole crawl. */
  readonly summary: CrawlSummary;
}

type Member = ClusterFigures["report"]["members"][number];

const STANDINGS = ["alive", "suspect", "dead", "given-up"] as const;

export function addCluster(page: MetricsPage, { report, summary }: ClusterFigures): void {
  const { members, missing, views, refused } = report;
  page.gauges(
    "trobar_cluster_members",
    "Agents that are known, by how they seem to be.",
    STANDINGS.map((standing) => [
      { standing },
      members.filter((member) => member.standing === standing).length,
    ]),
  );
  page.gauge("trobar_cluster_views", "Views that differ; 1 if all agree.", views);
  page.gauge("trobar_cluster_missing", "Agents that have not answered.", missing.length);
  page.gauge("trobar_cluster_silence_seconds", "Since the least heard one was.", silence(members));
  page.gauge("trobar_cluster_coverage", "Done with, of the URLs known by all.", summary.coverage);
  page.gauge("trobar_cluster_overhead", "URLs told to others, for each page.", summary.overhead);
  page.gauge("trobar_cluster_balance", "Fewest pages in parts of most.", summary.balance);
  page.counters(
    "trobar_cluster_refused_connections",
    "Connections to the server of this agent that were refused, by reason.",
    by("reason", refused),
  );
  const own = members.find(({ self }) => self);
  if (own !== undefined) addOwn(page, own);
}

function addOwn(page: MetricsPage, { share, status }: Member): void {
  page.gauge("trobar_cluster_share", "The part of all hosts that this agent has.", share);
  if (status === null) return;
  const { pending, lagSeconds, retainedBytes, told, sent, claims, dropped } = status;
  page.gauge("trobar_cluster_pending_urls", "URLs not acknowledged by others.", pending);
  page.gauge("trobar_cluster_lag_seconds", "How long the oldest of them waits.", lagSeconds);
  page.gauge("trobar_cluster_retained_bytes", "Kept of acknowledged URLs.", retainedBytes);
  page.gauge("trobar_cluster_claims", "URLs whose page another agent has.", claims);
  page.counter("trobar_cluster_told_urls", "URLs told to others.", told);
  page.counter("trobar_cluster_sent_messages", "Messages sent since it was started.", sent);
  page.counters(
    "trobar_cluster_dropped_messages",
    "Messages that were not taken, by reason.",
    by("reason", dropped),
  );
}

/** Of those that are not given up. */
function silence(members: readonly Member[]): number {
  const expected = members.filter(({ standing }) => standing !== "given-up");
  return Math.max(0, ...expected.map(({ silentSeconds }) => silentSeconds ?? 0));
}
