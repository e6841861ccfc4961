/** What an agent among others measures, in the text format of Prometheus. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { addCluster, type ClusterFigures } from "./cluster-metrics.ts";
import { MetricsPage } from "./metrics-page.ts";

const STATUS = {
  ...{ state: "active", idle: false, pages: 10, urls: 20, queued: 5, pending: 3, lagSeconds: 1.5 },
  ...{ retainedBytes: 700, told: 12, sent: 90, claims: 1, dropped: { stale: 2 }, view: "v" },
};

function memberOf(agent: string, more: object = {}): ClusterFigures["report"]["members"][number] {
  return {
    ...{ agent, generation: 1, self: agent === "a", state: "active", standing: "alive" },
    ...{ silentSeconds: 0.2, capacity: 1, share: 0.5, inRing: true, full: false, status: STATUS },
    ...more,
  } as never;
}

const FIGURES: ClusterFigures = {
  report: {
    ...{ agent: "a", views: 2, missing: [{ agent: "c", why: "dead" }], refused: { tls: 4 } },
    members: [
      memberOf("a"),
      memberOf("b", { status: { ...STATUS, pending: 99 } }),
      memberOf("c", { standing: "dead", silentSeconds: 20, status: null }),
      memberOf("d", { standing: "given-up", silentSeconds: 900, status: null }),
    ],
  },
  summary: { coverage: 0.9, overhead: 1.2, balance: 0.8 } as never,
};

function linesOf(figures: ClusterFigures): readonly string[] {
  const page = new MetricsPage();
  addCluster(page, figures);
  return page.text.split("\n");
}

test("an agent gives its own figures, and those of the crawl that all agents give alike", () => {
  const lines = linesOf(FIGURES);
  for (const line of [
    'trobar_cluster_members{standing="alive"} 2',
    'trobar_cluster_members{standing="dead"} 1',
    'trobar_cluster_members{standing="suspect"} 0',
    ...["trobar_cluster_views 2", "trobar_cluster_missing 1", "trobar_cluster_share 0.5"],
    ...["trobar_cluster_pending_urls 3", "trobar_cluster_lag_seconds 1.5"],
    ...["trobar_cluster_retained_bytes 700", "trobar_cluster_told_urls_total 12"],
    ...["trobar_cluster_sent_messages_total 90", "trobar_cluster_claims 1"],
    'trobar_cluster_dropped_messages_total{reason="stale"} 2',
    'trobar_cluster_refused_connections_total{reason="tls"} 4',
    ...["trobar_cluster_overhead 1.2", "trobar_cluster_balance 0.8", "trobar_cluster_coverage 0.9"],
  ]) {
    assert.ok(lines.includes(line), line);
  }
});

test("who is given up is not waited for, and so not silent", () => {
  assert.ok(linesOf(FIGURES).includes("trobar_cluster_silence_seconds 20"));
});
