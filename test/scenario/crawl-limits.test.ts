/** What a crawl must not exceed: pages, depth, bytes, time, and limits against traps. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { linking, withWeb } from "../support/agent/crawl-rig.ts";
import type { TablePage } from "../support/lab/table-web.ts";

/** This many pages, each linked from the front page. */
function star(count: number): Record<string, TablePage> {
  const names = Array.from({ length: count }, (_, index) => `/${index}`);
  return {
    "/": linking(...names),
    ...Object.fromEntries(names.map((name) => [name, { body: `<p>page ${name}` }])),
  };
}

test("-n N fetches exactly N pages and asks for no more", async () => {
  const hosts = () => ({
    "a.test": { pages: star(30) },
    "b.test": { pages: star(30) },
    "c.test": { pages: star(30) },
  });
  for (const limit of [1, 2, 7, 40]) {
    await withWeb(hosts, async (web) => {
      const { code, summary, lines } = await web.crawl(
        ["a.test/", "b.test/", "c.test/"],
        ["-n", String(limit)],
      );
      assert.equal(code, 0);
      assert.deepEqual([summary?.state, summary?.reason], ["finished", "limit"]);
      assert.equal(summary?.pages, limit);
      assert.equal(web.asked.length, limit);
      assert.equal(lines.length, limit);
    });
  }
});

test("an answer that is not a page does not count for the limit, and its place goes to another", async () => {
  const pages = {
    "/": linking("/gone", "/moved", "/1", "/2", "/3", "/4"),
    "/moved": { status: 301, headers: [["Location", "/1"]] as const },
    ...star(5),
  };
  const front = linking("/gone", "/moved", "/1", "/2", "/3", "/4");
  await withWeb(
    () => ({ "a.test": { pages: { ...pages, "/": front } } }),
    async (web) => {
      const { summary } = await web.crawl(["a.test/"], ["-n", "4"]);
      assert.deepEqual(summary?.status, { 200: 4, 301: 1, 404: 1 });
      assert.equal(web.asked.length, 6);
    },
  );
});

test("a page found nearer later is expanded again, so a limit on depth is exact", async () => {
  // The short path to /deep is behind a slow page, the long path is quick.
  const pages = {
    "/": linking("/slow", "/1"),
    "/1": linking("/2"),
    "/2": linking("/deep"),
    "/slow": { ...linking("/deep"), delayMs: 150 },
    "/deep": linking("/child"),
    "/child": linking("/grandchild"),
  };
  const other = { pages: { "/": linking("/x") } };
  await withWeb(
    (port) => ({
      "a.test": { pages: { "/": linking(`http://b.test:${port}/`, `http://c.test:${port}/1`) } },
      "b.test": { pages: { "/": { ...linking(`http://c.test:${port}/deep`), delayMs: 200 } } },
      "c.test": { pages: { ...pages, "/x": other.pages["/"] } },
    }),
    async (web) => {
      const { summary } = await web.crawl(["a.test/"], ["-d", "3", "--scope", "any"]);
      const expected = [
        "a.test/",
        "b.test/",
        "c.test/1",
        "c.test/2",
        "c.test/child",
        "c.test/deep",
      ];
      assert.deepEqual(web.asked.sort(), expected);
      assert.equal(summary?.pages, 6);
    },
  );
});

test("links that look like traps are refused with their reason", async () => {
  const long = `/${"x".repeat(300)}`;
  const pages = {
    "/": linking("/a/b/c", "/a/b/c/d", "/r/r/r", "/r/r/r/r/r/r", long, "/fine"),
  };
  await withWeb(
    () => ({ "a.test": { pages } }),
    async (web) => {
      const { summary } = await web.crawl(
        ["a.test/"],
        ["--set", "limits={pathSegments: 3, repeatedSegments: 2, urlLength: 200}"],
      );
      assert.deepEqual(web.asked.sort(), ["a.test/", "a.test/a/b/c", "a.test/fine"]);
      assert.equal(summary?.refused["path-segments"], 2);
      assert.equal(summary?.refused["repeated-segments"], 1);
      assert.equal(summary?.refused["url-too-long"], 1);
    },
  );
});

test("pages of a host and links of a page have their limits", async () => {
  await withWeb(
    (port) => ({
      "a.test": {
        pages: { ...star(20), "/": linking(`http://b.test:${port}/`, "/0", "/1", "/2") },
      },
      "b.test": { pages: star(20) },
    }),
    async (web) => {
      const { summary } = await web.crawl(
        ["a.test/"],
        ["--scope", "any", "--set", "limits.pagesPerHost=3"],
      );
      assert.deepEqual(summary?.status, { 200: 6 });
      assert.equal(summary?.refused["host-limit"], 1 + 18);
      const few = await web.crawl(["b.test/"], ["--set", "limits.linksPerPage=5"]);
      assert.equal(few.summary?.pages, 6);
    },
  );
});

test("a limit on bytes ends the crawl soon after", async () => {
  const big = { body: `<p>${"x".repeat(10_000)}` };
  const pages = { "/": linking("/1", "/2", "/3", "/4", "/5"), "/1": big, "/2": big, "/3": big };
  await withWeb(
    () => ({ "a.test": { pages: { ...pages, "/4": big, "/5": big } } }),
    async (web) => {
      const { code, summary } = await web.crawl(["a.test/"], ["--max-bytes", "15k"]);
      assert.equal(code, 0);
      assert.equal(summary?.reason, "limit");
      assert.deepEqual(web.asked, ["a.test/", "a.test/1", "a.test/2"]);
    },
  );
});

test("a limit on time ends a crawl that would wait for ever, with 0 even without a page", async () => {
  await withWeb(
    () => ({ "a.test": { pages: { "/": { ...linking(), delayMs: 400 } } } }),
    async (web) => {
      const { code, summary } = await web.crawl(["a.test/"], ["--max-time", "50ms"]);
      assert.equal(code, 0);
      assert.deepEqual([summary?.state, summary?.reason], ["finished", "limit"]);
    },
  );
});

test("a limit that ends a crawl whose seeds failed ends it with 5 and the reason", async () => {
  const missing = { status: 404, body: "x".repeat(10_000) };
  await withWeb(
    () => ({ "a.test": { pages: { "/1": missing, "/2": missing, "/3": missing } } }),
    async (web) => {
      const seeds = ["a.test/1", "a.test/2", "a.test/3"];
      const { code, summary, terminal } = await web.crawl(seeds, ["--max-bytes", "15k"]);
      assert.deepEqual([code, summary?.reason, summary?.pages], [5, "limit", 0]);
      assert.match(terminal.said, /no page could be fetched: status 404 \(2\)\./);
    },
  );
});

test("redirects have a limit, and a loop of them ends", async () => {
  const to = (place: string): TablePage => ({ status: 302, headers: [["Location", place]] });
  const pages = {
    "/": linking("/1", "/round", "/self"),
    "/1": to("/2"),
    "/2": to("/3"),
    "/3": to("/4"),
    "/4": to("/5"),
    "/5": linking(),
    "/round": to("/back"),
    "/back": to("/round"),
    "/self": to("/self"),
  };
  await withWeb(
    () => ({ "a.test": { pages } }),
    async (web) => {
      const { summary } = await web.crawl(["a.test/"], ["--set", "fetch.maxRedirects=3"]);
      const expected = ["/", "/1", "/2", "/3", "/4", "/back", "/round", "/self"];
      assert.deepEqual(web.asked.sort(), expected.map((path) => `a.test${path}`).sort());
      assert.equal(summary?.refused["too-many-redirects"], 1);
      assert.equal(summary?.refused["redirect-loop"], 1);
    },
  );
});
