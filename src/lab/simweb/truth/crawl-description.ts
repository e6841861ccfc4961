/**
 * A crawl described in JSON, by what it was to fetch: the rules that the truth needs, under the
 * same names. What is not named is as in the crawler's configuration.
 */

import { FOLLOWABLE_KINDS } from "../../../formats/link/index.ts";
import type { CrawlDescription } from "../serve/control.ts";
import {
  type Check,
  checkFields,
  isAmount,
  isObject,
  isTextList,
  isTruthValue,
  oneOf,
  orNull,
} from "../serve/json-checks.ts";
import type { VerdictRules } from "../verdict/verdict-rules.ts";
import type { TruthRules } from "./truth-rules.ts";

export type CrawlReading =
  | { readonly ok: true; readonly rules: TruthRules }
  | { readonly ok: false; readonly mistakes: readonly string[] };

const KEEP_OR_STRIP = oneOf("keep", "strip");
const OBEY_OR_IGNORE = oneOf("obey", "ignore");

const URL_CHECKS: Readonly<Record<keyof TruthRules["url"], Check>> = {
  sessionIds: KEEP_OR_STRIP,
  trackingParams: KEEP_OR_STRIP,
  sortQuery: isTruthValue,
  trailingSlash: KEEP_OR_STRIP,
  indexPages: KEEP_OR_STRIP,
  www: KEEP_OR_STRIP,
};

const CHECKS: Readonly<Record<keyof TruthRules, Check>> = {
  seeds: isUrlList,
  scope: oneOf("page", "prefix", "host", "domain", "any"),
  depthMax: orNull(isAmount),
  robots: OBEY_OR_IGNORE,
  nofollow: OBEY_OR_IGNORE,
  linkKinds: isKindList,
  linksPerPageMax: isAmount,
  pathSegmentsMax: isAmount,
  urlLengthMax: isAmount,
  url: isUrlRules,
  redirectsMax: isAmount,
  redirectsAreSteps: isTruthValue,
  retries: isAmount,
  crawlDelayMaxMs: isAmount,
  crawlDelayOver: oneOf("skip", "cap"),
  sitemaps: isTruthValue,
};

/** What the description does not name is as in `base`. Every mistake is listed. */
export function readCrawl(given: CrawlDescription, base: TruthRules): CrawlReading {
  const mistakes = checkFields(given, CHECKS);
  if (mistakes.length > 0) return { ok: false, mistakes };
  // Every field that is given has been found to be of its type.
  const rules = given as Partial<TruthRules>;
  return { ok: true, rules: { ...base, ...rules, url: { ...base.url, ...rules.url } } };
}

/** How a crawl with these rules was to behave. */
export function impliedRules(rules: TruthRules): Partial<VerdictRules> {
  return {
    obeysRobots: rules.robots === "obey",
    retriesMax: rules.retries,
    crawlDelayMsMax: rules.crawlDelayMaxMs,
  };
}

function isUrlList(value: unknown): string | null {
  const problem = isTextList(value);
  if (problem !== null) return problem;
  const bad = (value as readonly string[]).find(
    (seed) => !/^http:/.test(URL.parse(seed)?.href ?? ""),
  );
  return bad === undefined ? null : `holds ${JSON.stringify(bad)}, which is no http URL`;
}

function isKindList(value: unknown): string | null {
  const problem = isTextList(value);
  if (problem !== null) return problem;
  const kinds: readonly string[] = FOLLOWABLE_KINDS;
  const bad = (value as readonly string[]).find((kind) => !kinds.includes(kind));
  return bad === undefined ? null : `holds ${JSON.stringify(bad)}; there are ${kinds.join(", ")}`;
}

function isUrlRules(value: unknown): string | null {
  if (!isObject(value)) return "must be an object";
  const mistakes = checkFields(value, URL_CHECKS);
  return mistakes.length === 0 ? null : `is wrong: ${mistakes.join("; ")}`;
}
