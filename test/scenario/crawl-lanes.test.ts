/**
 * Crawls with several lanes of small webs of every profile, judged by the webs as those with one lane
 * are: what is fetched, and how politely, does not depend on the number of lanes.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type DemoJudgement, DemoWeb } from "../../src/cli/demo/demo-web.ts";
import {
  type CrawlDescription,
  changedProfile,
  PROFILES,
  type ProfileChanges,
  type ProfileName,
} from "../../src/lab/simweb/index.ts";
import { crawlInto, type EndedCrawl } from "../support/agent/crawl-rig.ts";
import { assertFlawless, flagsFor, judgeCrawl, SMALL } from "../support/agent/small-webs.ts";

interface Trial {
  readonly profile: ProfileName;
  readonly seed: string;
  readonly lanes: number;
  readonly changes?: ProfileChanges;
  readonly args?: readonly string[];
  readonly crawl?: CrawlDescription;
}

async function judged(trial: Trial): Promise<DemoJudgement & { readonly crawl: EndedCrawl }> {
  const small = changedProfile(PROFILES[trial.profile], SMALL);
  const profile = changedProfile(small, trial.changes ?? {});
  const web = await DemoWeb.open({ profile, seed: trial.seed });
  const folder = mkdtempSync(join(tmpdir(), "trobar-lanes-"));
  try {
    const seeds = [web.facts.seed];
    const crawl = await crawlInto(folder, [
      ...["crawl", "--json", "-q", "-o", folder, ...flagsFor(web.facts)],
      ...["--lanes", String(trial.lanes), ...(trial.args ?? []), ...seeds],
    ]);
    assert.equal(crawl.code, 0, crawl.terminal.said);
    const judgement = await judgeCrawl(web, folder, { seeds, ...trial.crawl });
    return { ...judgement, crawl };
  } finally {
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const isFull = process.env["TROBAR_FULL"] === "1";

describe("several lanes crawl a small web completely, politely and once", () => {
  const profiles: readonly (readonly [ProfileName, string])[] = [
    ["plain", "one"],
    ["realistic", "three"],
    ["hostile", "five"],
  ];
  const trials: readonly Trial[] = [
    ...profiles.map(([profile, seed]) => ({ profile, seed, lanes: 2 })),
    ...(isFull ? profiles.map(([profile, seed]) => ({ profile, seed, lanes: 4 })) : []),
  ];
  for (const trial of trials) {
    test(`${trial.profile}, seed ${trial.seed}, ${trial.lanes} lanes`, async () => {
      const { crawl, ...judgement } = await judged(trial);
      assertFlawless(judgement);
      assert.equal(crawl.summary?.reason, "exhausted");
    });
  }
});
