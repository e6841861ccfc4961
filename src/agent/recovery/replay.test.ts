/** Whole crawls in virtual time whose process dies, or whose machine loses power, and that go on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  crawlVirtually,
  type VirtualCrawl,
  type VirtualCrawlOptions,
} from "../../../test/support/agent/virtual-crawl.ts";
import type { Kill } from "../../../test/support/agent/virtual-run.ts";
import { urlOf } from "../../../test/support/agent/virtual-web.ts";
import type { TablePage } from "../../../test/support/lab/table-web.ts";
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

/** Each second page asks not to be archived, and has links that no other page has. */
const PRIVATE: VirtualCrawlOptions["answers"] = Object.fromEntries(
  [1, 2, 5].flatMap((page) =>
    [0, 1, 2, 3, 4].map((host) => {
      const links = (GRAPH[`h${host}/${page}`] ?? []).concat(`h${host}/from-${page}`);
      const anchors = links.map((link) => `<a href="${urlOf(link)}">a</a>`).join("");
      const meta = '<meta name="robots" content="noarchive">';
      return [`h${host}/${page}`, { body: `${meta}<title>${host}/${page}</title>${anchors}` }];
    }),
  ),
);

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

/** Whole crawls by the thousand are killed in test/simulation/killed-agent.test.ts. */
const TRIALS = process.env["TROBAR_FULL"] === "1" ? 400 : 2;

interface Case {
  readonly name: string;
  readonly isPower: boolean;
  readonly settings: readonly string[];
  readonly answers?: VirtualCrawlOptions["answers"];
}

const LINES = ["store.kind=jsonl", "store.compression=none", "store.level=~", "store.warcSize=4Ki"];

const CASES: readonly Case[] = [
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
  {
    ...{ name: "killed, with pages that are not archived", isPower: false, settings: [] },
    answers: PRIVATE,
  },
  {
    ...{ name: "without power, with pages that are not archived", isPower: true },
    ...{ settings: ["lanes=2"], answers: PRIVATE },
  },
  { name: "killed, with lines of JSON", isPower: false, settings: LINES, answers: PRIVATE },
  { name: "without power, with lines of JSON", isPower: true, settings: LINES },
];

for (const { name, isPower, settings, answers = {} } of CASES) {
  test(`a crawl that is ${name} again and again ends with every page once`, async () => {
    const random = new SeededRandom(`recovery ${name}`);
    const options = { ...CRAWL, answers, settings: [...(CRAWL.settings ?? []), ...settings] };
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
      assert.deepEqual(urlsIn(crawl.stored), urlsIn(whole.stored), what);
      assert.deepEqual(crawl.spooled, [], what);
    }
  });
}

function urlsIn(stored: readonly string[]): readonly string[] {
  return stored.map((line) => (JSON.parse(line) as { url: string }).url).toSorted();
}

for (const [name, settings] of [
  ["WARC", []],
  ["lines of JSON", LINES],
  ["two lanes", ["lanes=2"]],
  ["a random walk", ["frontier.traversal=random-walk", "limits.pages=60"]],
] as const) {
  test(`a robots.txt is asked for once by a crawl with ${name} that is killed, unless in flight`, async () => {
    const random = new SeededRandom(`recovery of robots.txt, ${name}`);
    const common = [...(CRAWL.settings ?? []), "politeness.robots=obey"];
    const answers: Record<string, TablePage> = {};
    for (let host = 0; host < 5; host += 1) {
      answers[`h${host}/robots.txt`] = { body: `User-agent: *\nDisallow: /no${host}` };
    }
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const kills = [random.below(1500), random.below(1500)].map((steps) => ({
        ...{ steps, isPower: trial % 2 === 0 },
      }));
      const what = `trial ${trial}: ${JSON.stringify(kills)}`;
      const crawl = await crawlVirtually({
        ...{ ...CRAWL, answers, settings: [...common, ...settings] },
        ...{ seed: `robots ${trial}`, kills },
      });
      const asked = crawl.lines.filter((line) => !isAboutPage(line) && isFinal(line));
      assert.ok(asked.length > 0, what);
      assert.equal(new Set(asked.map(({ url }) => url)).size, asked.length, what);
    }
  });
}

test("a random walk that is killed goes on, and keeps its limit", async () => {
  const random = new SeededRandom("recovery of walks");
  const settings = ["frontier.traversal=random-walk", "limits.pages=60"];
  const options = { ...CRAWL, settings: [...(CRAWL.settings ?? []), ...settings] };
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const kills = [random.below(1500), random.below(1500)].map((steps) => ({
      ...{ steps, isPower: trial % 2 === 0 },
    }));
    const crawl = await crawlVirtually({ ...options, seed: `walk ${trial}`, kills });
    const what = `trial ${trial}: ${JSON.stringify(kills)}`;
    assert.deepEqual([crawl.summary.reason, crawl.summary.pages], ["limit", 60], what);
    assert.equal(crawl.lines.filter((line) => line.result === 200).length, 60, what);
  }
});
