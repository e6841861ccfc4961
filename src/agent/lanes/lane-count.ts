/**
 * How many lanes a crawl has, and what only one lane can do. A thread takes half a second to start, so a
 * crawl that will not need another core has one lane: one that ends after few pages, or whose hosts
 * politeness lets be visited so seldom that one core can do it.
 */
import { CrawlError } from "../../base/errors/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import type { Fetching } from "../crawl/network/fetching.ts";

export interface LaneNeeds {
  readonly configuration: Configuration;
  readonly fetching: Fetching;
  /** Whether code in this process is shown pages. */
  readonly hasReader: boolean;
  /** Whether modules are given by code in this process. */
  readonly hasOwnModules: boolean;
  /** Whether the crawl waits for further seeds. */
  readonly stays: boolean;
  readonly cores: number;
}

/** A crawl that ends after fewer pages has one lane. */
const PAGES_MIN = 1000;
/** What a lane does at least, on any machine. */
const PAGES_PER_SECOND = 300;

/** Throws `CONFIG_CONFLICT` if more lanes are asked for than can be. */
export function laneCount(needs: LaneNeeds): number {
  const { lanes, fetch, frontier } = needs.configuration;
  const why = oneLaneOnly(needs);
  const possible = Math.min(fetch.concurrency, frontier.shards);
  if (lanes === "auto") return why === null ? Math.min(usefulLanes(needs), possible) : 1;
  if (why === null || lanes === 1) return Math.min(lanes, possible);
  throw new CrawlError(
    "CONFIG_CONFLICT",
    `The crawl cannot have ${lanes} lanes: ${why}. Use \`--lanes 1\`, or leave it out.`,
    { lanes },
  );
}

/** Why this crawl has one lane; null if it can have more. */
function oneLaneOnly(needs: LaneNeeds): string | null {
  const { configuration, fetching, hasReader, hasOwnModules } = needs;
  const { store, frontier, topology } = configuration;
  if (topology !== null) return "the key topology names a topology, which describes one lane";
  if (fetching !== "here") return "its pages are fetched by other processes, or for them";
  if (frontier.traversal === "random-walk") return "a random walk has one lane";
  if (store.kind !== "warc") return `a store of the kind ${store.kind} is written by one lane`;
  if (hasReader) return "its pages are shown to code in this process (`--extract`, or a handler)";
  return hasOwnModules ? "its modules are given by the program that runs it" : null;
}

function usefulLanes({ configuration, stays, cores }: LaneNeeds): number {
  const { limits, politeness, scope, seeds } = configuration;
  if (limits.pages !== null && limits.pages < PAGES_MIN) return 1;
  if (scope === "domain" || scope === "any" || stays) return cores;
  // A scope that ends with the hosts of the seeds: no other host has a lane to be visited by.
  const hosts = new Set(seeds.map((seed) => URL.parse(seed)?.hostname ?? "")).size;
  const pagesPerSecond = (1000 * hosts) / Math.max(1, politeness.hostDelay);
  return Math.max(1, Math.min(cores, hosts, Math.ceil(pagesPerSecond / PAGES_PER_SECOND)));
}
