import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DEFAULT_URL_RULES,
  type FetchableUrl,
  keyHostOf,
  keyOf,
  parseUrl,
  partsOf,
  type UrlRules,
} from "../../formats/url/index.ts";
import { CrawlScope, type ScopedUrl } from "./crawl-scope.ts";

const TABLE = {
  any: [["http://a.example/x"], "http://b.test/", true],
  "page itself": [["http://a.example/x"], "http://a.example/x", true],
  "page other": [["http://a.example/x"], "http://a.example/y", false],
  "page by its key": [["http://a.example/%7ex"], "http://a.example/~x", true],
  "prefix below": [["http://a.example/docs/index.html"], "http://a.example/docs/b/c?q", true],
  "prefix beside": [["http://a.example/docs/index.html"], "http://a.example/docsx/", false],
  "prefix of the query": [["http://a.example/d?u=/e/"], "http://a.example/d", true],
  "prefix of a path without a slash": [["http://a.example/library"], "http://a.example/", false],
  "prefix by segment": [["http://a.example/library"], "http://a.example/libraryx", false],
  "prefix itself": [["http://a.example/library"], "http://a.example/library?page=2", true],
  "prefix below a segment": [["http://a.example/a/library"], "http://a.example/a/library/x", true],
  "prefix beside a segment": [["http://a.example/a/library"], "http://a.example/a/other", false],
  "prefix on another host": [["http://a.example/docs/"], "http://b.example/docs/", false],
  "prefix by https": [["http://a.example/docs/"], "https://a.example/docs/x", true],
  "host other port": [["http://a.example/x"], "http://a.example:8080/", true],
  "host of the domain": [["http://a.example.org/"], "http://b.example.org/", false],
  "host with the root's dot": [["http://a.example/"], "http://a.example./y", true],
  "domain sibling": [["http://a.example.org/"], "http://b.c.example.org/", true],
  "domain of a private suffix": [["http://a.github.io/"], "http://b.github.io/", false],
  "domain of an address": [["http://127.0.0.1/"], "http://127.0.0.1:81/x", true],
  "domain of another address": [["http://127.0.0.1/"], "http://127.0.0.2/", false],
} as const;

for (const [name, [seeds, link, isInside]] of Object.entries(TABLE)) {
  test(`scope ${name}: ${link} is ${isInside ? "inside" : "outside"}`, () => {
    const scope = new CrawlScope(name.split(" ", 1)[0] as "any", DEFAULT_URL_RULES);
    for (const seed of seeds) scope.add(fetchable(seed));
    assert.equal(scope.has(scopedUrl(fetchable(link), DEFAULT_URL_RULES)), isInside);
  });
}

test("a host with many seeds has the same prefixes as one with few, at the cost of one link", () => {
  const scope = new CrawlScope("prefix", DEFAULT_URL_RULES);
  const inside = (path: string): boolean =>
    scope.has(scopedUrl(fetchable(`http://a.example${path}`), DEFAULT_URL_RULES));
  // Compared one by one, every seed with every other, these would take minutes.
  for (let seed = 0; seed < 100_000; seed += 1) {
    assert.ok(scope.add(fetchable(`http://a.example/n${seed}`)));
    assert.ok(!scope.add(fetchable(`http://a.example/n${seed}/`)), "it is below already");
  }
  assert.ok(scope.add(fetchable("http://a.example/docs/index.html")));
  for (const path of ["/n7", "/n7/", "/n7/x/y", "/docs/", "/docs/a?b"])
    assert.ok(inside(path), path);
  for (const path of ["/", "/n7x", "/docs", "/x/n7", "/N7"]) assert.ok(!inside(path), path);
});

test("a scope grows to where a seed redirects, even to a host that was just outside", () => {
  const scope = new CrawlScope("host", DEFAULT_URL_RULES);
  scope.add(fetchable("http://example.org/"));
  const target = scopedUrl(fetchable("http://www.example.org/"), DEFAULT_URL_RULES);
  assert.equal(scope.has(target), false);
  scope.add(fetchable("http://www.example.org/"));
  assert.equal(scope.has(target), true);
});

test("with www stripped, both names of a site are one host", () => {
  const rules = { ...DEFAULT_URL_RULES, www: "strip" as const };
  const scope = new CrawlScope("host", rules);
  scope.add(fetchable("http://example.org/"));
  assert.equal(scope.has(scopedUrl(fetchable("http://www.example.org/x"), rules)), true);
});

function fetchable(text: string): FetchableUrl {
  const outcome = parseUrl(text);
  assert(outcome.kind === "accepted");
  return outcome.url;
}

function scopedUrl(url: FetchableUrl, rules: UrlRules): ScopedUrl {
  const key = keyOf(url, rules);
  return { key, keyHost: keyHostOf(key), path: partsOf(url).path };
}

test("a scope is widened to what others had, and loses nothing of its own", () => {
  const all = new CrawlScope("prefix", DEFAULT_URL_RULES);
  const other = new CrawlScope("prefix", DEFAULT_URL_RULES);
  all.add("http://a.example/own/" as FetchableUrl);
  other.add("http://a.example/other/" as FetchableUrl);
  other.add("http://b.example/" as FetchableUrl);
  all.restore(other.save());
  const has = (host: string, path: string): boolean =>
    all.has({ key: `http://${host}${path}`, keyHost: host, path } as never);
  assert.deepEqual(
    [has("a.example", "/own/x"), has("a.example", "/other/x"), has("a.example", "/")],
    [true, true, false],
  );
  assert.ok(has("b.example", "/any"));
});

test("an answer that was kept is given up when the scope is widened by another", () => {
  const scope = new CrawlScope("host", DEFAULT_URL_RULES);
  const other = new CrawlScope("host", DEFAULT_URL_RULES);
  const url = { key: "http://a.example/", keyHost: "a.example", path: "/" } as never;
  other.add("http://a.example/" as FetchableUrl);
  assert.equal(scope.has(url), false);
  scope.restore(other.save());
  assert.equal(scope.has(url), true);
});
