/**
 * A graph crawled in virtual time, frontier and lane only: pages are named `host/page`, and each
 * page's links are offered when its fetch has ended. What comes of it is the order of the fetches.
 */
import assert from "node:assert/strict";
import type { Random } from "../../../src/base/seams/index.ts";
import type { FetchableUrl } from "../../../src/formats/url/index.ts";
import { openMemoryFrontier } from "../../../src/frontier/front/index.ts";
import type { Ticket } from "../../../src/frontier/ticket/index.ts";
import type { TraversalName } from "../../../src/frontier/traversal/index.ts";
import { Kernel } from "../../../src/lab/simulator/index.ts";
import { OK, resolvedTo, robotsStatus, toyFingerprint } from "./toy-crawl.ts";
import { ToyLane } from "./toy-lane.ts";

/** The links of each page; a page that is only linked to has none. */
export type Graph = Readonly<Record<string, readonly string[]>>;

export interface GraphCrawlOptions {
  readonly graph: Graph;
  readonly seeds: readonly string[];
  readonly traversal: TraversalName;
  readonly connections?: number;
  /** The priority of a link; 0 when left out. */
  readonly priorityOf?: (page: string, from: string) => number;
  /** How long a page takes; 100 ms when left out. */
  readonly serviceMs?: (random: Random) => number;
  readonly seed?: string;
  /** Hosts with the same one of these share an address; each has its own when left out. */
  readonly addressOf?: (host: string) => string;
}

export interface GraphCrawl {
  /** The pages in the order in which their fetches began. */
  readonly pages: readonly string[];
  /** The depth at which each was fetched, in the same order. */
  readonly depths: readonly number[];
  /** For each page, what was known and had not begun when its fetch began, with its depth. */
  readonly waiting: readonly ReadonlyMap<string, number>[];
}

const SETTINGS = { hostDelayMs: 1000, addressDelayMs: 250, robots: "ignore" } as const;

export function crawlGraph(options: GraphCrawlOptions): GraphCrawl {
  const { graph, seeds, traversal, priorityOf = () => 0, addressOf = (host) => host } = options;
  const kernel = new Kernel({ seed: options.seed ?? "graph" });
  const random = kernel.random.fork("service");
  const known = new Map<string, number>();
  const begun = new Set<string>();
  const result = {
    pages: [] as string[],
    depths: [] as number[],
    waiting: [] as Map<string, number>[],
  };
  const offer = (page: string, depth: number, from: string): void => {
    if (!known.has(page)) known.set(page, depth);
    const url = urlOf(page);
    const priority = priorityOf(page, from);
    frontier.offer({ url, ...toyFingerprint(url), depth, via: null, redirects: 0, priority });
  };
  const lane = new ToyLane({
    ...{ kernel, connections: options.connections ?? 1, ...SETTINGS, restMsMax: 0 },
    web: {
      resolve: ({ host }) => ({
        afterMs: 1,
        resolution: resolvedTo([addressOf(host.split(".")[0] ?? "")], Number.POSITIVE_INFINITY),
      }),
      robots: () => ({ afterMs: 1, end: robotsStatus(404) }),
      page: ({ ticket }) => {
        const page = pageOf(ticket.url);
        begun.add(page);
        result.pages.push(page);
        result.depths.push(ticket.depth);
        result.waiting.push(new Map([...known].filter(([name]) => !begun.has(name))));
        return { afterMs: options.serviceMs?.(random) ?? 100, end: OK };
      },
    },
    settled: ({ url, depth }: Ticket) => {
      for (const link of graph[pageOf(url)] ?? []) offer(link, depth + 1, pageOf(url));
    },
  });
  const frontier = openMemoryFrontier({
    ...{ clock: kernel.clock, random: kernel.random.fork("frontier"), traversal },
    listener: { woken: () => lane.pump(), failed: (error) => assert.fail(error) },
    settings: SETTINGS,
  });
  lane.frontier = frontier;
  for (const seed of seeds) offer(seed, 0, "");
  assert.equal(lane.runToEnd(), "done");
  return result;
}

function urlOf(page: string): FetchableUrl {
  const [host = "", path = ""] = page.split("/");
  return `http://${host}.example/${path}` as FetchableUrl;
}

function pageOf(url: FetchableUrl): string {
  return url.slice("http://".length).replace(".example", "");
}
