/** What a crawl does in some seconds, when it is warm. */
import type { BenchCluster } from "./bench-cluster.ts";

/** In the window, over all agents. */
export interface Window {
  readonly pages: number;
  readonly seconds: number;
  /** Processor time, in microseconds for each page. */
  readonly agentsMicros: number;
  readonly serversMicros: number;
  /** For each page: URLs that others were told, and messages that agents have sent. */
  readonly told: number;
  readonly sent: number;
  /** For each page: messages that servers have handed on, and their bytes. */
  readonly passed: number;
  readonly passedBytes: number;
}

/** Watches several crawls at the same time. */
export async function watchFor(
  seconds: number,
  clusters: readonly BenchCluster[],
): Promise<readonly Window[]> {
  const before = await Promise.all(clusters.map((cluster) => cluster.figures()));
  await new Promise((done) => setTimeout(done, 1000 * seconds));
  return await Promise.all(
    clusters.map(async (cluster, at) => {
      const [begin, end] = [before[at] as (typeof before)[number], await cluster.figures()];
      const { visits: pages } = await cluster.seen({ fromMs: begin.atMs, toMs: end.atMs });
      const each = (of: keyof typeof begin): number => (end[of] - begin[of]) / pages;
      return {
        ...{ pages, seconds: (end.atMs - begin.atMs) / 1000 },
        ...{ agentsMicros: 1000 * each("agentsMs"), serversMicros: 1000 * each("serversMs") },
        ...{ told: each("told"), sent: each("sent") },
        ...{ passed: each("passed"), passedBytes: each("passedBytes") },
      };
    }),
  );
}
