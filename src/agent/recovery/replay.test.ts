/** Whole crawls in virtual time whose process dies, or whose machine loses power, and that go on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  crawlVirtually,
  type VirtualCrawl,
  type VirtualCrawlOptions,
} from "../../../test/support/agent/virtual-crawl.ts";
import type { Kill } from "../../../test/support/agent/virtual-run.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { isAboutPage, isFinal } from "../../store/archive/index.ts";

/** A tree of pages over some hosts, with links back and to other hosts. */
const GRAPH: Record<string, string[]> = {};
for (let host = 0; host < 5; host += 1) {
  for (let page = 0; page < 9; page += 1) {
    const here = [2 * page + 1, 2 * page + 2].filter((child) => child < 9);
    const links = [...here.map((child) => `h${host}/${child}`), `h${(host + 1) % 5}/${page}`];
    GRAPH[`h${host}/${page}`] = [...links, `h${host}/0`];
  }
}

const CRAWL: VirtualCrawlOptions = {
  graph: GRAPH,
  seeds: ["h0/0"],
  settings: ["politeness.hostDelay=50ms", "store.checkpoint=200ms", "store.level=1"],
  diskSpeed: { callMsMax: 20, syncMsMax: 120 },
};

/** URLs of the pages that have their last line, in the order of the lines. */
function ended({ lines }: VirtualCrawl): string[] {
  return lines.filter((line) => isAboutPage(line) && isFinal(line)).map(({ url }) => url);
}

const TRIALS = process.env["TROBAR_FULL"] === "1" ? 400 : 6;

for (const { name, isPower, settings } of [
  { name: "killed", isPower: false, settings: [] },
  { name: "without power", isPower: true, settings: [] },
  { name: "killed, with a depth limit", isPower: false, settings: ["limits.depth=6"] },
  { name: "killed, with a limit on pages", isPower: false, settings: ["limits.pages=30"] },
  { name: "killed, with two lanes", isPower: false, settings: ["lanes=2"] },
  { name: "without power, with three lanes", isPower: true, settings: ["lanes=3"] },
  {
    ...{ name: "killed, with two lanes and a limit", isPower: false },
    settings: ["lanes=2", "limits.pages=30"],
  },
]) {
  test(`a crawl that is ${name} again and again ends with every page once`, async () => {
    const random = new SeededRandom(`recovery ${name}`);
    const options = { ...CRAWL, settings: [...(CRAWL.settings ?? []), ...settings] };
    const whole = await crawlVirtually(options);
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const kills: Kill[] = Array.from({ length: 1 + random.below(3) }, () => ({
        ...{ steps: random.below(1500), isPower },
      }));
      const what = `trial ${trial}: ${JSON.stringify(kills)}`;
      const crawl = await crawlVirtually({ ...options, seed: `trial ${trial}`, kills });
      assert.deepEqual(crawl.reports, [], what);
      assert.equal(crawl.summary.state, "finished", what);
      const urls = ended(crawl);
      assert.equal(new Set(urls).size, urls.length, `${what}: a page has two lines`);
      assert.equal(urls.length, ended(whole).length, what);
      if (!settings.some((setting) => setting.startsWith("limits")))
        assert.deepEqual(urls.sort(), ended(whole).sort(), what);
      assert.deepEqual(
        [crawl.summary.pages, crawl.summary.fetches, crawl.summary.status],
        [whole.summary.pages, whole.summary.fetches, whole.summary.status],
        what,
      );
    }
  });
}
