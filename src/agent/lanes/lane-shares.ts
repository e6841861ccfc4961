/** How what a crawl may use is divided among its lanes, and how its seeds are. */
import { parseUrl, type ResolvedLink } from "../../formats/url/index.ts";
import { laneOfFingerprint } from "../../frontier/lanes/index.ts";
import { type Configuration, schemesOf } from "../../rules/config/index.ts";
import type { FailedPage } from "../control/failed-pages.ts";
import { CrawlScope } from "../links/crawl-scope.ts";
import type { DepthLimits } from "../links/link-gate.ts";
import type { SeedsElsewhere } from "../links/scope-growth.ts";
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

/** The seeds of one lane, and what other lanes must know of them. */
class LaneShare {
  readonly seeds: string[] = [];
  readonly #scope: CrawlScope;
  readonly #pages: number[] = [];

  constructor({ scope, url }: Configuration) {
    this.#scope = new CrawlScope(scope, url);
  }

  add(seed: string, found: ResolvedLink): void {
    this.seeds.push(seed);
    this.#scope.addResolved(found);
    this.#pages.push(found.high, found.low);
  }

  get elsewhere(): SeedsElsewhere[] {
    if (this.#pages.length === 0) return [];
    return [{ scope: this.#scope.save(), pages: Uint32Array.from(this.#pages) }];
  }
}

/**
 * What each lane begins with. A seed that is no URL goes to the first, which refuses it. Seeds are taken
 * apart here once; other lanes are told only what they need of them, since there may be 100,000.
 */
export function divideSeeds(division: SeedDivision): readonly LaneStart[] {
  const { configuration, lanes, watched, depthsBefore, elapsedMs } = division;
  const schemes = schemesOf(configuration);
  const finder = laneFinder(division);
  const shares = Array.from({ length: lanes }, () => new LaneShare(configuration));
  for (const seed of division.seeds) {
    const outcome = parseUrl(seed, { files: true, schemes });
    const found = outcome.kind === "accepted" ? finder.resolve(outcome.url) : null;
    if (found === null) shares[0]?.seeds.push(seed);
    else shares[finder.laneOfHigh(found.high)]?.add(seed, found);
  }
  const { shards } = configuration.frontier;
  const requeued = Map.groupBy(division.requeued, ({ high }) =>
    laneOfFingerprint(high, shards, lanes),
  );
  const elsewhere = shares.map((share) => share.elsewhere);
  return shares.map(({ seeds }, lane) => ({
    requeued: requeued.get(lane) ?? [],
    seeds,
    others: elsewhere.flatMap((other, owner) => (owner === lane ? [] : other)),
    ...{ watched, depthsBefore, elapsedMs },
  }));
}
