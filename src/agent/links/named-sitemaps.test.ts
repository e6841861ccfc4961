import assert from "node:assert/strict";
import { test } from "node:test";
import { NamedSitemaps } from "./named-sitemaps.ts";

test("a sitemap named by robots.txt keeps its level when an index names it too", () => {
  const sitemaps = new NamedSitemaps();
  const marks = { high: 7, low: 8 };
  assert.equal(sitemaps.levelOf(marks), null);
  sitemaps.name(marks, 2);
  sitemaps.name(marks, 1);
  sitemaps.name(marks, 2);
  assert.equal(sitemaps.levelOf(marks), 1);
  sitemaps.forget(marks);
  assert.equal(sitemaps.levelOf(marks), null);
});
