/**
 * A crawl is killed long after its only checkpoint, so that nearly all of it is replayed: what it knows
 * and writes then is what a crawl knows and writes that is not killed.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  crawlVirtually,
  type VirtualCrawl,
  type VirtualCrawlOptions,
} from "../../../test/support/agent/virtual-crawl.ts";
import { urlOf } from "../../../test/support/agent/virtual-web.ts";
import type { Row } from "../../base/seams/index.ts";
import type { Kernel, SimDisk } from "../../lab/simulator/index.ts";
import type { RunningCrawl } from "../crawl/running-crawl.ts";
import type { CrawlSummary } from "../index.ts";

type Answers = NonNullable<VirtualCrawlOptions["answers"]>;
type Answer = Answers[string];

interface Case extends Pick<VirtualCrawlOptions, "graph" | "answers"> {
  readonly name: string;
  readonly settings: readonly string[];
  /** Whether each run is paused for some time before it begins. */
  readonly isPaused?: boolean;
}

/** Moments of a crawl at which it is killed, evenly over its events. */
const MOMENTS = process.env["TROBAR_FULL"] === "1" ? 60 : 4;

const PAUSE_MS = 1000;

/** Each page leads to the next one alone. */
function chain(count: number, nameOf: (at: number) => string): Record<string, string[]> {
  const names = Array.from({ length: count }, (_, at) => nameOf(at));
  return Object.fromEntries(names.map((name, at) => [name, names.slice(at + 1, at + 2)]));
}

function redirect(to: string): Answer {
  return { status: 302, reason: "Found", headers: [["Location", urlOf(to)]] };
}

/** A style sheet that needs another one. */
function sheet(next: string): Answer {
  return {
    headers: [["Content-Type", "text/css"]],
    body: `/* ${next} */ @import "${urlOf(next)}"`,
  };
}

function sitemap(kind: "urlset" | "sitemapindex", ...pages: string[]): Answer {
  const inner = kind === "urlset" ? "url" : "sitemap";
  const entries = pages.map((page) => `<${inner}><loc>${urlOf(page)}</loc></${inner}>`).join("");
  const body = `<${kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</${kind}>`;
  return { headers: [["Content-Type", "application/xml"]], body };
}

const MUTE: Answer = { oddity: "reset-before-head" };
const TWIN = "<title>twin</title>the same words in both";
const SAME = Array.from({ length: 6 }, (_, at) => `h${at}/same`);
const SHEETS = Array.from({ length: 9 }, (_, at) => `h0/s${at}`);

/** Pages of all kinds, one of a host that does not exist. */
const KINDS: Pick<Case, "graph" | "answers"> = {
  graph: {
    "h0/0": ["h0/r0", "h0/long", "h0/mute", "h0/t1", "h1/t2", "h1/private", "h1/0", "nowhere/0"],
  },
  answers: {
    ...{ "h0/r0": redirect("h0/r1"), "h0/r1": redirect("h0/r2"), "h0/r2": redirect("h0/r3") },
    "h0/long": { body: `<title>long</title>${"and on ".repeat(100)}` },
    ...{ "h0/mute": MUTE, "h0/t1": { body: TWIN } },
    "h1/t2": { body: TWIN },
    "h1/private": {
      body: `<meta name="robots" content="noarchive"><a href="${urlOf("h1/secret")}">a</a>`,
    },
  },
};
const LIMITS = ["fetch.maxRedirects=2", "fetch.maxBody=600"];
const LINES = ["store.kind=jsonl", "store.compression=none", "store.level=~"];

const SETTINGS = ["politeness.hostDelay=100ms", "store.checkpoint=1h", "fetch.retries=0"];

const CASES: readonly Case[] = [
  { name: "pages of all kinds", settings: LIMITS, ...KINDS },
  { name: "pages of all kinds, as lines of JSON", settings: [...LIMITS, ...LINES], ...KINDS },
  {
    name: "a limit on the depth inside hosts",
    settings: ["limits.hostDepth=2"],
    graph: {
      ...chain(5, (at) => `h0/${at}`),
      "h0/1": ["h0/2", "h1/0"],
      ...chain(4, (at) => `h1/${at}`),
    },
  },
  {
    name: "requisites that need others, and a limit on the pages of a host",
    settings: ["parse.requisites=true", "limits.pagesPerHost=4"],
    graph: chain(6, (at) => `h0/${at}`),
    answers: {
      "h0/0": {
        body: [
          `<link rel="stylesheet" href="${urlOf("h0/s0")}"><a href="${urlOf("h0/1")}">1</a>`,
          `<img src="${urlOf("nowhere/image")}">`,
        ].join(""),
      },
      ...Object.fromEntries(SHEETS.map((name, at) => [name, sheet(SHEETS[at + 1] ?? "h0/end")])),
    },
  },
  {
    name: "sitemaps",
    settings: ["sitemaps=true", "politeness.robots=obey"],
    graph: { ...chain(4, (at) => `h0/${at}`), "h0/listed": [], "h0/also": [] },
    answers: {
      "h0/robots.txt": {
        headers: [["Content-Type", "text/plain"]],
        body: `Sitemap: ${urlOf("h0/map.xml")}`,
      },
      "h0/map.xml": sitemap("sitemapindex", "h0/part.xml"),
      "h0/part.xml": sitemap("urlset", "h0/listed", "h0/also"),
    },
  },
  {
    name: "sitemaps of hosts without further pages",
    settings: ["sitemaps=true", "politeness.robots=obey"],
    graph: { "h0/0": [], "h0/listed": [] },
    answers: {
      "h0/robots.txt": {
        headers: [["Content-Type", "text/plain"]],
        body: `Sitemap: ${urlOf("h0/map.xml")}\nCrawl-delay: 1`,
      },
      "h0/map.xml": sitemap("urlset", "h0/listed"),
    },
  },
  {
    name: "pages with the same text, of which one is followed",
    settings: ["filters.follow=not IsDuplicate()", "politeness.hostDelay=1ms"],
    graph: { "h0/0": SAME },
    answers: Object.fromEntries(
      SAME.map((name, at) => {
        const link = `<a href="${urlOf(`h${at}/on`)}">on</a>`;
        const body = `<title>the same but for numbers</title>page ${at} ${link}`;
        // They always come in this order.
        return [name, { body, delayMs: 200 * at }];
      }),
    ),
  },
  {
    name: "more pages than are read ahead",
    settings: ["politeness.hostDelay=1ms"],
    isPaused: true,
    graph: { "h0/0": Array.from({ length: 100 }, (_, at) => `h0/p${at}`) },
  },
];

for (const { name, settings, isPaused = false, ...web } of CASES) {
  test(`a crawl that is killed leaves what it would have left (${name})`, async () => {
    const options = {
      ...{ seeds: ["h0/0", "h2/mute", "nowhere/seed"], graph: web.graph },
      answers: { ...web.answers, "h2/mute": MUTE },
      addressOf: (host: string) => (host === "nowhere" ? null : "127.0.0.1"),
      settings: [...SETTINGS, ...settings],
      controlled: (crawl: RunningCrawl, kernel: Kernel) => {
        if (!isPaused) return;
        crawl.life.pause();
        kernel.schedule(PAUSE_MS, () => crawl.life.resume());
      },
    };
    const whole = await crawled(options);
    for (let moment = 1; moment <= MOMENTS; moment += 1) {
      const steps = Math.floor((whole.steps * moment) / (MOMENTS + 1));
      const killed = await crawled({ ...options, kills: [{ steps, isPower: false }] });
      assert.deepEqual(killed.left, whole.left, `killed after ${steps} events`);
    }
  });
}

/** A crawl, what it left, and how many events there were. */
async function crawled(options: VirtualCrawlOptions): Promise<{ left: object; steps: number }> {
  const worlds: { disk: SimDisk; kernel: Kernel }[] = [];
  const beforeRun: VirtualCrawlOptions["beforeRun"] = (_run, disk, kernel) =>
    void worlds.push({ disk, kernel });
  const crawl = await crawlVirtually({ ...options, beforeRun });
  const [world] = worlds;
  assert(world !== undefined, "a crawl has a disk");
  const rows = world.disk.database("crawl.db").rowsAfter("pages", null, 1_000_000);
  return { left: leftBy(crawl, rows), steps: world.kernel.steps };
}

function leftBy(
  { lines, summary, reports, spooled, stored }: VirtualCrawl,
  rows: readonly Row[],
): object {
  const isPage = (url: string): boolean => !/\.(?:txt|xml)$/.test(url);
  return {
    ...{ reports, spooled, summary: counted(summary) },
    rows: rows.map(settledRow).sort(byUrl),
    stored: stored.map((line) => settledRow(JSON.parse(line) as Row)).sort(byUrl),
    lines: lines
      .filter(({ url }) => isPage(url))
      .map(({ url, result, depth, via, notes }) => ({ url, result, depth, via, notes }))
      .sort(byUrl),
  };
}

/** What does not depend on when it was fetched, and by which process. */
function settledRow(row: Row): Row & { url: string } {
  const { number, checksum, fetched_at: at, fetchedAt, warc, offset, length, ...rest } = row;
  return { ...rest, url: String(row["url"]) };
}

function counted(summary: CrawlSummary): object {
  const { pages, fetches, status, errors, refused, urls, queued, state, reason } = summary;
  const { failedSeeds, duplicates, truncated } = summary;
  return {
    ...{ pages, fetches, status, errors, refused, urls, queued, state, reason },
    ...{ seeds: failedSeeds.map(({ url, why }) => [url, why]), duplicates, truncated },
  };
}

function byUrl(one: { readonly url: string }, other: { readonly url: string }): number {
  return one.url < other.url ? -1 : 1;
}
