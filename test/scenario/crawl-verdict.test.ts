/**
 * Whole crawls of small webs of every profile, judged by the webs: everything due was fetched, once,
 * politely, as robots.txt says, and is in the archive. The web has a thread of its own.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type DemoJudgement, DemoWeb, type DemoWebFacts } from "../../src/cli/demo/demo-web.ts";
import {
  type CrawlDescription,
  changedProfile,
  PROFILES,
  type ProfileChanges,
  type ProfileName,
} from "../../src/lab/simweb/index.ts";
import { crawlInto, type EndedCrawl } from "../support/agent/crawl-rig.ts";

const HOST_DELAY_MS = 25;
const ADDRESS_DELAY_MS = 5;
const RETRIES = 2;
const CRAWL_DELAY_MS_MAX = 100;

/** Few pages on many hosts, so that politeness costs little. */
const SMALL: ProfileChanges = {
  hosts: { count: 24, pages: 260, pagesMax: 24, slowDelay: 20, slowRate: 200_000 },
  pages: { medianBytes: 1500, bytesMax: 20_000 },
  robots: { delay: 0 },
  dns: { slowDelay: 50 },
  // A body without end, or one that stalls, costs every try its whole time limit.
  oddities: { stallMidBody: 0, endlessBody: 0 },
  traps: { floodLinks: 60, length: 8 },
};

const isFull = process.env["TROBAR_FULL"] === "1";

const MORE_SEEDS: readonly string[] = isFull
  ? Array.from({ length: 20 }, (_, index) => `more ${index}`)
  : [];

interface Trial {
  readonly profile: ProfileName;
  readonly seed: string;
  readonly changes?: ProfileChanges;
  readonly args?: readonly string[];
  /** What the truth must know of the flags. */
  readonly crawl?: CrawlDescription;
  readonly seeds?: (facts: DemoWebFacts) => readonly string[];
}

const SECOND_SEEDS: readonly Trial[] = [
  { profile: "plain", seed: "two" },
  { profile: "realistic", seed: "four" },
];

async function judged(trial: Trial): Promise<DemoJudgement & { readonly crawl: EndedCrawl }> {
  const small = changedProfile(PROFILES[trial.profile], SMALL);
  const profile = changedProfile(small, trial.changes ?? {});
  const web = await DemoWeb.open({ profile, seed: trial.seed });
  const folder = mkdtempSync(join(tmpdir(), "trobar-verdict-"));
  try {
    const seeds = trial.seeds?.(web.facts) ?? [web.facts.seed];
    const crawl = await crawlInto(folder, [
      ...commandLine(folder, web.facts),
      ...(trial.args ?? []),
      ...seeds,
    ]);
    const judgement = await web.judge({
      crawl: {
        ...{ seeds, scope: "any", retries: RETRIES, crawlDelayMaxMs: CRAWL_DELAY_MS_MAX },
        ...trial.crawl,
      },
      rules: {
        hostDelayMs: HOST_DELAY_MS,
        addressDelayMs: ADDRESS_DELAY_MS,
        retryAfterMsMax: 50,
      },
      folder,
    });
    return { ...judgement, crawl };
  } finally {
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function commandLine(folder: string, { dnsPort }: DemoWebFacts): string[] {
  const settings = {
    "dns.servers": `['127.0.0.1:${dnsPort}']`,
    "dns.timeout": "1s",
    // Also the longest extra pause for an overloaded host.
    "politeness.crawlDelayMax": `${CRAWL_DELAY_MS_MAX}ms`,
    "fetch.retries": String(RETRIES),
    "fetch.retryWait": "20ms",
    "fetch.retryMaxWait": "50ms",
    // Nothing stalls here: reaching a limit would say something about the machine, not the crawl.
    "fetch.connectTimeout": "20s",
    "fetch.headerTimeout": "20s",
    "fetch.idleTimeout": "20s",
    "frontier.memory": "16Mi",
  };
  const flags = Object.entries(settings).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
  const delays = ["--delay", `${HOST_DELAY_MS}ms`, "--ip-delay", `${ADDRESS_DELAY_MS}ms`];
  const common = ["--json", "-q", "-o", folder, "--scope", "any", "--min-free-disk", "0"];
  return ["crawl", "--allow-private", ...common, ...delays, ...flags];
}

function assertClean({ verdict, archive, crawl }: Awaited<ReturnType<typeof judged>>): void {
  assert.deepEqual(verdict.sins, []);
  assert.equal(verdict.coverage, 1);
  assert.equal(verdict.overlap, 0);
  assert.ok(verdict.pages.due > 20, `the web had only ${verdict.pages.due} pages to offer`);
  assert.deepEqual(archive.sins, []);
  assert.ok(archive.clean);
  assert.equal(crawl.code, 0, crawl.terminal.said);
  assert.equal(crawl.summary?.reason, "exhausted");
}

describe("a small web is crawled completely, politely and once", { concurrency: 2 }, () => {
  const trials: readonly Trial[] = [
    { profile: "plain", seed: "one" },
    { profile: "realistic", seed: "three" },
    { profile: "hostile", seed: "five" },
    { profile: "hostile", seed: "six" },
    ...(isFull ? SECOND_SEEDS : []),
    ...MORE_SEEDS.flatMap((seed): Trial[] => [
      { profile: "realistic", seed },
      { profile: "hostile", seed },
    ]),
  ];
  for (const trial of trials) {
    test(`${trial.profile}, seed ${trial.seed}`, async () => assertClean(await judged(trial)));
  }
});

describe("a limit on depth gives exactly the pages of the truth", { concurrency: 2 }, () => {
  for (const [seed, depth] of [
    ["seven", 1],
    ["eight", 2],
    ["nine", 3],
  ] as const) {
    test(`depth ${depth}, seed ${seed}`, async () => {
      const trial: Trial = {
        profile: "realistic",
        seed,
        args: ["-d", String(depth)],
        crawl: { depthMax: depth },
      };
      const { verdict, archive } = await judged(trial);
      assert.deepEqual(verdict.sins, []);
      assert.equal(verdict.coverage, 1);
      assert.deepEqual(archive.sins, []);
    });
  }
});

describe("what the truth knows of flags", { concurrency: 2 }, () => {
  const trials: Readonly<Record<string, Trial>> = {
    "sitemaps are read where robots.txt names them": {
      profile: "realistic",
      seed: "ten",
      changes: { sitemaps: { hosts: 0.8, only: 0.2 } },
      args: ["--set", "sitemaps=true"],
      crawl: { sitemaps: true },
    },
    "robots.txt is not asked when it is to be ignored": {
      profile: "realistic",
      seed: "eleven",
      args: ["--ignore-robots"],
      crawl: { robots: "ignore" },
    },
    "nofollow is ignored when told so": {
      profile: "realistic",
      seed: "twelve",
      args: ["--set", "politeness.nofollow=ignore"],
      crawl: { nofollow: "ignore" },
    },
    "a domain is the scope": {
      profile: "realistic",
      seed: "thirteen",
      changes: { hosts: { perDomain: 6, pages: 600, pagesMax: 60 } },
      args: ["--scope", "domain"],
      crawl: { scope: "domain" },
    },
  };
  for (const [name, trial] of Object.entries(trials)) {
    test(name, async () => {
      const { verdict, archive, crawl } = await judged(trial);
      assert.deepEqual(verdict.sins, []);
      assert.equal(verdict.coverage, 1);
      assert.deepEqual(archive.sins, []);
      assert.equal(crawl.summary?.reason, "exhausted");
    });
  }
});
