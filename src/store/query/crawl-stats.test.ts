import assert from "node:assert/strict";
import { test } from "node:test";
import type { PageRow } from "../export/index.ts";
import { CrawlCounts } from "./crawl-stats.ts";

const page = (url: string, more: Partial<PageRow> = {}): PageRow =>
  ({
    url,
    status: 200,
    mime: "text/html",
    bytes: 10,
    depth: 1,
    language: "oc",
    ...more,
  }) as PageRow;

const TALLY = {
  ...{ pages: 2, requisites: 1, bytes: 30, status: { 200: 1, 404: 1 } },
  ...{ mime: { "text/html": 2 }, language: {}, depth: { 0: 1, 1: 1 } },
};

test("pages of a tally and others are counted together, and requisites are not", () => {
  const counts = new CrawlCounts();
  counts.addTally(TALLY);
  for (const host of ["a.test", "b.test", "a.test"]) counts.addHost(page(`http://${host}/`));
  counts.add(page("http://c.test/x"));
  counts.add(page("http://d.test/style.css", { requisite: true }));
  const { pages, hosts, bytes, status, language, links } = counts.stats();
  assert.deepEqual([pages, hosts, bytes, links], [3, 3, 40, null]);
  assert.deepEqual([status, language], [{ 200: 2, 404: 1 }, { oc: 1 }]);
});

test("a page that does not count is taken back, and leaves no count of nothing", () => {
  const counts = new CrawlCounts();
  counts.addTally(TALLY);
  counts.takeBack(page("http://b.test/", { status: 404, bytes: 20, language: null }));
  const { pages, bytes, status, depth } = counts.stats();
  assert.deepEqual([pages, bytes, status, depth], [1, 10, { 200: 1 }, { 0: 1 }]);
});

test("what several have counted is added up, and a host that they share counts once", () => {
  const counts = new CrawlCounts();
  for (const host of ["a.test", "b.test"]) {
    const own = new CrawlCounts();
    own.add(page(`http://${host}/`));
    own.add(page("http://shared.test/"));
    own.addLinks(host === "a.test" ? 7 : null);
    counts.addStats(own.stats(), own.hosts);
  }
  const { pages, hosts, bytes, links, status } = counts.stats();
  assert.deepEqual([pages, hosts, bytes, links, status], [4, 3, 40, 7, { 200: 4 }]);
});

test("names beyond a thousand are counted together", () => {
  const counts = new CrawlCounts();
  for (let number = 0; number < 1005; number += 1) {
    counts.add(page("http://a.test/", { mime: `x/${number}` }));
  }
  const { mime } = counts.stats();
  assert.equal(Object.keys(mime).length, 1001);
  assert.equal(mime["other"], 5);
});
