/** Whole crawls of synthetic webs in virtual time, through the frontier, judged by their logs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changedProfile,
  DEFAULT_RULES,
  DEFAULT_TRUTH_RULES,
  GeneratedWeb,
  judge,
  PROFILES,
  type ProfileName,
  Truth,
  type TruthRules,
  verdictText,
} from "../../src/lab/simweb/index.ts";
import { impliedRules } from "../../src/lab/simweb/truth/crawl-description.ts";
import { JudgedCrawl } from "./judged-crawl.ts";

const CASES: readonly (readonly [name: ProfileName, change: Partial<TruthRules>])[] = [
  ["plain", {}],
  ["realistic", {}],
  ["realistic", { depthMax: 3 }],
  ["realistic", { robots: "ignore", nofollow: "ignore", scope: "host" }],
  ["realistic", { crawlDelayOver: "cap", retries: 1 }],
  ["hostile", { depthMax: 2 }],
];

const seeds = process.env["TROBAR_FULL"] === "1" ? [1, 2, 3, 4, 5] : [1];

for (const [name, change] of CASES) {
  for (const seed of seeds) {
    test(`a crawl of ${name} web ${seed} with ${JSON.stringify(change)} is judged clean`, () => {
      const profile = changedProfile(PROFILES[name], {
        hosts: { count: 12, pages: 300, pagesMax: 100 },
      });
      const web = new GeneratedWeb({ profile, seed, port: 8080 });
      const rules: TruthRules = {
        ...DEFAULT_TRUTH_RULES,
        scope: "any",
        seeds: web.seeds(2),
        ...change,
      };
      const crawl = new JudgedCrawl({ web, rules, seed: `${name} ${seed}`, connections: 20 });
      assert.equal(crawl.run(), "done");
      const truth = new Truth(web, rules);
      const manners = { ...DEFAULT_RULES, ...impliedRules(rules) };
      const verdict = judge({ log: crawl.log, web, truth, rules: manners });
      assert.ok(verdict.clean, verdictText(verdict));
      assert.deepEqual([verdict.coverage, verdict.overlap], [1, 0]);
      assert.ok(verdict.pages.due > 0);
    });
  }
}
