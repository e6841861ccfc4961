/** Compares what the reference crawler fetched with the truth; one sentence per difference. */

import type { CrawledPage } from "../../../../test/support/lab/reference-crawler/index.ts";
import type { UrlKey } from "../../../formats/url/index.ts";
import type { Truth } from "../index.ts";
import type { Expectation } from "./expectation.ts";

type Crawled = ReadonlyMap<UrlKey, CrawledPage>;

export function differences(truth: Truth, crawled: Crawled): string[] {
  const expected = new Map([...truth.expectations()].map((one) => [one.key, one]));
  return [
    ...missing(truth, crawled),
    ...uncalledFor(truth, crawled),
    ...wrongOutcomes(expected, crawled),
    ...wrongLinks(truth, expected, crawled),
    ...wrongFamilies(expected, crawled),
  ];
}

function* missing(truth: Truth, crawled: Crawled): Generator<string> {
  let count = 0;
  for (const key of truth.dueKeys()) {
    count += 1;
    if (!crawled.has(key as UrlKey)) yield `due and not fetched: ${key}`;
    if (truth.standingOf(key).kind !== "due") yield `due by iteration only: ${key}`;
  }
  if (count !== truth.dueCount) yield `${count} due keys, but a count of ${truth.dueCount}`;
}

function* uncalledFor(truth: Truth, crawled: Crawled): Generator<string> {
  for (const [key, { fetches }] of crawled) {
    // Without an address nothing was asked, not even what robots.txt says.
    if (fetches === 0) continue;
    const standing = truth.standingOf(key);
    if (standing.kind !== "due" && standing.kind !== "allowed") {
      yield `fetched though ${JSON.stringify(standing)}: ${key}`;
    }
  }
}

function* wrongOutcomes(
  expected: ReadonlyMap<UrlKey, Expectation>,
  crawled: Crawled,
): Generator<string> {
  for (const [key, page] of crawled) {
    const one = expected.get(key);
    if (one === undefined) continue;
    const told = `${key}: ${JSON.stringify(one)} but ${JSON.stringify({ ...page, links: [] })}`;
    if (!one.outcomes.includes(page.outcome)) yield `outcome of ${told}`;
    if (page.depth < one.depthMin || page.depth > one.depth) yield `depth of ${told}`;
    const isCounted = page.fetches >= one.fetchesMin && page.fetches <= one.fetchesMax;
    if (!isCounted) yield `fetches of ${told}`;
    const isCertain = one.outcomes.length === 1 && page.outcome === "page";
    if (isCertain && page.isNoarchive !== one.isNoarchive) yield `noarchive of ${told}`;
  }
}

function* wrongLinks(
  truth: Truth,
  expected: ReadonlyMap<UrlKey, Expectation>,
  crawled: Crawled,
): Generator<string> {
  const links = new Map<string, Set<string>>();
  for (const { from, to, kind, isNofollow } of truth.links()) {
    links.set(from, (links.get(from) ?? new Set()).add(`${kind} ${isNofollow} ${to}`));
  }
  for (const [key, page] of crawled) {
    if (page.outcome !== "page" || expected.get(key)?.outcomes.length !== 1) continue;
    const told = links.get(key) ?? new Set<string>();
    const found = new Set(
      page.links
        .filter((link) => link.key !== key && !isTrap(link.key))
        .map((link) => `${link.kind} ${link.isNofollow} ${link.key}`),
    );
    for (const link of told) if (!found.has(link)) yield `link of ${key} not found: ${link}`;
    for (const link of found) if (!told.has(link)) yield `link of ${key} made up: ${link}`;
  }
}

/** Two certain pages are of one family exactly if their bodies are equal. */
function* wrongFamilies(
  expected: ReadonlyMap<UrlKey, Expectation>,
  crawled: Crawled,
): Generator<string> {
  const digestOf = new Map<string, string>();
  const familyOf = new Map<string, string>();
  for (const [key, page] of crawled) {
    const family = expected.get(key)?.family;
    const isCertain = expected.get(key)?.outcomes.length === 1;
    if (page.outcome !== "page" || family === null || family === undefined || !isCertain) continue;
    const digest = digestOf.get(family) ?? page.digest;
    if (digest !== page.digest) yield `${key} is unlike its family ${family}`;
    const other = familyOf.get(page.digest) ?? family;
    if (other !== family) yield `${key} of family ${family} equals one of ${other}`;
    digestOf.set(family, page.digest);
    familyOf.set(page.digest, family);
  }
}

function isTrap(key: string): boolean {
  const { hostname, pathname } = new URL(key);
  return /^\/(?:calendar|loop|shop)\b/.test(pathname) || /\.maze-\w+\.test$/.test(hostname);
}
