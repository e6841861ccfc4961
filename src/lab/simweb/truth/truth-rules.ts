/** The rules of a crawl, as far as they decide which pages it must, may and must not fetch. */

import { type FollowableKind, PAGE_KINDS } from "../../../formats/link/index.ts";
import { DEFAULT_URL_RULES, type UrlRules } from "../../../formats/url/index.ts";

export type Scope = "page" | "prefix" | "host" | "domain" | "any";

/** The names are those of the configuration's keys. `limits.pagesPerHost` is taken to be off. */
export interface TruthRules {
  readonly seeds: readonly string[];
  readonly scope: Scope;
  /** Null: no limit. */
  readonly depthMax: number | null;
  readonly robots: "obey" | "ignore";
  readonly nofollow: "obey" | "ignore";
  /** Which links are followed (`parse.links`). */
  readonly linkKinds: readonly FollowableKind[];
  readonly linksPerPageMax: number;
  readonly pathSegmentsMax: number;
  readonly urlLengthMax: number;
  /** How URLs are compared. */
  readonly url: UrlRules;
  readonly redirectsMax: number;
  /** Whether following a redirect is a step away from the seed. */
  readonly redirectsAreSteps: boolean;
  /** Further tries after a failure that may pass. */
  readonly retries: number;
  readonly crawlDelayMaxMs: number;
  readonly crawlDelayOver: "skip" | "cap";
  readonly sitemaps: boolean;
}

/** The defaults of the configuration, for seeds that must be given. */
export const DEFAULT_TRUTH_RULES: Omit<TruthRules, "seeds"> = {
  scope: "host",
  depthMax: null,
  robots: "obey",
  nofollow: "obey",
  linkKinds: PAGE_KINDS,
  linksPerPageMax: 10_000,
  pathSegmentsMax: 32,
  urlLengthMax: 2048,
  url: DEFAULT_URL_RULES,
  redirectsMax: 10,
  redirectsAreSteps: false,
  retries: 3,
  crawlDelayMaxMs: 60_000,
  crawlDelayOver: "skip",
  sitemaps: false,
};
