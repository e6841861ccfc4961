/**
 * Where a crawl fetches, which follows from the units of its topology: here; in other processes, which
 * it asks for pages; or here for another process, which asks. Robots.txt, names, politeness and retries
 * belong to the fetching side, limits and traversal to the other, so that all processes of a crawl can
 * have the same configuration.
 */
import type { Clock } from "../../../base/seams/index.ts";
import type { Resolution, Resolver } from "../../../fetch/dns/index.ts";
import type { HostName } from "../../../formats/url/index.ts";
import type { FrontierSettings } from "../../../frontier/front/index.ts";
import type { Configuration } from "../../../rules/config/index.ts";

export type Fetching = "here" | "elsewhere" | "asked";

/** The frontier of a crawl that fetches elsewhere holds nothing back and tries nothing twice. */
const UNHURRIED: Partial<FrontierSettings> = {
  ...{ hostDelayMs: 0, addressDelayMs: 0, robots: "ignore", retries: 0, retryWaitMsMax: 0 },
  // None of its visits is slow: they wait in the other process.
  visitsMax: Number.MAX_SAFE_INTEGER,
};

export function settingsFor(fetching: Fetching): Partial<FrontierSettings> {
  return fetching === "elsewhere" ? UNHURRIED : {};
}

/** The configuration without what is for the asking process to decide. */
export function configurationFor(fetching: Fetching, configuration: Configuration): Configuration {
  if (fetching !== "asked") return configuration;
  const { limits, frontier, parse } = configuration;
  const unlimited = {
    pages: null,
    pagesPerHost: null,
    depth: null,
    hostDepth: null,
    time: null,
    bytes: null,
  };
  return {
    ...configuration,
    limits: { ...limits, ...unlimited },
    frontier: { ...frontier, traversal: "breadth-first" },
    parse: { ...parse, requisites: false },
  };
}

const UNKNOWN: Resolution = {
  kind: "resolved",
  addresses: [],
  expiresAtMs: Number.POSITIVE_INFINITY,
};

/** Knows no address: those who fetch find out. */
export class NamelessResolver implements Resolver {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  resolve(_host: HostName, done: (resolution: Resolution) => void): void {
    this.#clock.after(0, () => done(UNKNOWN));
  }

  close(): void {}
}
