/** To be written. */
export type { CrawlTruth, PageKey, Standing } from "./crawl-truth.ts";
export type { Expectation, Outcome, TrueLink } from "./expectation.ts";
export { GeneratedWeb } from "./generated-web.ts";
export type { Profile } from "./profile.ts";
export { PROFILE_SCHEMA } from "./profile-schema.ts";
export {
  changedProfile,
  PROFILES,
  type ProfileChanges,
  type ProfileName,
} from "./profiles.ts";
export { SimWebFetcher, type SimWebFetcherOptions, WebTries } from "./sim-web-fetcher.ts";
export type { Oddity, SyntheticWeb, WebHost, WebRequest, WebResponse } from "./synthetic-web.ts";
export { Truth } from "./truth.ts";
export { DEFAULT_TRUTH_RULES, type TruthRules } from "./truth-rules.ts";
