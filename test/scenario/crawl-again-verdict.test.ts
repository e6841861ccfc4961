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
import { DemoWeb } from "../../src/cli/demo/demo-web.ts";
import { changedProfile, PROFILES } from "../../src/lab/simweb/index.ts";
import { crawlInto } from "../support/agent/crawl-rig.ts";
import { assertFlawless, flagsFor, judgeCrawl, SMALL } from "../support/agent/small-webs.ts";
import { TrobarProcess } from "../support/cli/trobar-process.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const SEEDS = isFull ? Array.from({ length: 6 }, (_, at) => `again ${at}`) : ["again"];
const STOPS = isFull ? 10 : 4;

const PROFILE = changedProfile(changedProfile(PROFILES.realistic, SMALL), {
  hosts: { count: 12, pages: 120, pagesMax: 16 },
});

for (const seed of SEEDS) {
  test(`a crawl that is stopped ${STOPS} times is complete, polite and fetches nothing twice: ${seed}`, async () => {
    const web = await DemoWeb.open({ profile: PROFILE, seed });
    const folder = mkdtempSync(join(tmpdir(), "trobar-again-"));
    const random = new SeededRandom(seed);
    const crawl = ["crawl", "-o", folder];
    const first = ["-n", "1", ...flagsFor(web.facts), web.facts.seed];
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
      assertFlawless(await judgeCrawl(web, folder, { seeds: [web.facts.seed] }));
    } finally {
      await web.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
