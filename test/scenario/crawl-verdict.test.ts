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
import { assertFlawless, flagsFor, judgeCrawl, SMALL } from "../support/agent/small-webs.ts";

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
  { profile: "hostile", seed: "six" },
];

async function judged(trial: Trial): Promise<DemoJudgement & { readonly crawl: EndedCrawl }> {
  const small = changedProfile(PROFILES[trial.profile], SMALL);
  const profile = changedProfile(small, trial.changes ?? {});
  const web = await DemoWeb.open({ profile, seed: trial.seed });
  const folder = mkdtempSync(join(tmpdir(), "trobar-verdict-"));
  try {
    const seeds = trial.seeds?.(web.facts) ?? [web.facts.seed];
    const crawl = await crawlInto(folder, [
      ...["crawl", "--json", "-q", "-o", folder, ...flagsFor(web.facts)],
      ...(trial.args ?? []),
      ...seeds,
    ]);
    const judgement = await judgeCrawl(web, folder, { seeds, ...trial.crawl });
    return { ...judgement, crawl };
  } finally {
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function assertClean({ crawl, ...judgement }: Awaited<ReturnType<typeof judged>>): void {
  assertFlawless(judgement);
  assert.equal(crawl.code, 0, crawl.terminal.said);
  assert.equal(crawl.summary?.reason, "exhausted");
}

describe("a small web is crawled completely, politely and once", { concurrency: 2 }, () => {
  const trials: readonly Trial[] = [
    { profile: "plain", seed: "one" },
    { profile: "realistic", seed: "three" },
    { profile: "hostile", seed: "five" },
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
  const depths: readonly (readonly [seed: string, depth: number])[] = [
    ["eight", 2],
    ...(isFull
      ? ([
          ["seven", 1],
          ["nine", 3],
        ] as const)
      : []),
  ];
  for (const [seed, depth] of depths) {
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
