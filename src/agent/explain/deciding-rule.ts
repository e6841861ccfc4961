/** Which key of the configuration refuses URLs for a reason of the summary's `refused`, with its value. */
import { CONFIGURATION_SCHEMA, type Configuration } from "../../rules/config/index.ts";

const KEYS: Readonly<Record<string, string>> = {
  address: "fetch.allowAddresses",
  "crawl-delay": "politeness.crawlDelayMax",
  depth: "limits.depth",
  "filter-fetch": "filters.fetch",
  "filter-schedule": "filters.schedule",
  "host-blocked": "politeness.blockHosts",
  "host-depth": "limits.hostDepth",
  "host-limit": "limits.pagesPerHost",
  nofollow: "politeness.nofollow",
  "path-segments": "limits.pathSegments",
  port: "fetch.ports",
  "repeated-segments": "limits.repeatedSegments",
  scope: "scope",
  "too-many-redirects": "fetch.maxRedirects",
  "url-too-long": "limits.urlLength",
};

/** As `KEY: VALUE`; null if no key decides. */
export function decidingRule(reason: string, configuration: Configuration): string | null {
  const found = CONFIGURATION_SCHEMA.find(KEYS[reason] ?? "");
  if (found === undefined) return null;
  const { path, key } = found;
  return `${path}: ${key.type.write(CONFIGURATION_SCHEMA.values(configuration).get(path))}`;
}
