/** Types of values that say how single hosts are treated. */
import { DAY_MS, SECOND_MS } from "../../base/units/index.ts";
import { map, type Pair, record, type ValueType, value } from "../settings/index.ts";
import type { HostSettings } from "./configuration.ts";
import { canonicalHost } from "./network-types.ts";

/** Bounds of the keys that are given for all hosts and for single ones. */
export const POLITENESS_TYPES: {
  readonly [Name in keyof HostSettings]: ValueType<NonNullable<HostSettings[Name]>>;
} = {
  hostDelay: value.duration({ min: 0, max: DAY_MS }),
  robots: value.choice("obey", "ignore"),
  robotsMaxAge: value.duration({ min: SECOND_MS, max: 30 * DAY_MS }),
  crawlDelayMax: value.duration({ min: 0, max: DAY_MS }),
  crawlDelayOver: value.choice("skip", "cap"),
};

/** Which hosts are treated otherwise than all, and how. */
export function hostSettings(): ValueType<readonly Pair<HostSettings>[]> {
  const { hostDelay, robots, robotsMaxAge, crawlDelayMax, crawlDelayOver } = POLITENESS_TYPES;
  const example = "{ hostDelay: 5s }";
  const settings = record<HostSettings>(
    {
      hostDelay: value.nullable(hostDelay),
      robots: value.nullable(robots),
      robotsMaxAge: value.nullable(robotsMaxAge),
      crawlDelayMax: value.nullable(crawlDelayMax),
      crawlDelayOver: value.nullable(crawlDelayOver),
    },
    {
      form: `some of hostDelay, robots, robotsMaxAge, crawlDelayMax and crawlDelayOver, such as ${example}`,
      examples: [example],
      check: (given) =>
        Object.values(given).every((one) => one === null) ? "says nothing about the host" : null,
    },
  );
  return map(settings, {
    form: `hosts, or *. and a domain, with their own values, such as { "*.example.org": ${example} }`,
    examples: [`{ "*.example.org": ${example}, example.org: { robots: ignore } }`],
    nameProblem: (pattern) =>
      canonicalPattern(pattern) === null ? "is neither a host nor *. and a domain" : null,
    normalizeName: (pattern) => canonicalPattern(pattern) ?? pattern,
  });
}

/** In the form in which URLs hold hosts; null for what is no pattern. */
function canonicalPattern(pattern: string): string | null {
  const isDomain = pattern.startsWith("*.");
  const name = isDomain ? pattern.slice(2) : pattern;
  // The URL parser takes an asterisk for a letter.
  const host = name.includes("*") ? null : canonicalHost(name);
  return host !== null && isDomain ? `*.${host}` : host;
}
