/** How far a crawl goes from its seeds, and what filters, directives and lists take out of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";
import type { TablePage } from "../support/lab/table-web.ts";

const moved = (to: string): TablePage => ({ status: 301, headers: [["Location", to]] });

/** A page of each kind of distance from `www.a.test/x/`. */
const WEB: Hosts = (port) => ({
  "www.a.test": {
    pages: {
      "/x/": linking("/x/in", "/x/deep/in", "/out", `http://b.a.test:${port}/sub`, "../up"),
      "/x/in": linking(`http://c.test:${port}/far`),
      "/x/deep/in": linking("/x/deep/er"),
      "/x/deep/er": { body: "er" },
      "/out": { body: "out" },
      "/up": { body: "up" },
    },
  },
  "b.a.test": { pages: { "/sub": linking(`http://c.test:${port}/far`) } },
  "c.test": { pages: { "/far": { body: "far" } } },
});

const PREFIX = ["www.a.test/x/", "www.a.test/x/deep/er", "www.a.test/x/deep/in", "www.a.test/x/in"];
const HOST = ["www.a.test/out", "www.a.test/up", ...PREFIX];
const REACHED: Readonly<Record<string, readonly string[]>> = {
  page: ["www.a.test/x/"],
  prefix: PREFIX,
  host: HOST,
  domain: ["b.a.test/sub", ...HOST],
  any: ["b.a.test/sub", "c.test/far", ...HOST],
};

test("every scope has the pages it promises and no others", async () => {
  for (const [scope, expected] of Object.entries(REACHED)) {
    await withWeb(WEB, async (web) => {
      const { summary } = await web.crawl(["www.a.test/x/"], ["--scope", scope]);
      assert.deepEqual(web.asked.sort(), [...expected].sort(), scope);
      assert.equal(summary?.pages, expected.length);
    });
  }
});

test("a seed that redirects extends the scope to where it leads, hop by hop", async () => {
  await withWeb(
    (port) => ({
      "a.test": { pages: { "/": moved(`http://www.a.test:${port}/`) } },
      "www.a.test": { pages: { "/": moved(`http://home.b.test:${port}/start`) } },
      "home.b.test": {
        pages: {
          "/start": linking("/next", `http://www.a.test:${port}/old`, `http://c.test:${port}/`),
          "/next": moved(`http://c.test:${port}/`),
        },
      },
    }),
    async (web) => {
      const { summary } = await web.crawl(["a.test/"]);
      assert.deepEqual(web.asked.sort(), [
        "a.test/",
        "home.b.test/next",
        "home.b.test/start",
        "www.a.test/",
        "www.a.test/old",
      ]);
      assert.equal(summary?.refused["scope"], 2);
    },
  );
});

test("links to the target of a slow seed's redirect are followed even if found before it", async () => {
  await withWeb(
    (port) => ({
      "a.test": { pages: { "/": linking(`http://www.b.test:${port}/only-from-a`) } },
      "b.test": { pages: { "/": { ...moved(`http://www.b.test:${port}/`), delayMs: 150 } } },
      "www.b.test": { pages: { "/": { body: "b" }, "/only-from-a": { body: "deep" } } },
    }),
    async (web) => {
      const { summary } = await web.crawl(["a.test/", "b.test/"]);
      assert.ok(web.asked.includes("www.b.test/only-from-a"));
      assert.deepEqual(summary?.refused, {});
    },
  );
});

test("--include and --exclude narrow what is scheduled, by filters and by globs", async () => {
  await withWeb(WEB, async (web) => {
    const { summary } = await web.crawl(
      ["www.a.test/x/"],
      ["--include", "*/x/*", "--exclude", "PathEndsWithOneOf(/er)"],
    );
    assert.deepEqual(web.asked.sort(), [
      "www.a.test/x/",
      "www.a.test/x/deep/in",
      "www.a.test/x/in",
    ]);
    assert.equal(summary?.refused["filter-schedule"], 3);
  });
});

test("the filters fetch, parse, follow and store each apply", async () => {
  const text = { headers: [["Content-Type", "text/plain"]] as const, body: "http://a.test/no" };
  const pages = {
    "/": linking("/unfetched", "/unparsed", "/unfollowed", "/unstored", "/text"),
    "/unparsed": linking("/from-unparsed"),
    "/unfollowed": linking("/from-unfollowed"),
    "/unstored": linking("/from-unstored"),
    "/text": text,
  };
  await withWeb(
    () => ({ "a.test": { pages } }),
    async (web) => {
      const without = (path: string) => `not PathEndsWithOneOf(${path})`;
      const { summary, records, lines } = await web.crawl(
        ["a.test/"],
        [
          ...["--set", `filters.fetch="${without("/unfetched")}"`],
          ...["--set", `filters.parse="${without("/unparsed")}"`],
          ...["--set", `filters.follow="${without("/unfollowed")}"`],
          ...["--set", `filters.store="${without("/unstored")}"`],
        ],
      );
      const asked = ["/", "/from-unstored", "/text", "/unfollowed", "/unparsed", "/unstored"];
      assert.deepEqual(
        web.asked.sort(),
        asked.map((path) => `a.test${path}`),
      );
      assert.equal(summary?.refused["filter-fetch"], 1);
      const stored = records.filter(({ type }) => type === "response");
      assert.ok(!stored.some(({ targetUri }) => targetUri?.endsWith("/unstored")));
      assert.equal(stored.length, 5);
      const line = lines.find(({ url }) => url.endsWith("/unstored"));
      assert.deepEqual(line?.notes.at(-1), ["unstored"]);
    },
  );
});

test("nofollow and noarchive are obeyed unless told otherwise", async () => {
  const pages = {
    "/": { body: '<a rel="nofollow" href=/link>x</a><a href=/page>y</a><a href=/secret>z</a>' },
    "/page": { body: '<meta name=robots content=nofollow><a href="/beyond">x</a>' },
    "/secret": {
      body: "<p>do not keep",
      headers: [["Content-Type", "text/html"] as const, ["X-Robots-Tag", "noarchive"] as const],
    },
  };
  await withWeb(
    () => ({ "a.test": { pages } }),
    async (web) => {
      const obeying = await web.crawl(["a.test/"]);
      assert.deepEqual(web.asked.sort(), ["a.test/", "a.test/page", "a.test/secret"]);
      assert.equal(obeying.summary?.refused["nofollow"], 2);
      const secret = obeying.records.filter(({ targetUri }) => targetUri?.endsWith("/secret"));
      assert.deepEqual(
        secret.map(({ type }) => type),
        ["metadata"],
      );
      const ignoring = await web.crawl(
        ["a.test/"],
        ["--set", "politeness={ nofollow: ignore, noarchive: ignore }"],
      );
      assert.deepEqual(ignoring.summary?.status, { 200: 3, 404: 2 });
      const kept = ignoring.records.filter(({ targetUri }) => targetUri?.endsWith("/secret"));
      assert.deepEqual(
        kept.map(({ type }) => type),
        ["request", "response"],
      );
    },
  );
});

test("robots.txt is obeyed unless it is to be ignored", async () => {
  const pages = {
    "/robots.txt": { body: "User-agent: *\nDisallow: /private\n" },
    "/": linking("/private/x", "/public"),
    "/private/x": { body: "x" },
    "/public": { body: "y" },
  };
  await withWeb(
    () => ({ "a.test": { pages } }),
    async (web) => {
      const obeying = await web.crawl(["a.test/"]);
      assert.equal(obeying.summary?.refused["robots"], 1);
      assert.equal(obeying.summary?.pages, 2);
      const robotsRequests = web.entries.filter(({ isRobots }) => isRobots).length;
      const ignoring = await web.crawl(["a.test/"], ["--ignore-robots"]);
      assert.equal(ignoring.summary?.pages, 3);
      assert.equal(web.entries.filter(({ isRobots }) => isRobots).length, robotsRequests);
    },
  );
});

test("blocked hosts and addresses are never asked", async () => {
  await withWeb(
    (port) => ({
      "a.test": {
        pages: { "/": linking(`http://b.test:${port}/`, `http://c.test:${port}/`) },
      },
      "b.test": { pages: { "/": { body: "b" } } },
      "c.test": { addresses: ["127.0.0.9"], pages: { "/": { body: "c" } } },
    }),
    async (web) => {
      const { summary } = await web.crawl(
        ["a.test/"],
        [
          ...["--scope", "any", "--set", "politeness.blockHosts=[b.test]"],
          ...["--set", "politeness.blockAddresses=[127.0.0.8/29]"],
        ],
      );
      assert.deepEqual(web.asked, ["a.test/"]);
      assert.deepEqual(summary?.refused, { address: 1, "host-blocked": 1 });
      assert.deepEqual(summary?.errors, {});
    },
  );
});
