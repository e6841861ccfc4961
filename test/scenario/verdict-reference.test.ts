/**
 * The reference crawler, which was written from the standards alone, crawls generated webs of every
 * kind; the verdict by log and truth must be clean. So log, truth and verdict are checked against
 * something that shares no code with them.
 */
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
  type Verdict,
  verdictText,
} from "../../src/lab/simweb/index.ts";
import { impliedRules } from "../../src/lab/simweb/truth/crawl-description.ts";
import { ReferenceCrawler } from "../support/lab/reference-crawler/index.ts";
import { LoggedWeb } from "./logged-web.ts";

function crawl(
  name: ProfileName,
  seed: number,
  isForgiving: boolean,
  change: Partial<TruthRules>,
): Verdict {
  const profile = changedProfile(PROFILES[name], {
    hosts: { count: 8, pages: 240, pagesMax: 100 },
  });
  const web = new GeneratedWeb({ profile, seed, port: 8080 });
  const rules: TruthRules = {
    ...DEFAULT_TRUTH_RULES,
    scope: "any",
    seeds: web.seeds(2),
    ...change,
  };
  const logged = new LoggedWeb(web);
  new ReferenceCrawler(logged, { rules, token: "trobar", isForgiving }).run();
  const manners = { ...DEFAULT_RULES, robotsMaxAgeMs: 1e15, ...impliedRules(rules) };
  return judge({ log: logged.log, web, truth: new Truth(web, rules), rules: manners });
}

const CASES: readonly (readonly [name: ProfileName, change: Partial<TruthRules>])[] = [
  ["plain", {}],
  ["realistic", {}],
  ["realistic", { depthMax: 3, scope: "host" }],
  ["realistic", { robots: "ignore", nofollow: "ignore", scope: "domain" }],
];

/** Webs where everything is wrong at once take long to crawl; traps end by the depth limit. */
const SLOW_CASES: typeof CASES = [["hostile", { depthMax: 3 }]];
const isFull = process.env["TROBAR_FULL"] === "1";

for (const [name, change] of isFull ? [...CASES, ...SLOW_CASES] : CASES) {
  for (const isForgiving of [false, true]) {
    const who = isForgiving ? "a forgiving" : "a strict";
    test(`${who} right crawl of a ${name} web with ${JSON.stringify(change)} is clean`, () => {
      const count = isFull ? 5 : 1;
      for (let seed = 1; seed <= count; seed += 1) {
        const verdict = crawl(name, seed, isForgiving, change);
        assert.ok(verdict.clean, `seed ${seed}: ${verdictText(verdict)}`);
        assert.deepEqual([verdict.coverage, verdict.overlap], [1, 0]);
        assert.ok(verdict.pages.due > 0);
      }
    });
  }
}
