/**
 * A crawl that is stopped again and again, by limits and by signals, and gone on with, judged by the web:
 * everything due was fetched, once, and politeness was kept across the runs.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { DemoWeb, type DemoWebFacts } from "../../src/cli/demo/demo-web.ts";
import { changedProfile, PROFILES } from "../../src/lab/simweb/index.ts";
import { crawlInto } from "../support/agent/crawl-rig.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";

const HOST_DELAY_MS = 25;
const ADDRESS_DELAY_MS = 5;
const RETRIES = 2;
const CRAWL_DELAY_MS_MAX = 100;

const isFull = process.env["TROBAR_FULL"] === "1";
const SEEDS = isFull ? Array.from({ length: 6 }, (_, at) => `again ${at}`) : ["again"];
const STOPS = isFull ? 10 : 4;

const PROFILE = changedProfile(PROFILES.realistic, {
  hosts: { count: 12, pages: 120, pagesMax: 16, slowDelay: 20, slowRate: 200_000 },
  pages: { medianBytes: 1500, bytesMax: 20_000 },
  robots: { delay: 0 },
  dns: { slowDelay: 50 },
  oddities: { stallMidBody: 0, endlessBody: 0 },
  traps: { floodLinks: 60, length: 8 },
});

/** The settings of its first run; the directory keeps them. */
function settingsFor({ dnsPort }: DemoWebFacts): string[] {
  const settings = {
    "dns.servers": `['127.0.0.1:${dnsPort}']`,
    "dns.timeout": "1s",
    "politeness.crawlDelayMax": `${CRAWL_DELAY_MS_MAX}ms`,
    "fetch.retries": String(RETRIES),
    "fetch.retryWait": "20ms",
    "fetch.retryMaxWait": "50ms",
    "fetch.connectTimeout": "20s",
    "fetch.headerTimeout": "20s",
    "fetch.idleTimeout": "20s",
    "frontier.memory": "16Mi",
  };
  const flags = Object.entries(settings).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
  const delays = ["--delay", `${HOST_DELAY_MS}ms`, "--ip-delay", `${ADDRESS_DELAY_MS}ms`];
  return ["--allow-private", "--scope", "any", "--min-free-disk", "0", ...delays, ...flags];
}

for (const seed of SEEDS) {
  test(`a crawl that is stopped ${STOPS} times is complete, polite and fetches nothing twice: ${seed}`, async () => {
    const web = await DemoWeb.open({ profile: PROFILE, seed });
    const folder = mkdtempSync(join(tmpdir(), "trobar-again-"));
    const random = new SeededRandom(seed);
    const crawl = ["crawl", "-o", folder];
    const first = ["-n", "1", ...settingsFor(web.facts), web.facts.seed];
    try {
      let pages = 1;
      await crawlInto(folder, [...crawl, "-q", ...first]);
      for (let stop = 1; stop < STOPS; stop += 1) {
        if (stop % 2 === 0) {
          pages += 1 + random.below(40);
          await crawlInto(folder, [...crawl, "-q", "-n", String(pages)]);
        } else {
          const running = new TrobarProcess([...crawl, "--set", "limits.pages=~"]);
          await running.said('"event":"started","continued":true');
          running.kill("SIGINT");
          assert.ok([0, 130].includes((await running.end()) ?? -1), running.stderr);
        }
      }
      const last = await crawlInto(folder, [...crawl, "-q", "--json", "--set", "limits.pages=~"]);
      assert.equal(last.summary?.reason, "exhausted", last.terminal.said);
      const { verdict, archive } = await web.judge({
        crawl: {
          ...{ seeds: [web.facts.seed], scope: "any", retries: RETRIES },
          crawlDelayMaxMs: CRAWL_DELAY_MS_MAX,
        },
        rules: {
          ...{ hostDelayMs: HOST_DELAY_MS, addressDelayMs: ADDRESS_DELAY_MS },
          retryAfterMsMax: 50,
        },
        folder,
      });
      assert.deepEqual(verdict.sins, []);
      assert.equal(verdict.coverage, 1);
      assert.equal(verdict.overlap, 0);
      assert.ok(verdict.pages.due > 20);
      assert.deepEqual(archive.sins, []);
    } finally {
      await web.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
