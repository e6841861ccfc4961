import assert from "node:assert/strict";
import { test } from "node:test";
import {
  crawlVirtually,
  type VirtualCrawlOptions,
} from "../../../test/support/agent/virtual-crawl.ts";
import { isCrawlError } from "../../base/errors/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { CrawlControl } from "./crawl-control.ts";
import type { UnitControl } from "./unit-control.ts";

const GRAPH = { "a/0": ["a/1"], "a/1": ["a/2"], "a/2": ["a/3"], "a/3": [] };
const OPTIONS = { graph: GRAPH, seeds: ["a/0"], settings: ["politeness.hostDelay=1s"] };

/** Asks while a crawl runs, and gives the answers: values, or the codes and messages of refusals. */
async function asking(
  options: VirtualCrawlOptions,
  ...steps: readonly [atMs: number, ask: (units: UnitControl) => unknown][]
) {
  const answers: unknown[] = [];
  let recorded: Configuration | null = null;
  const crawl = await crawlVirtually({
    ...options,
    prepared: (running, kernel) => {
      const units = new CrawlControl(running, "").units;
      for (const [at, [atMs, ask]] of steps.entries()) {
        kernel.schedule(atMs, () => {
          void Promise.resolve()
            .then(() => ask(units))
            .catch((error) => (isCrawlError(error) ? `${error.code} ${error.message}` : error))
            .then((answer) => {
              answers[at] = answer;
              recorded = running.made.recorded.configuration;
            });
        });
      }
    },
  });
  return { answers, crawl, recorded: recorded as Configuration | null };
}

test("a key of the configuration is changed where it is taken, and recorded", async () => {
  const { answers, crawl, recorded } = await asking(OPTIONS, [
    500,
    (units) => units.set("limits.pages", "2"),
  ]);
  const [[setting]] = answers as [[{ key: string; value: string }]];
  assert.deepEqual([setting.key, setting.value], ["limits.pages", "2"]);
  assert.equal(crawl.summary.limit, "pages");
  assert.equal(crawl.summary.pages, 2);
  assert.equal(recorded?.limits.pages, 2);
});

test("a setting is changed by the id of its unit too, and recorded if it is a key", async () => {
  const { recorded, answers } = await asking(
    OPTIONS,
    [500, (units) => units.set("web.fetch.minRate", "7")],
    [
      600,
      (units) => units.change("frontier", { "politeness.hostDelay": "2s", "fetch.retries": "1" }),
    ],
    [700, (units) => units.settings("front")],
  );
  assert.equal(recorded?.fetch.minRate, 7);
  assert.equal(recorded?.politeness.hostDelay, 2000);
  assert.equal(recorded?.fetch.retries, 1);
  assert.deepEqual(answers[2], []);
});

const REFUSED: readonly [what: string, ask: (units: UnitControl) => unknown, told: RegExp][] = [
  [
    "a fixed key",
    (units) => units.set("scope", "any"),
    /^CONFIG_FIXED_KEY scope cannot .* created/,
  ],
  [
    "a key read once",
    (units) => units.set("dns.timeout", "1s"),
    /^CONFIG_FIXED_KEY .* start it again/,
  ],
  [
    "an unknown key",
    (units) => units.set("limits.pagez", "1"),
    /^CONTROL_NOT_FOUND "limits.pagez"/,
  ],
  [
    "an unknown key of a unit",
    (units) => units.set("web.x", "1"),
    /^CONFIG_INVALID [\s\S]*"x" is not a key/,
  ],
  ["no key at all", (units) => units.set("", "1"), /^CONTROL_NOT_FOUND/],
  ["a bad value", (units) => units.set("limits.pages", "-1"), /^CONFIG_INVALID/],
  ["bad YAML", (units) => units.set("limits.pages", "[1"), /^CONFIG_INVALID/],
  ["an unknown unit", (units) => units.settings("nobody"), /^CONTROL_NOT_FOUND .*"nobody"/],
  ["a prototype", (units) => units.settings("__proto__"), /^CONTROL_NOT_FOUND/],
  [
    "a bad topology",
    (units) => units.changeTopology({ do: "add", topology: "a: 1" }),
    /^TOPOLOGY_/,
  ],
  [
    "a needed unit",
    (units) => units.changeTopology({ do: "remove", id: "web" }),
    /^TOPOLOGY_REFUSED/,
  ],
];
test("what cannot be changed is refused with the reason, and the crawl goes on", async () => {
  const steps = REFUSED.map(([, ask], at) => [100 + at, ask] as [number, typeof ask]);
  const { answers, crawl, recorded } = await asking(OPTIONS, ...steps);
  for (const [at, [what, , told]] of REFUSED.entries()) {
    assert.match(String(answers[at]), told, what);
  }
  assert.equal(crawl.summary.pages, 4);
  assert.equal(recorded?.limits.pages, null);
});

test("a unit is suspended and started again", async () => {
  const states: string[] = [];
  const { crawl } = await asking(
    OPTIONS,
    [500, async (units) => states.push((await units.suspend("parser")).state)],
    [60_000, async (units) => states.push((await units.start("parser")).state)],
  );
  assert.deepEqual(states, ["suspended", "running"]);
  assert.equal(crawl.summary.pages, 4);
});

test("links that a lower depth limit has cut off are followed when it is raised", async () => {
  const { crawl, recorded } = await asking(
    {
      graph: { ...GRAPH, "b/0": [] },
      seeds: ["a/0", "b/0"],
      settings: ["politeness.hostDelay=1s", "limits.depth=1"],
      delayMsOf: (page) => (page === "b/0" ? 18_000 : 0),
    },
    // Only the page of the other host is still on its way.
    [15_000, (units) => units.set("limits.depth", "2")],
  );
  assert.equal(recorded?.limits.depth, 2);
  assert.deepEqual(crawl.pages.toSorted(), ["a/0", "a/1", "a/2", "b/0"]);
  const [start = 0, , , last = 0] = crawl.askedAtMs;
  assert.equal(crawl.pages[3], "a/2");
  assert.ok(last - start > 14_000, "it was cut off before");
});

test("the configuration is listed with what can be changed, and without secrets", async () => {
  const secret = ["fetch.headers={X-Token: sesame}", "fetch.proxy=http://me:sesame@p.example:1"];
  const { answers } = await asking({ ...OPTIONS, settings: [...OPTIONS.settings, ...secret] }, [
    100,
    (units) => units.configuration(),
  ]);
  const keys = answers[0] as ReturnType<UnitControl["configuration"]>;
  const of = (key: string) => keys.find((one) => one.key === key);
  assert.equal(of("politeness.hostDelay")?.value, "1s");
  assert.equal(of("politeness.hostDelay")?.fixed, null);
  assert.match(of("scope")?.fixed ?? "", /created/);
  assert.match(of("fetch.headers")?.value ?? "", /X-Token/);
  assert.doesNotMatch(JSON.stringify(keys), /sesame/);
});
