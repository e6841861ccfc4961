/** When the bytes or the time of a crawl are used up, nothing is requested any more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { crawlVirtually, type VirtualCrawlOptions } from "../support/agent/virtual-crawl.ts";

const SEEDS = process.env["TROBAR_FULL"] === "1" ? 40 : 6;
const HOSTS = Array.from({ length: 12 }, (_, number) => `h${number}`);
const PAGES = Array.from({ length: 30 }, (_, number) => number);

/** Every page leads to others, also of other hosts, and needs an image. */
const WEB: VirtualCrawlOptions = {
  graph: Object.fromEntries(
    HOSTS.flatMap((host, at) =>
      PAGES.map((page) => [
        `${host}/${page}`,
        [`${host}/${page + 1}`, `h${(at + page) % HOSTS.length}/${page + 2}`],
      ]),
    ),
  ),
  answers: Object.fromEntries(
    HOSTS.flatMap((host, at) =>
      PAGES.slice(1, 10).map((page) => {
        const other = `//h${(at + page) % HOSTS.length}.example/${page}`;
        const links = `<a href="/${page + 1}">next</a><a href="${other}">other</a>`;
        return [`${host}/${page}`, { body: `<img src="/${page}.png">${links}${"x".repeat(3000)}` }];
      }),
    ),
  ),
  seeds: ["h0/0", "h1/0"],
  delayMsOf: (page) => page.length * 13,
};

interface Spent {
  readonly bytes: number;
  readonly seconds: number;
}

/** Crawls to the limit, and fails if a request begins when the crawl has used up what it may. */
async function crawlTo(
  limit: string,
  seed: string,
  isSpent: (spent: Spent) => boolean,
): Promise<void> {
  let crawling: (() => Spent) | null = null;
  const late: string[] = [];
  const settings = [
    limit,
    "politeness.robots=obey",
    "politeness.hostDelay=10ms",
    "fetch.concurrency=2",
  ];
  const { summary, pages } = await crawlVirtually({
    ...{ ...WEB, seed, settings: [...settings, "parse.requisites=true"] },
    prepared: (running) => {
      crawling = () => running.summary();
    },
    requested: (page) => {
      if (crawling !== null && isSpent(crawling())) late.push(page);
    },
  });
  assert.deepEqual([summary.state, summary.reason], ["finished", "limit"], seed);
  assert.deepEqual(late, [], seed);
  assert.ok(isSpent(summary) && pages.length > 5, seed);
  assert.ok(pages.some((page) => page.endsWith(".png")) && pages.includes("h0/robots.txt"), seed);
}

test("after the limit on bytes neither pages nor requisites nor robots.txt are requested", async () => {
  for (let number = 0; number < SEEDS; number += 1) {
    const bytesMax = 20_000 + number * 3000;
    await crawlTo(`limits.bytes=${bytesMax}`, `${number}`, ({ bytes }) => bytes >= bytesMax);
  }
});

test("after the limit on time nothing is requested", async () => {
  for (let number = 0; number < SEEDS; number += 1) {
    const ms = 3000 + number * 170;
    await crawlTo(`limits.time=${ms}ms`, `${number}`, ({ seconds }) => seconds >= ms / 1000);
  }
});
