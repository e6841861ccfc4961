/**
 * A crawler that does everything right gets a clean verdict; one that does a single thing wrong gets
 * exactly that sin. Over real sockets and real names; the only waiting is the crawler's politeness.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SystemClock } from "../../src/base/time/index.ts";
import {
  DEFAULT_RULES,
  judge,
  ServedWeb,
  type Verdict,
  verdictText,
} from "../../src/lab/simweb/index.ts";
import type { VerdictRules } from "../../src/lab/simweb/verdict/verdict-rules.ts";
import { type Manners, MiniCrawler } from "../support/lab/mini-crawler.ts";
import { type TablePageTruth, TableTruth } from "../support/lab/table-truth.ts";
import { type TableHost, type TablePage, TableWeb } from "../support/lab/table-web.ts";

const RULES: VerdictRules = {
  ...DEFAULT_RULES,
  hostDelayMs: 20,
  addressDelayMs: 8,
  toleranceMs: 0,
  retriesMax: 2,
  retryAfterMsMax: 60,
};

/**
 * Three hosts, two of them on one address, and everything that can be done wrong. `c.example` shares
 * the address of `a.example`; `out.test` is outside the scope.
 */
function hostsAt(port: number, crawlDelayMs: number, slowMs: number): Record<string, TableHost> {
  const busy: TablePage = { status: 503, reason: "Busy", headers: [["Retry-After", "1"]] };
  const at = (host: string, target = "/"): string => `http://${host}:${port}${target}`;
  return {
    "a.example": {
      addresses: ["127.0.10.1"],
      pages: {
        "/robots.txt": { body: "User-agent: *\nDisallow: /private\n" },
        "/": page(
          ["/1", "/1?utm=x", "/3", "/private", at("c.example"), at("b.example"), at("out.test")],
          "/nf",
        ),
        "/1": { ...page(["/2", "/"]), delayMs: slowMs },
        "/2": page(["/deep"]),
        "/3": { ...page([]), delayMs: slowMs },
        "/private": page([]),
        "/nf": page([]),
        "/deep": page([]),
      },
    },
    "b.example": {
      addresses: ["127.0.10.2"],
      pages: {
        "/robots.txt": { body: `User-agent: *\nCrawl-delay: ${crawlDelayMs / 1000}\n` },
        "/": page(["/busy", "/dead", "/blocked"]),
        "/busy": { body: "at last", first: [busy] },
        "/dead": { oddity: "close-before-head" },
        "/blocked": page([]),
      },
    },
    "c.example": { addresses: ["127.0.10.1"], pages: { "/": page([]) } },
    "out.test": { addresses: ["127.0.10.3"], pages: { "/": page([]) } },
  };
}

function page(links: readonly string[], nofollow?: string): TablePage {
  const hidden = nofollow === undefined ? "" : `<a rel=nofollow href="${nofollow}">`;
  return { body: `${links.map((link) => `<a href="${link}">`).join("")}${hidden}` };
}

const PAGES: Readonly<Record<string, TablePageTruth>> = {
  "a.example/": { depth: 0, inLinks: 2 },
  "a.example/1": { depth: 1 },
  "a.example/3": { depth: 1 },
  "a.example/2": { depth: 2 },
  "a.example/private": { depth: 1, forbidden: "robots" },
  "a.example/nf": { depth: 1, forbidden: "nofollow" },
  "a.example/deep": { depth: 3, forbidden: "depth" },
  "b.example/": { depth: 1 },
  "b.example/busy": { depth: 2 },
  "b.example/dead": { depth: 2, ending: "failing" },
  "b.example/blocked": { depth: 2, forbidden: "address" },
  "c.example/": { depth: 1 },
  "out.test/": { depth: 1, forbidden: "scope" },
};

/** What every crawl of these tests leaves alone, as the rules forbid it. */
const skipsBlocked = (url: string): boolean => url.endsWith("/blocked");

interface Scene {
  readonly manners: Partial<Manners>;
  readonly rules?: Partial<VerdictRules>;
  /** What the robots.txt of `b.example` asks for. */
  readonly crawlDelayMs?: number;
  /** How long `/1` and `/3` take. */
  readonly slowMs?: number;
}

async function verdictOn(scene: Scene): Promise<Verdict> {
  const { manners, rules = {}, crawlDelayMs = 50, slowMs = 0 } = scene;
  const clock = new SystemClock();
  const truth = new TableTruth(PAGES, { "b.example": crawlDelayMs });
  const served = await ServedWeb.open({
    clock,
    port: 0,
    dnsPort: 0,
    controlPort: 0,
    makeWeb: (port) => new TableWeb(hostsAt(port, crawlDelayMs, slowMs)),
    truthFor: () => ({ ok: true, truth, summary: {} }),
    rules: RULES,
  });
  const crawler = new MiniCrawler(clock, served.dnsPort, { skips: skipsBlocked, ...manners });
  await crawler.crawl(`http://a.example:${served.port}/`);
  await served.close();
  const { server, web } = served;
  return judge({ log: server.log, web, truth, rules: { ...RULES, ...rules } });
}

interface SinCase extends Scene {
  readonly does: string;
  readonly sins: readonly string[];
  /** Further sins that may follow, depending on timing. */
  readonly mayAlso?: string;
}

const CASES: readonly SinCase[] = [
  { does: "ignores robots.txt", sins: ["forbidden-by-robots"], manners: { obeysRobots: false } },
  {
    does: "never asks for robots.txt",
    sins: ["forbidden-by-robots", "robots-not-first"],
    manners: { asksRobots: false },
  },
  {
    does: "keeps an old robots.txt",
    sins: ["robots-stale"],
    manners: {},
    rules: { robotsMaxAgeMs: 30 },
  },
  {
    does: "visits hosts too soon",
    sins: ["host-too-soon"],
    manners: {},
    rules: { hostDelayMs: 10_000 },
  },
  {
    does: "visits addresses too soon",
    sins: ["address-too-soon"],
    manners: {},
    rules: { addressDelayMs: 10_000 },
  },
  {
    does: "asks a host twice at once",
    sins: ["host-two-at-once", "address-two-at-once"],
    slowMs: 500,
    manners: { rushes: (url) => url.endsWith("/3") },
  },
  {
    does: "asks two hosts of one address at once",
    sins: ["address-two-at-once"],
    mayAlso: "address-too-soon",
    slowMs: 500,
    manners: { rushes: (url) => url.includes("c.example") },
  },
  {
    does: "ignores Crawl-delay",
    sins: ["ignored-crawl-delay"],
    manners: { obeysCrawlDelay: false },
    crawlDelayMs: 10_000,
  },
  {
    does: "ignores Retry-After",
    sins: ["ignored-retry-after"],
    manners: { obeysRetryAfter: false },
    rules: { retryAfterMsMax: 600_000 },
  },
  { does: "follows nofollow", sins: ["followed-nofollow"], manners: { followsNofollow: true } },
  { does: "leaves the scope", sins: ["left-scope"], manners: { scope: /./ } },
  { does: "goes too deep", sins: ["went-too-deep"], manners: { depthMax: 3 } },
  { does: "takes blocked addresses", sins: ["forbidden-address"], manners: { skips: () => false } },
  {
    does: "misses pages",
    sins: ["missed-page"],
    manners: { skips: (url) => skipsBlocked(url) || url.endsWith("/2") },
  },
  {
    does: "misses a whole host",
    sins: ["missed-page"],
    manners: { skips: (url) => url.includes("b.example") },
  },
  {
    does: "takes textual variants for other pages",
    sins: ["fetched-again"],
    manners: { keyOf: (url) => url },
  },
  {
    does: "gives up at the first failure",
    sins: ["missed-page", "gave-up-early"],
    manners: { retriesMax: 0 },
  },
  { does: "never gives up", sins: ["retried-too-often"], manners: { retriesMax: 5 } },
  {
    does: "fetches more than its limit",
    sins: ["exceeded-limit"],
    manners: {},
    rules: { pagesMax: 3 },
  },
  { does: "guesses URLs", sins: ["made-up-url"], manners: { guesses: ["/favicon.ico"] } },
  {
    does: "connects to another address than the host's",
    sins: ["wrong-address"],
    manners: { address: (host, found) => (host === "b.example" ? "127.0.10.1" : found) },
  },
  { does: "does not say who it is", sins: ["no-user-agent"], manners: { userAgent: () => "" } },
  {
    does: "changes its name",
    sins: ["changing-user-agent"],
    manners: { userAgent: (request) => `Mini/${request}` },
  },
  {
    does: "gives a library's name",
    sins: ["library-user-agent"],
    manners: { userAgent: () => "python-requests/2.31.0" },
  },
  {
    does: "pretends to be a browser",
    sins: ["browser-user-agent"],
    manners: { userAgent: () => "Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0" },
  },
  {
    does: "gives another name than agreed",
    sins: ["wrong-user-agent"],
    manners: {},
    rules: { userAgent: "Trobar/1.0" },
  },
];

describe("the verdict", { concurrency: true }, () => {
  test("on a crawler that does everything right is clean", async () => {
    const verdict = await verdictOn({ manners: {} });
    assert.deepEqual(verdict.sins, [], verdictText(verdict));
    assert.deepEqual([verdict.coverage, verdict.overlap], [1, 0]);
    assert.deepEqual([verdict.fetches.retries, verdict.fetches.robots], [3, 3]);
    assert.ok((verdict.visits.smallestHostGapMs ?? 0) >= 20);
    assert.ok((verdict.visits.smallestAddressGapMs ?? 0) >= 8);
    assert.equal(verdict.visits.addressFetchesAtOnceMax, 1);
    assert.equal(verdict.order.byDepthWithinHosts, 1);
  });

  for (const { does, sins, mayAlso, ...scene } of CASES) {
    test(`on a crawler that ${does} names ${sins.join(" and ")}`, async () => {
      const verdict = await verdictOn(scene);
      const named = verdict.sins.map(({ sin }) => sin as string).filter((sin) => sin !== mayAlso);
      assert.deepEqual(named.sort(), [...sins].sort(), verdictText(verdict));
      for (const { examples } of verdict.sins) assert.ok(examples.length > 0);
    });
  }
});
