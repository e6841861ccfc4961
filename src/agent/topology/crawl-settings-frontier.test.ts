/** Settings of the provider `frontier`, changed in the middle of a crawl: when what may be fetched. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChangingCrawl, chain, crawlChanging } from "./changing-crawl.fixture.ts";

const MIDDLE_MS = 6500;

const change = (values: Readonly<Record<string, string>>) => ({
  ...{ atMs: MIDDLE_MS, unit: "frontier", values },
});

const web = (...settings: readonly string[]) => ({
  ...{ graph: chain("a", 12), seeds: ["a/0"] },
  settings: ["politeness.hostDelay=1s", ...settings],
});

/** Two hosts at one address. */
const pair = (...settings: readonly string[]) => ({
  ...web(...settings),
  graph: { ...chain("a", 12), ...chain("b", 12) },
  seeds: ["a/0", "b/0"],
});

test("another pause between fetches from a host holds from the next fetch on", async () => {
  const longer = await crawlChanging(web(), change({ "politeness.hostDelay": "4s" }));
  assert.ok(Math.max(...gapsBefore(longer)) < 2000);
  assert.ok(Math.min(...gapsAfter(longer)) >= 4000);
  const none = await crawlChanging(web(), change({ "politeness.hostDelay": "0" }));
  assert.ok(Math.max(...gapsAfter(none)) < 1000);
});

test("a host gets a pause of its own, and loses it again", async () => {
  const own = "{ a.example: { hostDelay: 4s } }";
  const longer = await crawlChanging(pair(), change({ "politeness.hosts": own }));
  const ofOne = ({ pages, askedAtMs, before }: ChangingCrawl, host: string): number[] =>
    askedAtMs.filter((_atMs, at) => at >= before.length && pages[at]?.startsWith(host));
  assert.ok(Math.min(...gaps(ofOne(longer, "a"))) >= 4000);
  assert.ok(Math.max(...gaps(ofOne(longer, "b"))) < 2000);
  const given = web(`politeness.hosts=${own}`);
  const lifted = await crawlChanging(given, change({ "politeness.hosts": "{}" }));
  assert.ok(Math.min(...gapsBefore(lifted)) >= 4000);
  assert.ok(Math.max(...gapsAfter(lifted)) < 2000);
});

test("a pause for addresses can be set and lifted", async () => {
  const set = await crawlChanging(pair(), change({ "politeness.ipDelay": "4s" }));
  assert.ok(Math.min(...gapsBefore(set)) < 1000);
  assert.ok(Math.min(...gapsAfter(set)) >= 4000);
  const options = pair("politeness.ipDelay=2s");
  const lifted = await crawlChanging(options, change({ "politeness.ipDelay": "0" }));
  assert.ok(Math.min(...gapsBefore(lifted)) >= 2000);
  assert.ok(Math.min(...gapsAfter(lifted)) < 1000);
});

test("a robots.txt that is too old by another age is fetched again", async () => {
  const options = web("politeness.robots=obey");
  const { before, after } = await crawlChanging(
    options,
    change({ "politeness.robotsMaxAge": "3s" }),
  );
  assert.equal(before.filter(isRobots).length, 1);
  assert.equal(after[0], "a/robots.txt");
  assert.ok(after.filter(isRobots).length > 2);
});

test("another bound for Crawl-delay shortens the pauses that a host has asked for", async () => {
  const robots = { body: "User-agent: *\nCrawl-delay: 3\n", headers: PLAIN };
  const options = { ...web("politeness.robots=obey"), answers: { "a/robots.txt": robots } };
  const crawl = await crawlChanging(options, change({ "politeness.crawlDelayMax": "1s" }));
  assert.ok(gapsBefore(crawl).some((gapMs) => gapMs >= 3000));
  assert.ok(Math.max(...gapsAfter(crawl)) < 2000);
});

test("a host that is blocked is asked nothing more, and others go on", async () => {
  const { before, after, summary } = await crawlChanging(
    pair(),
    change({ "politeness.blockHosts": "[b.example]" }),
  );
  assert.deepEqual([before.some(isOfB), after.filter(isOfB)], [true, []]);
  assert.ok(after.includes("a/11"));
  assert.ok((summary.refused["host-blocked"] ?? 0) > 0);
});

test("a host that is blocked no more is visited", async () => {
  const graph = { ...chain("a", 12), ...chain("b", 3), "a/11": ["b/0"] };
  const options = { ...web("politeness.blockHosts=[b.example]"), graph };
  const { pages } = await crawlChanging(options, change({ "politeness.blockHosts": "[]" }));
  assert.ok(pages.includes("b/2"));
});

test("another limit of pages per host counts those that came before", async () => {
  const { after, summary } = await crawlChanging(web(), change({ "limits.pagesPerHost": "2" }));
  assert.ok(after.length <= 1, after.join(" "));
  assert.ok((summary.refused["host-limit"] ?? 0) > 0);
});

test("another number of retries counts those that were made", async () => {
  const options = {
    ...web("fetch.retries=100", "fetch.retryWait=1s", "fetch.retryMaxWait=1s"),
    answers: { "a/11": { status: 503 }, "a/0.x": { status: 503 } },
  };
  const { before, after } = await crawlChanging(options, change({ "fetch.retries": "1" }));
  const isTried = (page: string): boolean => page === "a/0.x";
  assert.ok(before.filter(isTried).length > 1);
  assert.ok(after.filter(isTried).length <= 1);
  assert.equal(after.filter((page) => page === "a/11").length, 2);
});

test("another longest wait before a retry holds from the next failure on", async () => {
  const options = {
    ...web(
      "fetch.retries=12",
      "fetch.retryWait=1s",
      "fetch.retryMaxWait=1h",
      "politeness.crawlDelayMax=1s",
    ),
    ...{ graph: { "a/0": [] }, answers: { "a/0": { status: 503 } } },
  };
  const changed = { ...change({ "fetch.retryMaxWait": "2s" }), atMs: 40_000 };
  const crawl = await crawlChanging(options, changed);
  assert.ok(Math.max(...gapsBefore(crawl)) > 10_000, gapsBefore(crawl).join());
  assert.equal(crawl.pages.length, 13);
  assert.ok(
    gapsAfter(crawl).length > 3 && Math.max(...gapsAfter(crawl)) < 4000,
    gapsAfter(crawl).join(),
  );
});

test("robots.txt that is obeyed from now on is fetched before the next page", async () => {
  const robots = { body: "User-agent: *\nDisallow: /\n", headers: PLAIN };
  const options = { ...web(), answers: { "a/robots.txt": robots } };
  const { before, after, summary } = await crawlChanging(
    options,
    change({ "politeness.robots": "obey" }),
  );
  assert.ok(before.length > 3 && !before.some(isRobots));
  assert.deepEqual(after, ["a/robots.txt"]);
  assert.ok((summary.refused["robots"] ?? 0) > 0, JSON.stringify(summary.refused));
});

test("robots.txt that is ignored from now on keeps nothing back any more", async () => {
  const robots = { body: "User-agent: *\nDisallow: /8\n", headers: PLAIN };
  const options = {
    ...web("politeness.robots=obey"),
    answers: { "a/robots.txt": robots },
  };
  const usual = await crawlChanging(options);
  assert.ok(usual.pages.includes("a/7") && !usual.pages.includes("a/8"));
  const { pages } = await crawlChanging(options, change({ "politeness.robots": "ignore" }));
  assert.ok(pages.includes("a/8") && pages.includes("a/11"), pages.join(" "));
});

test("more memory for the frontier lets more hosts be awake at once", async () => {
  const hosts = Array.from({ length: 4000 }, (_, at) => `h${at}`);
  const options = {
    ...web("fetch.concurrency=2"),
    graph: Object.fromEntries(hosts.map((host) => [`${host}/0`, []])),
    ...{ seeds: hosts.map((host) => `${host}/0`), delayMsOf: () => 100 },
  };
  const statesAfter = async (values: Readonly<Record<string, string>>): Promise<number> => {
    let most = 0;
    const crawl = await crawlChanging(
      {
        ...options,
        prepared: (running, { clock }) => {
          for (const atMs of [30_000, 60_000, 90_000]) {
            clock.after(atMs, () => {
              most = Math.max(most, running.summary().memory["states"] ?? 0);
            });
          }
        },
      },
      change(values),
    );
    assert.deepEqual([crawl.answers[0]?.ok, crawl.pages.length], [true, 4000]);
    return most;
  };
  const little = await statesAfter({ "frontier.memory": "1Mi" });
  const much = await statesAfter({ "frontier.memory": "64Mi" });
  assert.ok(much > 2 * little, `${little} bytes with 1 MiB, ${much} with 64 MiB`);
});

test("waits before retries that do not fit together are refused, and nothing changes", async () => {
  const changed = change({ "fetch.retryWait": "20m", "politeness.hostDelay": "1h" });
  const crawl = await crawlChanging(web(), changed);
  const [answer] = crawl.answers;
  assert.ok(answer?.ok === false && answer.code === "CONFIG_INVALID", JSON.stringify(answer));
  assert.match(answer.message, /fetch\.retryWait is 20m and must not be more than/);
  assert.ok(Math.max(...gapsAfter(crawl)) < 2000);
});

const PLAIN = [["Content-Type", "text/plain"]] as const;

function isRobots(page: string): boolean {
  return page.endsWith("/robots.txt");
}

function isOfB(page: string): boolean {
  return page.startsWith("b/");
}

function gapsBefore({ askedAtMs, before }: ChangingCrawl): number[] {
  return gaps(askedAtMs.slice(0, before.length));
}

/** Without the first fetch after the change, whose pause may have begun before. */
function gapsAfter({ askedAtMs, before }: ChangingCrawl): number[] {
  return gaps(askedAtMs.slice(before.length));
}

function gaps(atMs: readonly number[]): number[] {
  return atMs.slice(1).map((time, at) => time - (atMs[at] ?? 0));
}
