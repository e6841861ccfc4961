import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../../../../test/support/rules/configured.ts";
import { CrawlCounts } from "../counting/crawl-counts.ts";
import { CrawlLimits } from "./crawl-limits.ts";

test("fetches in flight hold the places of the pages that may come of them", () => {
  const counts = new CrawlCounts();
  const limits = new CrawlLimits(configured("limits.pages=10").limits, counts);
  counts.pages = 6;
  assert.equal(limits.pagesWanted(3), 1);
  assert.equal(limits.pagesWanted(4), 0);
  assert.equal(limits.reached(0), null);
  counts.pages = 10;
  assert.equal(limits.reached(0), "pages");
});

test("bytes and time are limits too, and without limits there is no end", () => {
  const counts = new CrawlCounts();
  counts.bytes = 1000;
  const limits = new CrawlLimits(configured("limits={bytes: 1000, time: 1s}").limits, counts);
  assert.equal(limits.pagesWanted(0), 0);
  assert.equal(limits.reached(0), "bytes");
  assert.ok(limits.isSpent(() => 0));
  counts.bytes = 999;
  assert.deepEqual([limits.reached(999), limits.reached(1000)], [null, "time"]);
  assert.deepEqual([limits.isSpent(() => 999), limits.isSpent(() => 1000)], [false, true]);
  const free = new CrawlLimits(configured().limits, counts);
  assert.equal(free.pagesWanted(1e6), Number.POSITIVE_INFINITY);
  assert.equal(free.reached(1e12), null);
});
