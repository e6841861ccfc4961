/** Sitemaps and feeds that others wrote, as found on the web. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { webDateMs } from "../../src/base/time/index.ts";
import {
  type SitemapEntry,
  type SitemapOutcome,
  SitemapReader,
} from "../../src/formats/sitemap/index.ts";
import { conformanceData } from "../support/requirement.ts";

const files = conformanceData("sitemaps");

function read(name: string): { entries: SitemapEntry[]; outcome: SitemapOutcome } {
  const entries: SitemapEntry[] = [];
  const reader = new SitemapReader({
    url: `http://www.example.com/${name}`,
    take: (entry) => entries.push(entry),
  });
  reader.push(readFileSync(join(files.path, name)));
  return { entries, outcome: reader.end() };
}

function urls(name: string): string[] {
  return read(name).entries.map((entry) => entry.url);
}

test("every file is read to its end, in its form, without a refusal", { skip: files.skip }, () => {
  const expected: Record<string, string> = {
    "atom.xml": "atom 1",
    "do-not-visit.txt": "text 1",
    "feed.rss": "rss 4",
    "hebdenbridgetimes-articles-sitemap.xml": "urlset 74",
    "pagemaps-sitemap.xml": "urlset 2",
    "shinpaideshou-news-sitemap.xml": "urlset 3",
    "sitemap-images.xml": "urlset 1",
    "sitemap-links.xml": "urlset 3",
    "sitemap-mobile.xml": "urlset 3",
    "sitemap-news.xml": "urlset 2",
    "sitemap-videos-tvshow.xml": "urlset 1",
    "sitemap-videos.xml": "urlset 3",
    "sitemap-with-bom.txt": "text 2",
    "sitemap.badns.xml": "urlset 2",
    "sitemap.index.xml": "index 15",
    "sitemap.ns.xml": "urlset 2",
    "sitemap.txt": "text 2",
    "sitemap.txt.gz": "text 5",
    "xmlRss_pubDate.xml": "rss 7",
    "xmlSitemap.gz": "urlset 5",
  };
  const found: Record<string, string> = {};
  for (const name of readdirSync(files.path).sort()) {
    const { entries, outcome } = read(name);
    found[name] = `${outcome.form} ${entries.length}`;
    assert.equal(outcome.entries, entries.length);
    assert.equal(outcome.endedBy, "end", name);
    assert.equal(outcome.invalid + outcome.tooLong, 0, name);
  }
  assert.deepEqual(found, expected);
});

test("a compressed sitemap has its URLs", { skip: files.skip }, () => {
  assert.deepEqual(urls("xmlSitemap.gz"), [
    "http://www.example.com/",
    "http://www.example.com/catalog?item=12&desc=vacation_hawaii",
    "http://www.example.com/catalog?item=73&desc=vacation_new_zealand",
    "http://www.example.com/catalog?item=74&desc=vacation_newfoundland",
    "http://www.example.com/catalog?item=83&desc=vacation_usa",
  ]);
});

test("an index whose entries have no loc is read all the same", { skip: files.skip }, () => {
  const { entries } = read("sitemap.index.xml");
  assert.equal(entries[0]?.url, "https://example.com/sitemap.jss?portalCode=10260&lang=en");
  assert.ok(entries.every((entry) => entry.kind === "sitemap"));
});

test("feeds give their items and not their channel", { skip: files.skip }, () => {
  assert.deepEqual(urls("feed.rss"), [
    "https://www.example.com/blog/post/1",
    "https://www.example.com/guid.html",
    "https://www.example.com/foo?q=a&l=en",
    "https://www.example.com/foo?q=a&l=fr",
  ]);
  const [entry] = read("atom.xml").entries;
  assert.equal(entry?.url, "http://example.org/2003/12/13/atom03");
  assert.deepEqual(entry?.alternates, ["http://example.org/2003/12/13/atom03.html"]);
});

test("dates of feeds are read in all their forms", { skip: files.skip }, () => {
  const firstMs = Date.UTC(2017, 0, 5, 12, 34, 51);
  const text = readFileSync(join(files.path, "xmlRss_pubDate.xml"), "utf8");
  const items = text.split("<item>").slice(1);
  const dates = items.map((item) => webDateMs(/<pubDate>(.*)<\/pubDate>/.exec(item)?.[1] ?? ""));
  const withoutZoneMs = Date.UTC(2017, 0, 5, 13, 34, 55);
  assert.deepEqual(dates, [
    firstMs,
    firstMs + 1_000,
    firstMs + 2_000,
    firstMs + 3_000,
    withoutZoneMs,
    null,
    null,
  ]);
});

test("pages in other languages are alternates, and pictures are not pages", {
  skip: files.skip,
}, () => {
  const [english] = read("sitemap-links.xml").entries;
  assert.deepEqual(english?.alternates, [
    "http://www.example.com/deutsch/",
    "http://www.example.com/schweiz-deutsch/",
    "http://www.example.com/english/",
  ]);
  assert.deepEqual(urls("sitemap-images.xml"), [
    "http://www.example.com/images/some_image_landing_page.html",
  ]);
  assert.deepEqual(urls("sitemap-videos-tvshow.xml"), ["https://example.org/my-tv-show/23/13/"]);
});

test("namespaces may be prefixed or wrong", { skip: files.skip }, () => {
  for (const name of ["sitemap.ns.xml", "sitemap.badns.xml"]) {
    assert.deepEqual(urls(name), ["http://www.example.com/1", "http://www.example.com/2"]);
  }
});
