/**
 * The truth is computed from the model; the reference crawler knows nothing but what is served, and
 * reads it with parse5. They must agree on every page, outcome, depth, link and pair of equal
 * bodies, or the truth would be worth nothing.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ReferenceCrawler } from "../../../../test/support/lab/reference-crawler/index.ts";
import { smallWeb } from "../../../../test/support/lab/small-web.ts";
import { DEFAULT_URL_RULES } from "../../../formats/url/index.ts";
import {
  DEFAULT_TRUTH_RULES,
  PROFILE_SCHEMA,
  type ProfileChanges,
  type ProfileName,
  Truth,
  type TruthRules,
} from "../index.ts";
import { differences } from "./reference-differences.fixture.ts";

const SEEDS = process.env["TROBAR_FULL"] === "1" ? 60 : 3;
const SMALL = { hosts: { count: 11, pages: 220 } };
/** Endless traps end with the depth. */
const DEPTH = 6;

interface Trial {
  readonly name: ProfileName;
  readonly seed: string;
  readonly isForgiving: boolean;
  readonly rules?: Partial<TruthRules>;
  readonly web?: ProfileChanges;
}

/** Compares the truth under some rules with a crawl, by the same rules unless others are given. */
function compare(
  { name, seed, isForgiving, rules: given = {}, web: changes = SMALL }: Trial,
  crawlersOwn: Partial<TruthRules> = {},
): { truth: Truth; found: readonly string[] } {
  const web = smallWeb(name, seed, changes);
  const depthMax = name === "hostile" ? DEPTH : null;
  const seeds = web.seeds(2);
  const rules = { ...DEFAULT_TRUTH_RULES, scope: "any" as const, depthMax, seeds, ...given };
  const truth = new Truth(web, rules);
  const options = { rules: { ...rules, ...crawlersOwn }, token: "trobar", isForgiving };
  return { truth, found: differences(truth, new ReferenceCrawler(web, options).run()) };
}

function tryOut(trial: Trial): Truth {
  const { truth, found } = compare(trial);
  assert.deepEqual(found.slice(0, 5), [], `${found.length} differences with seed ${trial.seed}`);
  assert.ok(truth.dueCount > 0);
  return truth;
}

for (const name of ["plain", "realistic", "hostile"] as const) {
  test(`truth and reference crawler agree on ${name} webs`, () => {
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const truth = tryOut({ name, seed: `${name} ${seed}`, isForgiving: seed % 2 === 0 });
      assert.ok(truth.dueCount > 100);
    }
  });
}

const RULES: Readonly<Record<string, Partial<TruthRules>>> = {
  "the scope of the page": { scope: "page" },
  "the scope of the prefix": { scope: "prefix" },
  "the scope of the host": { scope: "host" },
  "the scope of the domain": { scope: "domain" },
  "no depth at all": { depthMax: 0 },
  "little depth": { depthMax: 2 },
  "redirects that count as steps": { redirectsAreSteps: true, depthMax: 4 },
  "robots.txt ignored": { robots: "ignore" },
  "nofollow ignored": { nofollow: "ignore" },
  "long crawl delays accepted": { crawlDelayOver: "cap" },
  "no retries": { retries: 0 },
  "few redirects": { redirectsMax: 2 },
  "other kinds of links": { linkKinds: ["a", "img", "form", "script"] },
  sitemaps: { sitemaps: true },
  "keys that keep session identifiers": { url: { ...DEFAULT_URL_RULES, sessionIds: "keep" } },
  "keys that forget most": {
    url: {
      sessionIds: "strip",
      trackingParams: "strip",
      sortQuery: true,
      trailingSlash: "strip",
      indexPages: "strip",
      www: "keep",
    },
  },
  "keys without www": { url: { ...DEFAULT_URL_RULES, www: "strip" } },
};

for (const [index, [what, rules]] of Object.entries(RULES).entries()) {
  test(`truth and reference crawler agree under ${what}`, () => {
    for (let seed = 0; seed < SEEDS / 3; seed += 1) {
      const isForgiving = (index + seed) % 2 === 0;
      const name = seed % 3 === 1 ? "realistic" : "hostile";
      const limited = { ...rules, depthMax: rules.depthMax ?? 4 };
      tryOut({ name, seed: `${what} ${seed}`, isForgiving, rules: limited });
    }
  });
}

/** The keys of what `plain` does not have: shares of 0. */
const FEATURES: readonly string[] = PROFILE_SCHEMA.keys
  .filter(({ key }) => key.type.shape.kind === "text" && key.default === 0)
  .map(({ path }) => path);

const mixture: fc.Arbitrary<ProfileChanges> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...FEATURES), fc.constantFrom(0.05, 0.3, 1)), {
    selector: ([path]) => path,
    minLength: 1,
    maxLength: 12,
  })
  .map((shares) => {
    const changes: Record<string, Record<string, number>> = {};
    for (const [path, share] of shares) {
      const [group = "", name = ""] = path.split(".");
      changes[group] = { ...changes[group], [name]: share };
    }
    return changes;
  });

test("truth and reference crawler agree on webs of any mixture of features", () => {
  const size = fc.record({
    count: fc.constantFrom(1, 2, 3, 9, 20),
    pages: fc.constantFrom(1, 20, 150),
    branching: fc.constantFrom(2, 8),
  });
  const seed = fc.nat().map((number) => `mixture ${number}`);
  fc.assert(
    fc.property(mixture, size, seed, fc.boolean(), (changes, hosts, name, isForgiving) => {
      const web = { ...changes, hosts: { ...changes.hosts, ...hosts } };
      const rules = { depthMax: 5 };
      const { found } = compare({ name: "plain", seed: name, isForgiving, rules, web });
      assert.deepEqual(found.slice(0, 3), []);
    }),
    { numRuns: SEEDS * 10 },
  );
});

const SINS: readonly (readonly [what: string, rules: Partial<TruthRules>, found: RegExp])[] = [
  ["ignores robots.txt", { robots: "ignore" }, /^fetched though .*"robots"/],
  ["ignores nofollow", { nofollow: "ignore" }, /^(?:fetched though .*"nofollow"|depth of)/],
  ["goes too deep", { depthMax: 4 }, /^fetched though .*"depth"/],
  ["does not go deep enough", { depthMax: 2 }, /^due and not fetched/],
  ["leaves the scope", { scope: "any" }, /^fetched though .*"scope"/],
  ["never tries again", { retries: 0 }, /^(?:outcome|fetches) of/],
  ["follows too few redirects", { redirectsMax: 0 }, /^due and not fetched/],
  ["does not follow every kind of link", { linkKinds: ["a"] }, /^due and not fetched/],
];

for (const [what, rules, sentence] of SINS) {
  test(`a crawler that ${what} is detected`, () => {
    const honest: Partial<TruthRules> = { depthMax: 3, scope: "domain" };
    const trial = { name: "hostile", seed: "sins", isForgiving: false, rules: honest } as const;
    const { found } = compare(trial, rules);
    assert.ok(
      found.some((one) => sentence.test(one)),
      found.slice(0, 9).join("\n"),
    );
  });
}
