/**
 * Whole crawls with several lanes in virtual time: the lanes are in this thread, and messages between
 * them and the desk are copied and take a while, by the seed.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  crawlVirtually,
  type VirtualCrawl,
  type VirtualCrawlOptions,
} from "../../../test/support/agent/virtual-crawl.ts";
import { SeededRandom } from "../../base/random/index.ts";

const HOSTS = 10;
const PAGES = 9;

/** A tree of pages on each host, with links to the same page of other hosts. */
const GRAPH: Record<string, string[]> = {};
for (let host = 0; host < HOSTS; host += 1) {
  for (let page = 0; page < PAGES; page += 1) {
    const children = [2 * page + 1, 2 * page + 2].filter((child) => child < PAGES);
    const others = [1, 3].map((step) => `h${(host + step) % HOSTS}/${page}`);
    GRAPH[`h${host}/${page}`] = [...children.map((child) => `h${host}/${child}`), ...others];
  }
}

const CRAWL: VirtualCrawlOptions = { graph: GRAPH, seeds: ["h0/0"] };

function withLanes(lanes: number, ...settings: readonly string[]): readonly string[] {
  return [`lanes=${lanes}`, "politeness.hostDelay=20ms", ...settings];
}

function sorted(pages: readonly string[]): string[] {
  return [...pages].sort();
}

/** What does not depend on the number of lanes. */
function outcomeOf({ summary, lines, reports }: VirtualCrawl): object {
  const { pages, fetches, urls, queued, hosts, refused, errors, duplicates, status } = summary;
  assert.deepEqual(reports, []);
  const counts = { pages, fetches, urls, queued, hosts, refused, errors, duplicates, status };
  return { ...counts, reason: summary.reason, lines: lines.length };
}

test("one, two and four lanes fetch the same pages, each once", async () => {
  const one = await crawlVirtually({ ...CRAWL, settings: withLanes(1) });
  assert.equal(one.pages.length, HOSTS * PAGES);
  for (const [lanes, seed] of [
    [2, "a"],
    [3, "b"],
    [4, "c"],
  ] as const) {
    const several = await crawlVirtually({ ...CRAWL, seed, settings: withLanes(lanes) });
    assert.deepEqual(sorted(several.pages), sorted(one.pages), `${lanes} lanes`);
    assert.deepEqual(outcomeOf(several), outcomeOf(one));
  }
});

test("an address is visited by one lane at a time, with its pause between", async () => {
  const addressOf = (host: string): string => `10.0.0.${Number(host.slice(1)) % 3}`;
  const { pages, askedAtMs } = await crawlVirtually({
    ...{ ...CRAWL, addressOf },
    settings: withLanes(4, "politeness.ipDelay=30ms", "politeness.hostDelay=40ms"),
  });
  assert.equal(pages.length, HOSTS * PAGES);
  for (const [groupOf, pauseMs] of [
    [(page: string) => addressOf(page.slice(0, page.indexOf("/"))), 30],
    [(page: string) => page.slice(0, page.indexOf("/")), 40],
  ] as const) {
    const last = new Map<string, number>();
    for (const [at, page] of pages.entries()) {
      const group = groupOf(page);
      const atMs = askedAtMs[at] ?? 0;
      const gapMs = atMs - (last.get(group) ?? Number.NEGATIVE_INFINITY);
      assert.ok(gapMs >= pauseMs, `${group} after ${gapMs} ms`);
      last.set(group, atMs);
    }
  }
});

test("the limit on pages is exact over lanes", async () => {
  for (const [limit, lanes] of [
    [1, 4],
    [7, 2],
    [31, 3],
    [HOSTS * PAGES, 4],
  ] as const) {
    const settings = withLanes(lanes, `limits.pages=${limit}`, "politeness.hostDelay=0ms");
    const { summary, pages } = await crawlVirtually({ ...CRAWL, seed: `${limit}`, settings });
    assert.deepEqual([summary.pages, summary.reason], [limit, "limit"], `${limit} of ${lanes}`);
    assert.equal(pages.length, limit);
  }
});

test("a limit on depth gives the same pages, whatever lanes tell each other when", async () => {
  for (const depth of [1, 2, 4]) {
    const settings = [`limits.depth=${depth}`];
    const one = await crawlVirtually({ ...CRAWL, settings: withLanes(1, ...settings) });
    for (const seed of ["x", "y"]) {
      const delayMsOf = (page: string): number => (page.length * 7 + seed.length) % 40;
      const options = { ...CRAWL, seed, delayMsOf, settings: withLanes(3, ...settings) };
      const several = await crawlVirtually(options);
      assert.deepEqual(sorted(several.pages), sorted(one.pages), `depth ${depth}, seed ${seed}`);
    }
  }
});

test("a seed that redirects widens the scope of all lanes, also for links found before", async () => {
  const graph: Record<string, string[]> = {
    "away/": [],
    "a/": [],
    "b/": ["h7/0", "h7/1"],
    ...GRAPH,
  };
  const options: VirtualCrawlOptions = {
    ...{ graph, seeds: ["away/", "a/", "b/"] },
    answers: {
      "away/": { status: 301, headers: [["Location", "http://h7.example/0"]], delayMs: 500 },
    },
  };
  const expected = await crawlVirtually({ ...options, settings: withLanes(1, "scope=host") });
  assert.ok(expected.pages.includes("h7/8"));
  for (const lanes of [2, 4]) {
    const several = await crawlVirtually({ ...options, settings: withLanes(lanes, "scope=host") });
    assert.deepEqual(sorted(several.pages), sorted(expected.pages), `${lanes} lanes`);
    assert.deepEqual(several.summary.refused, expected.summary.refused);
  }
});

test("seeds that fail are told of, also where they lead to a host of another lane", async () => {
  const names = Array.from({ length: 8 }, (_, at) => at);
  const options: VirtualCrawlOptions = {
    graph: Object.fromEntries(names.map((at) => [`t${at}/`, []])),
    seeds: names.map((at) => `s${at}/`),
    answers: Object.fromEntries(
      names.map((at) => {
        const to = `http://t${at}.example/gone`;
        return [`s${at}/`, { status: 301, headers: [["Location", to]] }];
      }),
    ),
  };
  for (const lanes of [1, 3]) {
    const { summary } = await crawlVirtually({ ...options, settings: withLanes(lanes) });
    assert.deepEqual(
      sorted(summary.failedSeeds.map(({ url, why }) => `${url} ${why}`)),
      names.map((at) => `http://s${at}.example/ 404`),
      `${lanes} lanes`,
    );
  }
});

test("a sitemap that names hosts of other lanes is read as one, wherever it is", async () => {
  const names = Array.from({ length: 8 }, (_, at) => at);
  const sitemap = (at: number): string => `http://m${at}.example/map.xml`;
  const index = names.map((at) => `<sitemap><loc>${sitemap(at)}</loc></sitemap>`).join("");
  const robots = [...names.map(sitemap), "http://i.example/index.xml"];
  const xml = [["Content-Type", "application/xml"]] as const;
  const options: VirtualCrawlOptions = {
    graph: { "a/0": [] },
    seeds: ["a/0"],
    answers: {
      "a/robots.txt": { body: robots.map((url) => `Sitemap: ${url}`).join("\n") },
      "i/index.xml": { headers: xml, body: `<sitemapindex>${index}</sitemapindex>` },
      ...Object.fromEntries(
        names.flatMap((at) => [
          [
            `m${at}/map.xml`,
            {
              headers: xml,
              body: `<urlset><url><loc>http://m${at}.example/listed</loc></url></urlset>`,
            },
          ],
          [`m${at}/listed`, { body: `<title>${at}</title>` }],
        ]),
      ),
    },
  };
  const settings = ["sitemaps=true", "politeness.robots=obey"];
  const one = await crawlVirtually({ ...options, settings: withLanes(1, ...settings) });
  for (const at of names) assert.ok(one.pages.includes(`m${at}/listed`), `${at}`);
  const several = await crawlVirtually({ ...options, settings: withLanes(3, ...settings) });
  assert.deepEqual(sorted(several.pages), sorted(one.pages));
  assert.deepEqual(outcomeOf(several), outcomeOf(one));
});

test("equal pages of different lanes are duplicates of one original", async () => {
  const same = Object.fromEntries(
    Array.from({ length: HOSTS }, (_, host) => [
      `h${host}/3`,
      { body: "<title>same</title><p>The same words on every host, and some more of them." },
    ]),
  );
  const counted = new Set<number>();
  for (const lanes of [1, 2, 4]) {
    const options = { ...CRAWL, answers: same, settings: withLanes(lanes) };
    const { summary, lines } = await crawlVirtually(options);
    counted.add(summary.duplicates);
    const originals = lines.filter(({ url, notes }) => {
      return url.endsWith("/3") && notes.every(([word]) => word !== "duplicate");
    });
    assert.equal(originals.length, 1, `${lanes} lanes`);
  }
  assert.equal(counted.size, 1, "as many in all, by their bodies or by their texts");
});

test("a crawl goes on with other numbers of lanes, from wherever it was stopped", async () => {
  const one = await crawlVirtually({ ...CRAWL, settings: withLanes(1) });
  for (let at = 0; at < 4; at += 1) {
    const random = new SeededRandom(`stops ${at}`);
    const stops = [1 + random.below(20), 25 + random.below(20), 50 + random.below(30)];
    const lanes = [...stops, 0].map(() => `lanes=${1 + random.below(4)}`);
    const again = await crawlVirtually({
      ...{ ...CRAWL, seed: `again ${at}`, stops, settings: ["politeness.hostDelay=20ms"] },
      settingsOfRuns: lanes.map((setting) => [setting]),
    });
    const name = `stopped at ${stops.join()} with ${lanes.join()}`;
    assert.deepEqual(sorted(again.pages), sorted(one.pages), name);
    assert.deepEqual(outcomeOf(again), outcomeOf(one), name);
  }
});
