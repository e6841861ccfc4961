/** Settings of the providers `web` and `recently-seen`, changed in the middle of a crawl. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChangingCrawl, chain, crawlChanging } from "./changing-crawl.fixture.ts";

/** After each page its host is left alone for twice as long as it took. */
const MIDDLE_MS = 130_000;

const change = (values: Readonly<Record<string, string>>, unit = "web") => ({
  ...{ atMs: MIDDLE_MS, unit, values },
});

/** Every page takes ten seconds. */
const SLOW = {
  ...{ graph: chain("a", 12), seeds: ["a/0"], delayMsOf: () => 10_000 },
  settings: ["politeness.hostDelay=1s", "fetch.retries=0"],
};

for (const [name, values] of [
  ["a header", { "fetch.headerTimeout": "5s" }],
  [
    "a whole answer",
    {
      ...{ "fetch.totalTimeout": "5s", "fetch.connectTimeout": "5s" },
      ...{ "fetch.headerTimeout": "5s", "fetch.idleTimeout": "5s" },
    },
  ],
] as const) {
  test(`a shorter time for ${name} ends the next fetches`, async () => {
    const crawl = await crawlChanging(SLOW, change(values));
    assert.deepEqual(
      crawl.answers.map(({ ok }) => ok),
      [true],
    );
    assert.ok(crawl.before.length > 3);
    // The fetch in flight keeps the time with which it began.
    assert.deepEqual(resultsBefore(crawl), new Set([200]));
    assert.deepEqual(resultsAfter(crawl), new Set(["FETCH_TIMED_OUT"]));
  });
}

test("a longer time lets fetches end well that would have failed", async () => {
  const settings = [...SLOW.settings, "fetch.headerTimeout=5s"];
  const options = { ...SLOW, settings, seeds: Object.keys(SLOW.graph) };
  const longer = { ...change({ "fetch.headerTimeout": "20s" }), atMs: 20_000 };
  const crawl = await crawlChanging(options, longer);
  assert.deepEqual(resultsBefore(crawl), new Set(["FETCH_TIMED_OUT"]));
  assert.deepEqual(resultsAfter(crawl), new Set([200]));
});

for (const [key, name] of [
  ["connectTimeout", "connectTimeoutMs"],
  ["headerTimeout", "headerTimeoutMs"],
  ["idleTimeout", "idleTimeoutMs"],
  ["totalTimeout", "totalTimeoutMs"],
] as const) {
  test(`the fetcher is given another ${key} with the next page`, async () => {
    const { limits, before } = await crawlChanging(SLOW, change({ [`fetch.${key}`]: "21s" }));
    const values = limits.map((one) => one[name]);
    assert.ok(values.slice(0, before.length).every((ms) => ms !== 21_000));
    assert.ok(values.slice(before.length).every((ms) => ms === 21_000));
  });
}

test("the fetcher is given another least rate with the next page", async () => {
  const { limits, before, after } = await crawlChanging(SLOW, change({ "fetch.minRate": "77" }));
  const rates = limits.map((one) => one.bytesPerSecondMin);
  assert.ok(before.length > 3 && after.length > 3);
  assert.deepEqual(new Set(rates.slice(0, before.length)), new Set([500]));
  assert.deepEqual(new Set(rates.slice(before.length)), new Set([77]));
});

test("bodies are cut at another size", async () => {
  const options = { ...SLOW, answers: { "a/11": { body: "x".repeat(5000) } } };
  const { lines } = await crawlChanging(options, change({ "fetch.maxBody": "1000" }));
  const last = lines.find(({ url }) => url === "http://a.example/11");
  assert.equal(last?.bodyBytes, 1000);
  assert.deepEqual(
    last?.notes.filter(([word]) => word === "truncated"),
    [["truncated", "length"]],
  );
});

test("an address that is blocked is connected to no more", async () => {
  const graph = { ...chain("a", 12), ...chain("b", 12) };
  const addressOf = (host: string) => (host === "b" ? "127.0.0.2" : "127.0.0.1");
  const options = { ...SLOW, graph, addressOf, seeds: ["a/0", "b/0"] };
  const { before, after, summary } = await crawlChanging(
    options,
    change({ "politeness.blockAddresses": "[127.0.0.2]" }),
  );
  const isOfB = (page: string): boolean => page.startsWith("b/");
  assert.deepEqual([before.some(isOfB), after.filter(isOfB)], [true, []]);
  assert.ok(after.includes("a/11"));
  assert.ok((summary.errors["FETCH_ADDRESS_REFUSED"] ?? 0) > 0, JSON.stringify(summary));
});

test("a timeout that is longer than that of the whole fetch is refused", async () => {
  const { answers, lines } = await crawlChanging(SLOW, change({ "fetch.totalTimeout": "2s" }));
  const [answer] = answers;
  assert.ok(answer?.ok === false && answer.code === "CONFIG_INVALID", JSON.stringify(answer));
  assert.match(answer.message, /fetch\.connectTimeout is 10s and must not be more than/);
  assert.deepEqual(new Set(lines.map(({ result }) => result)), new Set([200, 404]));
});

test("the table of URLs seen a moment ago gets another size, and the crawl is the same", async () => {
  const usual = await crawlChanging(SLOW);
  const values = { "frontier.recentlySeen": "1000" };
  const { pages, summary } = await crawlChanging(SLOW, change(values, "recently-seen"));
  assert.deepEqual(pages, usual.pages);
  assert.ok((summary.memory["recent"] ?? 0) < (usual.summary.memory["recent"] ?? 0) / 2);
});

/** Of the pages that were asked for before the change; those that are not found take no time. */
function resultsBefore({ lines, before }: ChangingCrawl): Set<number | string> {
  return resultsOf(lines.slice(0, before.length));
}

function resultsAfter({ lines, before }: ChangingCrawl): Set<number | string> {
  return resultsOf(lines.slice(before.length));
}

function resultsOf(lines: ChangingCrawl["lines"]): Set<number | string> {
  return new Set(lines.map(({ result }) => result).filter((result) => result !== 404));
}

const WIDE = {
  graph: Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`h${at}/0`, []])),
  seeds: Array.from({ length: 120 }, (_, at) => `h${at}/0`),
};

test("pages are requested at the rate that is set, and at another from then on", async () => {
  let idle: unknown = null;
  const crawl = await crawlChanging(
    {
      ...WIDE,
      settings: ["fetch.pagesPerSecond=5"],
      prepared: (running, { clock }) => {
        // Between two requests, which are 200 ms apart.
        clock.after(5100, () => {
          ({ idle } = running.summary());
        });
      },
    },
    { atMs: 10_000, unit: "web", values: { "fetch.pagesPerSecond": "20" } },
  );
  assert.equal(crawl.pages.length, 120);
  assert.equal((idle as Record<string, number>)["rate"], 1);
  assert.ok(Math.abs(crawl.before.length - 54) <= 2, `${crawl.before.length} in ten seconds`);
  const lastMs = Math.max(...crawl.askedAtMs) - Math.min(...crawl.askedAtMs);
  assert.ok(lastMs > 13_000 && lastMs < 14_000, `${lastMs}`);
});

test("a rate that is lifted lets the rest go at once", async () => {
  const crawl = await crawlChanging(
    { ...WIDE, settings: ["fetch.pagesPerSecond=1"] },
    { atMs: 3500, unit: "web", values: { "fetch.pagesPerSecond": "~" } },
  );
  assert.ok(crawl.before.length <= 4);
  assert.equal(crawl.pages.length, 120);
  const restMs = crawl.askedAtMs.slice(crawl.before.length);
  assert.ok(Math.max(...restMs) - Math.min(...restMs) < 500, restMs.join(" "));
});
