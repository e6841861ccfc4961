/** Settings of `steering`, `links` and `rules` that say how much is fetched at once and what is followed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CONFIGURATION_SCHEMA } from "../../rules/config/index.ts";
import { Schema } from "../../rules/settings/index.ts";
import { type ChangingCrawl, chain, crawlChanging } from "./changing-crawl.fixture.ts";
import { crawlLibrary } from "./crawl-library.ts";

const MIDDLE_MS = 6500;

const WEB = { graph: chain("a", 12), seeds: ["a/0"], settings: ["politeness.hostDelay=1s"] };

const change = (unit: string, values: Readonly<Record<string, string>>, atMs = MIDDLE_MS) => ({
  ...{ atMs, unit, values },
});

/** Pages of as many hosts, each of which takes ten seconds. */
const PAGE_MS = 10_000;
const hosts = Array.from({ length: 60 }, (_, at) => `h${at}/0`);
const MANY = {
  graph: Object.fromEntries(hosts.map((page) => [page, []])),
  ...{ seeds: hosts, delayMsOf: () => PAGE_MS },
};

/** The most pages that were fetched at once, of those asked for in this time. */
function mostAtOnce({ askedAtMs }: ChangingCrawl, fromMs: number, untilMs: number): number {
  const within = askedAtMs.filter((atMs) => atMs >= fromMs && atMs < untilMs);
  const atOnce = (nowMs: number): number =>
    askedAtMs.filter((atMs) => atMs <= nowMs && nowMs < atMs + PAGE_MS).length;
  return Math.max(...within.map(atOnce));
}

for (const [before, after] of [
  [3, 12],
  [12, 3],
] as const) {
  test(`${after} pages are fetched at once where it was ${before}, from now on`, async () => {
    const options = { ...MANY, settings: [`fetch.concurrency=${before}`] };
    const values = { "fetch.concurrency": String(after) };
    const crawl = await crawlChanging(options, change("steering", values, 25_000));
    assert.deepEqual([crawl.answers[0]?.ok, crawl.pages.length], [true, hosts.length]);
    assert.equal(mostAtOnce(crawl, 0, 25_000), before);
    // Those in flight go on.
    assert.equal(mostAtOnce(crawl, 25_000 + PAGE_MS, Number.POSITIVE_INFINITY), after);
  });
}

test("a number of walkers follows the number of connections", async () => {
  const graph = Object.fromEntries(hosts.map((page, at) => [page, [hosts[(at + 7) % 60] ?? page]]));
  const options = {
    ...{ ...MANY, graph },
    settings: ["fetch.concurrency=3", "frontier.traversal=random-walk", "limits.pages=200"],
  };
  const values = { "fetch.concurrency": "20" };
  const crawl = await crawlChanging(options, change("steering", values, 55_000));
  assert.ok(mostAtOnce(crawl, 0, 55_000) <= 3);
  assert.ok(mostAtOnce(crawl, 55_000, Number.POSITIVE_INFINITY) > 10);
});

test("links that ask not to be followed are, or are not, from now on", async () => {
  const graph = chain("a", 12);
  const aside = (at: number) =>
    `<a href="/${at}.x" rel="nofollow">x</a><a href="/${at + 1}">on</a>`;
  const html = [["Content-Type", "text/html"]] as const;
  const pages = Object.fromEntries(
    Array.from({ length: 11 }, (_, at) => [`a/${at}`, { body: aside(at), headers: html }]),
  );
  const options = { ...WEB, graph, answers: pages };
  const isAside = (page: string): boolean => page.endsWith(".x");
  const ignored = await crawlChanging(
    options,
    change("links", { "politeness.nofollow": "ignore" }),
  );
  assert.deepEqual([ignored.before.some(isAside), ignored.after.some(isAside)], [false, true]);
  const settings = [...WEB.settings, "politeness.nofollow=ignore"];
  const obeyed = await crawlChanging(
    { ...options, settings },
    change("links", { "politeness.nofollow": "obey" }),
  );
  assert.ok(obeyed.before.some(isAside) && obeyed.after.filter(isAside).length <= 1);
  assert.ok(obeyed.pages.includes("a/11"));
});

test("pages that ask not to be archived are, or are not, from now on", async () => {
  const html = [
    ["Content-Type", "text/html"],
    ["X-Robots-Tag", "noarchive"],
  ] as const;
  const answers = Object.fromEntries(
    Array.from({ length: 11 }, (_, at) => [
      `a/${at}`,
      { body: `<a href="/${at + 1}">on</a>`, headers: html },
    ]),
  );
  const notes = (crawl: ChangingCrawl): boolean[] =>
    crawl.lines
      .filter(({ result, url }) => result === 200 && !url.endsWith("/11"))
      .map((line) => line.notes.some(([word]) => word === "noarchive"));
  const options = { ...WEB, answers };
  const kept = await crawlChanging(options, change("rules", { "politeness.noarchive": "ignore" }));
  const [keptBefore, keptAfter] = [notes(kept).slice(0, 4), notes(kept).slice(-2)];
  assert.deepEqual([new Set(keptBefore), new Set(keptAfter)], [new Set([true]), new Set([false])]);
  const settings = [...WEB.settings, "politeness.noarchive=ignore"];
  const left = await crawlChanging(
    { ...options, settings },
    change("rules", { "politeness.noarchive": "obey" }),
  );
  assert.deepEqual([notes(left)[0], notes(left).at(-1)], [false, true]);
});

test("links lead as far from the seeds as another depth says", async () => {
  const settings = [...WEB.settings, "limits.depth=8"];
  const further = await crawlChanging(
    { ...WEB, settings },
    change("links", { "limits.depth": "10" }),
  );
  assert.ok(further.pages.includes("a/10") && !further.pages.includes("a/11"));
  const nearer = await crawlChanging(
    { ...WEB, settings },
    change("links", { "limits.depth": "1" }),
  );
  assert.ok(nearer.after.length <= 2, nearer.after.join(" "));
});

test("a depth is neither set nor lifted while a crawl runs, which is said", async () => {
  for (const [settings, depth, why] of [
    [WEB.settings, "5", /limits\.depth cannot be set .* fixed when the crawl starts/],
    [[...WEB.settings, "limits.depth=9"], "~", /limits\.depth cannot be lifted .* fixed when/],
  ] as const) {
    const { answers, pages } = await crawlChanging(
      { ...WEB, settings },
      change("links", { "limits.depth": depth, "politeness.nofollow": "ignore" }),
    );
    const [answer] = answers;
    assert.ok(answer?.ok === false && answer.code === "TOPOLOGY_REFUSED", JSON.stringify(answer));
    assert.match(answer.message, why);
    assert.ok(pages.includes("a/9"));
  }
});

test("every key that cannot be changed is refused with the reason", async () => {
  const cases = [
    ["fetch.proxy", /"fetch\.proxy" cannot be changed: it is read when the crawl starts/],
    [
      "frontier.shards",
      /"frontier\.shards" cannot be changed: it is fixed when the crawl is created/,
    ],
    ["limits.pages", /"limits\.pages" cannot be changed: it is a setting of steering/],
    ["limits.page", /"limits\.page" is not a key of web/],
  ] as const;
  const changes = cases.map(([key]) => change("web", { [key]: "5" }));
  const { answers } = await crawlChanging(WEB, ...changes);
  for (const [at, [, why]] of cases.entries()) {
    const answer = answers[at];
    assert.ok(answer?.ok === false && answer.code === "CONFIG_INVALID", JSON.stringify(answer));
    assert.match(answer.message, why);
  }
});

test("each key of the configuration is a setting of one provider, or fixed at all of them", () => {
  const providers = [...crawlLibrary().units.values()].flatMap((unit) =>
    unit.kind === "provider" ? [unit] : [],
  );
  for (const { path } of CONFIGURATION_SCHEMA.keys) {
    const takes = providers.filter((one) => new Schema(one.settings).find(path) !== undefined);
    const refuses = providers.filter((one) => one.fixed?.[path] !== undefined);
    assert.ok(takes.length <= 1, path);
    assert.equal(takes.length + refuses.length, providers.length, path);
  }
});
