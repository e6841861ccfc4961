import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../../../test/support/rules/configured.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import { importFrom } from "../../rules/filter/index.ts";
import { type Judgement, RulesJudge } from "./rules-judge.ts";

const LINK = { source: "http://a.test/", depth: 1, kind: "a", rel: "", text: "" };
const OPTIONS = {
  ...{ fingerprintKey: new Uint8Array(16), scope: null, importModule: importFrom(".") },
  widened: ["http://www.a.test/" as FetchableUrl],
};

async function judged(
  url: string,
  settings: readonly string[],
  { isSeed = false, rel = "" } = {},
): Promise<Judgement> {
  const configuration = { ...configured(...settings), seeds: ["http://a.test/"] };
  const judge = await RulesJudge.open(configuration, OPTIONS);
  return judge.judge(url as FetchableUrl, { ...LINK, rel }, isSeed);
}

for (const [url, settings, refusal] of [
  ["http://a.test/x", [], null],
  ["http://www.a.test/x", [], null],
  ["http://b.test/x", [], "scope"],
  // The first that refuses counts, as in a crawl.
  ["http://b.test/x", ["limits.depth=0", "politeness.blockHosts=[b.test]"], "scope"],
  ["http://a.test:22/x", [], "port"],
  [`http://a.test/${"a/".repeat(40)}`, [], "path-segments"],
  ["http://a.test/x", ["limits.depth=0"], "depth"],
  ["http://a.test/x", ["filters.schedule=not HostEndsWith(a.test)"], "filter-schedule"],
  ["http://a.test/x", ["filters.fetch=not HostEndsWith(a.test)"], "filter-fetch"],
  ["http://a.test/x", ["politeness.blockHosts=[a.test]"], "host-blocked"],
] as const) {
  test(`with ${settings.join() || "the defaults"} ${url.slice(0, 30)} is ${refusal ?? "taken"}`, async () => {
    assert.equal((await judged(url, settings)).refusal, refusal);
  });
}

test("links that are not to be followed are refused, seeds only where it is for safety", async () => {
  assert.equal((await judged("http://a.test/x", [], { rel: "nofollow" })).refusal, "nofollow");
  const isSeed = true;
  assert.equal((await judged("http://c.test/x", [], { isSeed })).refusal, null);
  assert.equal((await judged("http://c.test:22/x", [], { isSeed })).refusal, "port");
});

test("each refusal names the key that decides, and its value", async () => {
  const { steps } = await judged("http://b.test/x", ["limits.depth=0"]);
  const refused = steps.filter(({ accepts }) => accepts === false);
  assert.deepEqual(
    refused.map(({ rule }) => rule),
    ["scope: host", "limits.depth: 0"],
  );
});

test("a filter whose module is missing is told of, and decides nothing", async () => {
  const settings = ["filters.modules=[./no-such-module.js]", "filters.schedule=Mine()"];
  const { steps, refusal } = await judged("http://a.test/x", settings);
  assert.equal(refusal, null);
  assert.match(String(steps.at(-1)?.["problem"]), /no-such-module/);
});
