/** What a crawl with `store.refused` logs of the URLs that it does not take up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { crawlVirtually } from "../../../../test/support/agent/virtual-crawl.ts";
import { urlOf } from "../../../../test/support/agent/virtual-web.ts";

const GRAPH = { "a/0": ["a/1", "a/no/1", "b/0", "a/x/x/x/x/x/x"], "a/1": ["a/2"], "a/no/1": [] };
const SETTINGS = ["scope=host", "politeness.hostDelay=0"];

test("each refused URL has its reason, its rule and the page that leads there", async () => {
  const { refused, summary } = await crawlVirtually({
    ...{ graph: GRAPH, seeds: ["a/0"] },
    answers: { "a/robots.txt": { body: "User-agent: *\n# private\nDisallow: /no/" } },
    settings: [
      ...[...SETTINGS, "politeness.robots=obey", "limits.depth=1"],
      ...["store.refused=true"],
    ],
  });
  const lines = refused.map(({ reason, url, via, rule }) => [reason, url, via, rule]);
  const from = urlOf("a/0");
  assert.deepEqual(
    new Set(lines),
    new Set([
      ["scope", urlOf("b/0"), from, "scope: host"],
      ["repeated-segments", urlOf("a/x/x/x/x/x/x"), from, "limits.repeatedSegments: 4"],
      ["robots", urlOf("a/no/1"), from, "robots.txt, line 3: Disallow: /no/"],
      ["depth", urlOf("a/2"), urlOf("a/1"), "limits.depth: 1"],
    ]),
  );
  assert.deepEqual(summary.refused, { depth: 1, "repeated-segments": 1, robots: 1, scope: 1 });
});

test("a host at its limit has the URLs that were seen, and nothing is kept unless asked for", async () => {
  const links = Array.from({ length: 5 }, (_, index) => `a/${index + 1}`);
  const options = { graph: { "a/0": links }, seeds: ["a/0"] };
  const settings = [...SETTINGS, "limits.pagesPerHost=1"];
  const kept = await crawlVirtually({ ...options, settings: [...settings, "store.refused=true"] });
  assert.equal(kept.summary.refused["host-limit"], 5);
  assert.ok(kept.refused.every(({ rule }) => rule === "limits.pagesPerHost: 1"));
  const none = await crawlVirtually({ ...options, settings });
  assert.deepEqual(none.refused, []);
});
