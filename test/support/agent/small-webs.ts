/** Small webs that crawls are judged by: what they are like, and with which settings they are crawled. */
import assert from "node:assert/strict";
import type { DemoJudgement, DemoWeb, DemoWebFacts } from "../../../src/cli/demo/demo-web.ts";
import type { CrawlDescription, ProfileChanges } from "../../../src/lab/simweb/index.ts";

const HOST_DELAY_MS = 25;
const ADDRESS_DELAY_MS = 5;
const RETRIES = 2;
const RETRY_WAIT_MS_MAX = 50;
const CRAWL_DELAY_MS_MAX = 100;

/** Few pages on many hosts, so that politeness costs little. */
export const SMALL: ProfileChanges = {
  hosts: { count: 24, pages: 260, pagesMax: 24, slowDelay: 20, slowRate: 200_000 },
  pages: { medianBytes: 1500, bytesMax: 20_000 },
  robots: { delay: 0 },
  dns: { slowDelay: 50 },
  // A body without end, or one that stalls, costs every try its whole time limit.
  oddities: { stallMidBody: 0, endlessBody: 0 },
  traps: { floodLinks: 60, length: 8 },
};

/** The flags of a crawl of such a web; a scope or a seed may follow. */
export function flagsFor({ dnsPort }: DemoWebFacts): string[] {
  const settings = {
    "dns.servers": `['127.0.0.1:${dnsPort}']`,
    "dns.timeout": "1s",
    // Also the longest extra pause for an overloaded host.
    "politeness.crawlDelayMax": `${CRAWL_DELAY_MS_MAX}ms`,
    "fetch.retries": String(RETRIES),
    "fetch.retryWait": "20ms",
    "fetch.retryMaxWait": `${RETRY_WAIT_MS_MAX}ms`,
    // Nothing stalls here: reaching a limit would say something about the machine, not the crawl.
    "fetch.connectTimeout": "20s",
    "fetch.headerTimeout": "20s",
    "fetch.idleTimeout": "20s",
    "frontier.memory": "16Mi",
  };
  const flags = Object.entries(settings).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
  const delays = ["--delay", `${HOST_DELAY_MS}ms`, "--ip-delay", `${ADDRESS_DELAY_MS}ms`];
  return [
    "--allow-private",
    "--lanes",
    "1",
    "--scope",
    "any",
    "--min-free-disk",
    "0",
    ...delays,
    ...flags,
  ];
}

/** The judgement on a crawl with these flags. */
export function judgeCrawl(
  web: DemoWeb,
  folder: string,
  crawl: CrawlDescription & { readonly seeds: readonly string[] },
  manners: CrawlDescription = {},
): Promise<DemoJudgement> {
  return web.judge({
    crawl: { scope: "any", retries: RETRIES, crawlDelayMaxMs: CRAWL_DELAY_MS_MAX, ...crawl },
    rules: {
      hostDelayMs: HOST_DELAY_MS,
      addressDelayMs: ADDRESS_DELAY_MS,
      retryAfterMsMax: RETRY_WAIT_MS_MAX,
      ...manners,
    },
    folder,
  });
}

/** Everything due was fetched, once and politely, and is in the archive. */
export function assertFlawless({ verdict, archive }: DemoJudgement): void {
  assert.deepEqual(verdict.sins, []);
  assert.equal(verdict.coverage, 1);
  assert.equal(verdict.overlap, 0);
  assert.ok(verdict.pages.due > 20, `the web had only ${verdict.pages.due} pages to offer`);
  assert.deepEqual(archive.sins, []);
  assert.ok(archive.clean);
}
