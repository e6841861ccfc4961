import assert from "node:assert/strict";
import { test } from "node:test";
import { PagesUnderWay } from "./pages-under-way.ts";

const PAGE = { high: 1, low: 2 };
const news = (depth: number | null, requisite = false) => ({ depth, requisite });

test("what becomes known of a page is kept while it is under way, and only then", () => {
  const pages = new PagesUnderWay();
  assert.equal(pages.tryKeep(PAGE, news(3)), false);
  pages.begin(PAGE);
  assert.equal(pages.tryKeep({ high: 1, low: 3 }, news(3)), false);
  assert.equal(pages.tryKeep(PAGE, news(3)), true);
  assert.deepEqual(pages.end(PAGE), news(3));
  assert.equal(pages.tryKeep(PAGE, news(2)), false);
  pages.begin(PAGE);
  assert.equal(pages.end(PAGE), null, "it is told once");
});

test("a page that was begun twice is under way until it was ended twice", () => {
  const pages = new PagesUnderWay();
  for (const _time of [1, 2]) pages.begin(PAGE);
  pages.tryKeep(PAGE, news(3));
  assert.equal(pages.end(PAGE), null);
  assert.equal(pages.tryKeep(PAGE, news(2)), true);
  assert.deepEqual(pages.end(PAGE), news(2));
  assert.equal(pages.end(PAGE), null, "one that is not under way can be ended");
});

test("of several news the best is kept", () => {
  const pages = new PagesUnderWay();
  pages.begin(PAGE);
  for (const one of [news(null, true), news(4), news(null), news(2), news(3)]) {
    pages.tryKeep(PAGE, one);
  }
  assert.deepEqual(pages.end(PAGE), news(2));
});
