/**
 * Crawls with several lanes of small webs, judged by the webs as those with one lane are: what is fetched,
 * and how politely, does not depend on the number of lanes, nor on how often it changes.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { DemoWeb } from "../../src/cli/demo/demo-web.ts";
import {
  type CrawlDescription,
  changedProfile,
  PROFILES,
  type ProfileChanges,
  type ProfileName,
} from "../../src/lab/simweb/index.ts";
import { crawlInto, linking, withWeb } from "../support/agent/crawl-rig.ts";
import { assertFlawless, flagsFor, judgeCrawl, SMALL } from "../support/agent/small-webs.ts";

const isFull = process.env["TROBAR_FULL"] === "1";

interface Trial {
  readonly profile: ProfileName;
  readonly seed: string;
  /** The runs, such as `2:7 1`: two lanes up to seven pages in all, then one lane without a limit. */
  readonly runs: string;
  readonly changes?: ProfileChanges;
  readonly args?: readonly string[];
  readonly crawl?: CrawlDescription;
  readonly manners?: CrawlDescription;
}

async function judge(trial: Trial): Promise<void> {
  const small = changedProfile(PROFILES[trial.profile], SMALL);
  const profile = changedProfile(small, trial.changes ?? {});
  const web = await DemoWeb.open({ profile, seed: trial.seed });
  const folder = mkdtempSync(join(tmpdir(), "trobar-lanes-"));
  const seeds = [web.facts.seed];
  try {
    for (const [at, run] of trial.runs.split(" ").entries()) {
      const [lanes = "", pages = "~"] = run.split(":");
      const first = at === 0 ? [...seeds, ...flagsFor(web.facts), ...(trial.args ?? [])] : [];
      const { code, summary, terminal } = await crawlInto(folder, [
        ...["crawl", "--json", "-q", "-o", folder, ...first],
        ...["--lanes", lanes, "--set", `limits.pages=${pages}`],
      ]);
      assert.equal(code, 0, terminal.said);
      if (pages === "~") assert.equal(summary?.reason, "exhausted");
      else assert.deepEqual([summary?.reason, summary?.pages], ["limit", Number(pages)]);
    }
    assertFlawless(await judgeCrawl(web, folder, { seeds, ...trial.crawl }, trial.manners));
  } finally {
    await web.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const FEW: ProfileChanges = { hosts: { count: 12, pages: 120, pagesMax: 16 } };
const changes: ProfileChanges = isFull ? {} : FEW;

const WHOLE: Readonly<Record<string, Trial>> = {
  "realistic, two lanes": { profile: "realistic", seed: "three", runs: "2", changes },
  "hostile, four lanes": { profile: "hostile", seed: "five", runs: "4", changes },
};

const WHOLE_TOO: Readonly<Record<string, Trial>> = {
  "plain, two lanes": { profile: "plain", seed: "one", runs: "2" },
  "plain, four lanes": { profile: "plain", seed: "two", runs: "4" },
  "realistic, four lanes": { profile: "realistic", seed: "four", runs: "4" },
  "hostile, two lanes": { profile: "hostile", seed: "six", runs: "2" },
  "a limit on depth": {
    ...{ profile: "realistic", seed: "eight", runs: "2" },
    ...{ args: ["-d", "2"], crawl: { depthMax: 2 } },
  },
  "sitemaps are read where robots.txt names them": {
    ...{ profile: "realistic", seed: "ten", runs: "3" },
    changes: { sitemaps: { hosts: 0.8, only: 0.2 } },
    ...{ args: ["--set", "sitemaps=true"], crawl: { sitemaps: true } },
  },
  "a domain is the scope": {
    ...{ profile: "realistic", seed: "thirteen", runs: "2" },
    changes: { hosts: { perDomain: 6, pages: 600, pagesMax: 60 } },
    ...{ args: ["--scope", "domain"], crawl: { scope: "domain" } },
  },
};

describe("a web is crawled completely, politely and once", () => {
  for (const [name, trial] of Object.entries({ ...WHOLE, ...(isFull ? WHOLE_TOO : {}) })) {
    test(name, () => judge(trial));
  }
});

const STOPPED: Readonly<Record<string, Trial>> = {
  "a limit on pages is exact, and the crawl goes on with other numbers of lanes": {
    ...{ profile: "realistic", seed: "again", changes: FEW },
    runs: "2:7 1:40 3",
  },
};

const ALIASES: Trial = {
  ...{ profile: "realistic", seed: "aliases", runs: "2" },
  changes: {
    hosts: { count: 9, pages: 60, pagesMax: 12 },
    dns: { perServer: 3 },
    robots: { delay: 0.3 },
  },
  args: ["--set", "dns.aliases=true", "--set", "politeness.crawlDelayOver=cap"],
  crawl: { crawlDelayOver: "cap" },
  manners: { countsAliases: true },
};

describe("hosts of one server are crawled as politely as one host", () => {
  for (const runs of isFull ? ["1", "2", "4", "1:20 2:40 3:60 2"] : ["1:20 2"]) {
    test(`lanes and limits ${runs}`, () => judge({ ...ALIASES, runs }));
  }
});

const STOPPED_TOO: Readonly<Record<string, Trial>> = {
  "again and again": {
    ...{ profile: "realistic", seed: "again two", changes: FEW },
    runs: "2:7 2:20 2:21 1:40 4:60 4:62 3:90 2",
  },
  "with a limit on depth": {
    ...{ profile: "realistic", seed: "again three", changes: FEW },
    ...{ args: ["-d", "3"], crawl: { depthMax: 3 } },
    runs: "1:5 2:11 4:30 2:50 1:60 2",
  },
  "by priority": {
    ...{ profile: "realistic", seed: "again four", changes: FEW },
    args: ["--set", "frontier.traversal=priority"],
    runs: "2:5 4:30 1:50 2",
  },
};

describe("a crawl that is stopped is complete in the end, and fetches nothing twice", () => {
  for (const [name, trial] of Object.entries({ ...STOPPED, ...(isFull ? STOPPED_TOO : {}) })) {
    test(name, () => judge(trial));
  }
});

/** Hosts that lead to each other, so that several lanes have some. */
const HOSTS = Array.from({ length: 12 }, (_, at) => `h${at}.test`);

function ring(port: number) {
  return Object.fromEntries(
    HOSTS.map((host, at) => {
      const next = `http://${HOSTS[(at + 1) % HOSTS.length]}:${port}/`;
      return [host, { pages: { "/": linking(next, "/a", "/b"), "/a": {}, "/b": {} } }];
    }),
  );
}

test("a lane that dies ends the crawl with what it has, and says so", async () => {
  await withWeb(ring, async (web) => {
    const path = join(web.folder, "deadly.mjs");
    writeFileSync(
      path,
      `export const Deadly = { looksAt: "url", create: () => (view) => {
        if (String(view.href ?? view.url).includes("//h7.test")) process.exit(3);
        return true;
      } };`,
    );
    const flags = ["--scope", "any", "--lanes", "2", "--set", `filters.fetch='${path}#Deadly()'`];
    const crawl = await web.crawl(["h0.test/"], flags);
    assert.equal(crawl.code, 1, crawl.terminal.said);
    assert.match(crawl.terminal.said, /The thread of lane [01] ended: exit code 3/);
    assert.deepEqual([crawl.summary?.state, crawl.summary?.reason], ["stopped", "failure"]);
    assert.ok(crawl.lines.length > 3, "the lines of pages that were fetched are there");
    // Every line has its record; the reading of the archive has found it whole.
    const stored = crawl.records.filter(({ type }) => type === "response");
    assert.ok(stored.length >= crawl.lines.filter(({ place }) => place !== null).length);
  });
});

test("what needs one lane says so when more are asked for", async () => {
  await withWeb(ring, async (web) => {
    const refused = async (...flags: readonly string[]): Promise<string> => {
      const { code, terminal } = await web.crawl(["h0.test/"], ["--lanes", "2", ...flags]);
      assert.equal(code, 2, terminal.said);
      return terminal.said;
    };
    assert.match(
      await refused("-n", "5", "--set", "frontier.traversal=random-walk"),
      /a random walk has one/,
    );
    assert.match(await refused("--set", "store.kind=jsonl"), /the kind jsonl is written by one/);
    assert.match(await refused("--extract", "t=title"), /--extract/);
    // Rows alone can be written from several lanes.
    const rows = join(web.folder, "rows.jsonl");
    const crawl = await web.crawl(
      ["h0.test/"],
      ["--lanes", "2", "--scope", "any", "--pages", rows],
    );
    assert.deepEqual([crawl.code, crawl.summary?.pages], [0, 36], crawl.terminal.said);
  });
});
