/** Says which lane a URL belongs to, by the shard of its host. */
import { type FetchableUrl, LinkResolver, type ResolvedLink } from "../../formats/url/index.ts";
import { laneOfFingerprint } from "../../frontier/lanes/index.ts";
import { type Configuration, schemesOf } from "../../rules/config/index.ts";

export interface LaneFinder {
  /** Null for what is not a URL to crawl. */
  resolve(url: FetchableUrl): ResolvedLink | null;
  laneOf(url: FetchableUrl): number | null;
  laneOfHigh(high: number): number;
}

export interface LaneFinderOptions {
  readonly configuration: Configuration;
  readonly fingerprintKey: Uint8Array;
  readonly lanes: number;
}

export function laneFinder(options: LaneFinderOptions): LaneFinder {
  const { configuration, fingerprintKey, lanes } = options;
  const { url: rules, frontier, limits } = configuration;
  const { shards } = frontier;
  const resolver = new LinkResolver({
    ...{ fingerprintKey, shards, rules, schemes: schemesOf(configuration) },
    urlLengthMax: limits.urlLength,
  });
  const resolve = (url: FetchableUrl): ResolvedLink | null => {
    const resolved = resolver.resolve(url, resolver.base(url));
    return typeof resolved === "string" ? null : resolved;
  };
  const laneOfHigh = (high: number): number => laneOfFingerprint(high, shards, lanes);
  return {
    resolve,
    laneOfHigh,
    laneOf(url) {
      const found = resolve(url);
      return found === null ? null : laneOfHigh(found.high);
    },
  };
}
