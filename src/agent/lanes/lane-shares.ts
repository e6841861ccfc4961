/** How what a crawl may use is divided among its lanes, and how its seeds are. */
import { type FetchableUrl, parseUrl } from "../../formats/url/index.ts";
import { laneOfFingerprint } from "../../frontier/lanes/index.ts";
import { type Configuration, schemesOf } from "../../rules/config/index.ts";
import type { FailedPage } from "../control/failed-pages.ts";
import type { DepthLimits } from "../links/link-gate.ts";
import { laneFinder } from "./lane-finder.ts";
import type { LaneStart } from "./lane-messages.ts";

/** The part of a whole number that a lane gets; the parts of all lanes make the whole. */
export function shareOf(whole: number, lane: number, lanes: number): number {
  return Math.floor(whole / lanes) + (lane < whole % lanes ? 1 : 0);
}

/** The configuration of one lane. */
export function laneConfiguration(
  configuration: Configuration,
  lane: number,
  lanes: number,
): Configuration {
  const { fetch, frontier, dns } = configuration;
  const share = (whole: number): number => Math.max(1, shareOf(whole, lane, lanes));
  return {
    ...configuration,
    fetch: {
      ...fetch,
      concurrency: share(fetch.concurrency),
      idleConnections: share(fetch.idleConnections),
      bodyMemory: share(fetch.bodyMemory),
    },
    frontier: {
      ...frontier,
      memory: share(frontier.memory),
      recentlySeen: share(frontier.recentlySeen),
    },
    dns: { ...dns, cacheSize: share(dns.cacheSize) },
  };
}

export interface SeedDivision {
  readonly configuration: Configuration;
  readonly fingerprintKey: Uint8Array;
  readonly lanes: number;
  /** Seeds that were not offered before. */
  readonly seeds: readonly string[];
  /** Where seeds of earlier runs have led, as far as it is not known what became of them. */
  readonly watched: readonly string[];
  /** Pages that failed and are tried again. */
  readonly requeued: readonly FailedPage[];
  readonly depthsBefore: DepthLimits | null;
  readonly elapsedMs: number;
}

/** What each lane begins with. A seed that is no URL goes to the first, which refuses it. */
export function divideSeeds(division: SeedDivision): readonly LaneStart[] {
  const { configuration, lanes, watched, depthsBefore, elapsedMs } = division;
  const schemes = schemesOf(configuration);
  const finder = laneFinder(division);
  const owned = division.seeds.map((seed): [string, FetchableUrl | null, number] => {
    const outcome = parseUrl(seed, { files: true, schemes });
    const lane = outcome.kind === "accepted" ? finder.laneOf(outcome.url) : null;
    if (outcome.kind !== "accepted" || lane === null) return [seed, null, 0];
    return [seed, outcome.url, lane];
  });
  const { shards } = configuration.frontier;
  const requeued = Map.groupBy(division.requeued, ({ high }) =>
    laneOfFingerprint(high, shards, lanes),
  );
  return Array.from({ length: lanes }, (_, lane) => ({
    requeued: requeued.get(lane) ?? [],
    seeds: owned.flatMap(([seed, , owner]) => (owner === lane ? [seed] : [])),
    others: owned.flatMap(([, url, owner]) => (url !== null && owner !== lane ? [url] : [])),
    ...{ watched, depthsBefore, elapsedMs },
  }));
}
