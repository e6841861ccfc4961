import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { crawlVirtually, urlOf } from "../support/agent/virtual-crawl.ts";
import type { Graph } from "../support/frontier/graph-crawl.ts";
import type { TablePage } from "../support/lab/table-web.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const RUNS = isFull ? 400 : 60;
/** Without a limit each crawl is a whole web, and the order in which pages come matters less. */
const UNLIMITED_RUNS = isFull ? 400 : 20;

const PAGES = [..."abc"].flatMap((host) => Array.from({ length: 7 }, (_, at) => `${host}/${at}`));
const page = fc.constantFrom(...PAGES);

/** What leads where: the links of each page, or the one page that it redirects to. */
interface Web {
  readonly graph: Graph;
  readonly redirects: ReadonlyMap<string, string>;
}

const webs: fc.Arbitrary<Web> = fc
  .record({
    links: fc.array(fc.array(page, { minLength: 1, maxLength: 3 }), {
      minLength: PAGES.length,
      maxLength: PAGES.length,
    }),
    redirects: fc.array(fc.tuple(page, page), { maxLength: 4 }),
  })
  .map(({ links, redirects }) => ({
    graph: Object.fromEntries(PAGES.map((name, at) => [name, links[at] ?? []])),
    redirects: new Map(redirects.filter(([from, to]) => from !== to && from !== "a/0")),
  }));

/** The pages within this many links of the seed; a redirect does not count. */
function within({ graph, redirects }: Web, depthMax: number): string[] {
  const depths = new Map([["a/0", 0]]);
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const [from, depth] of [...depths]) {
      const target = redirects.get(from);
      const links = target === undefined ? (graph[from] ?? []) : [target];
      const reached = target === undefined ? depth + 1 : depth;
      for (const to of links) {
        if (reached > depthMax || (depths.get(to) ?? Number.POSITIVE_INFINITY) <= reached) continue;
        depths.set(to, reached);
        hasChanged = true;
      }
    }
  }
  return [...depths.keys()].sort();
}

function answersOf({ redirects }: Web): Record<string, TablePage> {
  const answers = [...redirects].map(([from, to]): [string, TablePage] => {
    return [from, { status: 302, reason: "Found", headers: [["Location", urlOf(to)]] }];
  });
  return Object.fromEntries(answers);
}

const TRAVERSALS = [
  ["frontier.traversal=breadth-first"],
  ["frontier.traversal=global-breadth-first"],
  ["frontier.traversal=depth-first"],
  ["frontier.traversal=priority", "frontier.score=backlinks"],
  ["frontier.traversal=priority", "frontier.score=cash"],
];

const crawls = fc.record({
  web: webs,
  traversal: fc.constantFrom(...TRAVERSALS),
  depth: fc.nat(4),
  concurrency: fc.integer({ min: 1, max: 5 }),
  hostDelay: fc.constantFrom("0", "10ms", "1s"),
  delaysMs: fc.array(fc.nat(5000), { minLength: PAGES.length, maxLength: PAGES.length }),
  seed: fc.string({ maxLength: 3 }),
});

test("a depth limit gives the same pages with any traversal and any timing, each once", async () => {
  await fc.assert(
    fc.asyncProperty(crawls, async ({ web, traversal, depth, concurrency, hostDelay, ...run }) => {
      const { pages, summary } = await crawlVirtually({
        graph: web.graph,
        answers: answersOf(web),
        seeds: ["a/0"],
        seed: run.seed,
        settings: [
          ...traversal,
          `limits.depth=${depth}`,
          `fetch.concurrency=${concurrency}`,
          `politeness.hostDelay=${hostDelay}`,
        ],
        delayMsOf: (name) => run.delaysMs[PAGES.indexOf(name)] ?? 0,
      });
      assert.equal(summary.reason, "exhausted");
      assert.deepEqual([...pages].sort(), within(web, depth));
    }),
    { numRuns: RUNS },
  );
});

test("without a limit every traversal fetches all there is, each page once", async () => {
  await fc.assert(
    fc.asyncProperty(crawls, async ({ web, traversal, concurrency, hostDelay, ...run }) => {
      const { pages } = await crawlVirtually({
        graph: web.graph,
        answers: answersOf(web),
        seeds: ["a/0"],
        seed: run.seed,
        settings: [
          ...traversal,
          `fetch.concurrency=${concurrency}`,
          `politeness.hostDelay=${hostDelay}`,
        ],
        delayMsOf: (name) => run.delaysMs[PAGES.indexOf(name)] ?? 0,
      });
      assert.deepEqual([...pages].sort(), within(web, Number.POSITIVE_INFINITY));
    }),
    { numRuns: UNLIMITED_RUNS },
  );
});
