import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fingerprint } from "../../base/fingerprints/index.ts";
import { DEFAULT_URL_RULES, type FetchableUrl } from "../../formats/url/index.ts";
import { CrawlScope } from "./crawl-scope.ts";
import { ScopeGrowth } from "./scope-growth.ts";

const SEED: Fingerprint = { high: 0xffffffff, low: 7 };
const URL_INSIDE = { key: "http://a.example/", keyHost: "a.example", path: "/" } as never;

function elsewhere(...pages: readonly Fingerprint[]) {
  const scope = new CrawlScope("host", DEFAULT_URL_RULES);
  scope.add("http://a.example/" as FetchableUrl);
  return {
    scope: scope.save(),
    pages: Uint32Array.from(pages.flatMap(({ high, low }) => [high, low])),
  };
}

test("seeds of another lane widen the scope, and are on trails until they end there", () => {
  const scope = new CrawlScope("host", DEFAULT_URL_RULES);
  const told: string[] = [];
  const growth = new ScopeGrowth(scope, {
    begun: (url) => told.push(`begun ${url}`),
    ended: ({ low }) => told.push(`ended ${low}`),
  });
  growth.beginElsewhere(elsewhere(SEED, { high: 1, low: 2 }));
  assert.ok(scope.has(URL_INSIDE));
  assert.ok(growth.isOnTrail(SEED) && growth.isOnTrail({ high: 1, low: 2 }));
  growth.endedElsewhere(SEED);
  assert.deepEqual([growth.isOnTrail(SEED), told], [false, []]);
  growth.end({ high: 1, low: 2 });
  growth.end({ high: 1, low: 2 });
  assert.deepEqual(told, ["ended 2"]);
});

test("a trail whose end is heard before its beginning does not stay open", () => {
  const growth = new ScopeGrowth(new CrawlScope("host", DEFAULT_URL_RULES));
  growth.endedElsewhere(SEED);
  growth.beginElsewhere(elsewhere(SEED));
  assert.equal(growth.isOnTrail(SEED), false);
  growth.begin(SEED);
  assert.equal(growth.isOnTrail(SEED), true);
});

test("a scope without bounds has no trails", () => {
  const growth = new ScopeGrowth(new CrawlScope("any", DEFAULT_URL_RULES));
  growth.beginElsewhere(elsewhere(SEED));
  assert.equal(growth.isOnTrail(SEED), false);
});
