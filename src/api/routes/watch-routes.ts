/** For those who watch a crawl: its events as they come, and its metrics. */
import { CrawlError } from "../../base/errors/index.ts";
import type { ClusterFigures } from "../metrics/cluster-metrics.ts";
import { metricsText } from "../metrics/metrics-text.ts";
import type { Asked, Route } from "./route.ts";

/** More would be many connections that never end. */
const STREAMS_MAX = 16;

/** Null for a crawl that is alone. */
async function clusterOf(control: Asked["control"]): Promise<ClusterFigures | null> {
  const [report, summary] = await Promise.all([control.cluster(), control.status()]);
  return report.agent === null ? null : { report, summary };
}

export const WATCH_ROUTES: readonly Route[] = [
  {
    ...{ method: "GET", path: "/events", id: "events", access: "read" },
    summary: "Server-sent events: state, status, page, skipped, fault, missed.",
    replies: {
      200: {
        meaning:
          "A stream that ends with the crawl. `state` and `status` come at once; then `status` " +
          "every second, `state` when it changes, `page` for pages that ended (at most 50 a " +
          "second, `skipped` has how many more), `fault` for internal faults, and `missed` with " +
          "the number of events that a slow reader has missed.",
        ...{ schema: { type: "string" }, type: "text/event-stream" },
      },
    },
    handle: ({ control }) => {
      if (control.events.listeners >= STREAMS_MAX) {
        throw new CrawlError("CONTROL_BUSY", `There are ${STREAMS_MAX} readers of events already.`);
      }
      return {
        status: 200,
        listen: (send) => control.events.listen(({ kind, data }) => send(kind, data)),
      };
    },
  },
  {
    ...{ method: "GET", path: "/metrics", id: "metrics", access: "read" },
    summary: "Counts and measures in the text format of Prometheus.",
    replies: {
      200: {
        meaning: "Metrics.",
        ...{ schema: { type: "string" }, type: "text/plain; version=0.0.4; charset=utf-8" },
      },
    },
    handle: async ({ control }) => {
      const [units, cluster] = await Promise.all([control.units.list(), clusterOf(control)]);
      const bytes = Buffer.from(metricsText(control.part(), units, { cluster }));
      return { status: 200, bytes, type: "text/plain; version=0.0.4; charset=utf-8" };
    },
  },
];
