import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Row } from "../../src/base/seams/index.ts";
import { crawlVirtually } from "../support/agent/virtual-crawl.ts";
import { pageOf, urlOf } from "../support/agent/virtual-web.ts";
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

/** The pages within this many links of the seed, each with how many; a redirect does not count. */
function within({ graph, redirects }: Web, depthMax: number): [page: string, depth: number][] {
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
  return [...depths].sort();
}

function namesOf(pages: readonly [page: string, depth: number][]): string[] {
  return pages.map(([name]) => name);
}

/** What the page index says. */
function depthsIn(rows: readonly Row[]): [page: string, depth: number][] {
  return rows
    .map(({ url, depth }): [string, number] => [pageOf(String(url)), Number(depth)])
    .sort();
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
  delaysMs: fc.oneof(delays(5000), delays(30)),
  lanes: fc.integer({ min: 1, max: 3 }),
  diskSpeed: fc.constantFrom({}, { callMsMax: 20, syncMsMax: 120 }),
  seed: fc.string({ maxLength: 3 }),
});

/** How long each page takes; while short ones are worked on, others come in. */
function delays(maxMs: number): fc.Arbitrary<number[]> {
  return fc.array(fc.nat(maxMs), { minLength: PAGES.length, maxLength: PAGES.length });
}

test("a depth limit gives the same pages with any traversal and any timing, each once", async () => {
  await fc.assert(
    fc.asyncProperty(crawls, async ({ web, traversal, depth, concurrency, hostDelay, ...run }) => {
      const { pages, rows, summary } = await crawlVirtually({
        graph: web.graph,
        answers: answersOf(web),
        seeds: ["a/0"],
        ...{ seed: run.seed, diskSpeed: run.diskSpeed },
        settings: [
          ...traversal,
          `limits.depth=${depth}`,
          `lanes=${run.lanes}`,
          `fetch.concurrency=${concurrency}`,
          `politeness.hostDelay=${hostDelay}`,
        ],
        delayMsOf: (name) => run.delaysMs[PAGES.indexOf(name)] ?? 0,
      });
      assert.equal(summary.reason, "exhausted");
      const nearest = within(web, depth);
      assert.deepEqual([...pages].sort(), namesOf(nearest));
      assert.deepEqual(depthsIn(rows), nearest);
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
        ...{ seed: run.seed, diskSpeed: run.diskSpeed },
        settings: [
          ...traversal,
          `fetch.concurrency=${concurrency}`,
          `politeness.hostDelay=${hostDelay}`,
        ],
        delayMsOf: (name) => run.delaysMs[PAGES.indexOf(name)] ?? 0,
      });
      assert.deepEqual([...pages].sort(), namesOf(within(web, Number.POSITIVE_INFINITY)));
    }),
    { numRuns: UNLIMITED_RUNS },
  );
});

interface Limits {
  readonly depth: number | null;
  readonly hostDepth: number;
}

/**
 * The pages within both limits. Of a page the least of each is known, even if no single path has both;
 * what that allows is followed. A link to another host enters it, and a redirect is no step.
 */
function withinBoth({ graph, redirects }: Web, { depth, hostDepth }: Limits): string[] {
  const depthMax = depth ?? Number.POSITIVE_INFINITY;
  const known = new Map([["a/0", { depth: 0, inHost: 0 }]]);
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const [from, at] of [...known]) {
      const target = redirects.get(from);
      const step = target === undefined ? 1 : 0;
      for (const to of target === undefined ? (graph[from] ?? []) : [target]) {
        const reached = at.depth + step;
        const inHost = to[0] === from[0] ? at.inHost + step : 0;
        if (reached > depthMax || inHost > hostDepth) continue;
        const before = known.get(to) ?? { depth: 1e9, inHost: 1e9 };
        const best = {
          depth: Math.min(before.depth, reached),
          inHost: Math.min(before.inHost, inHost),
        };
        if (best.depth === before.depth && best.inHost === before.inHost) continue;
        known.set(to, best);
        hasChanged = true;
      }
    }
  }
  return [...known.keys()].sort();
}

/** Most links stay inside their host, so that steps there add up. */
const hostWebs: fc.Arbitrary<Web> = fc
  .tuple(
    ...PAGES.map((name) => {
      const inside = fc.nat(6).map((number) => `${name[0]}/${number}`);
      const link = fc.oneof({ weight: 4, arbitrary: inside }, { weight: 1, arbitrary: page });
      return fc.array(link, { minLength: 1, maxLength: 2 });
    }),
  )
  .map((links) => ({
    graph: Object.fromEntries(PAGES.map((name, at) => [name, links[at] ?? []])),
    redirects: new Map<string, string>(),
  }));

test("a page that is entered from elsewhere leads further, however near to a seed it was", async () => {
  const graph = {
    "a/0": ["a/1", "b/0"],
    "a/1": ["a/2"],
    "b/0": ["a/1"],
    "a/2": ["a/3"],
    "a/3": [],
  };
  const within: Readonly<Record<string, readonly string[]>> = {
    "limits={hostDepth: 0}": ["a/0", "a/1", "b/0"],
    "limits={hostDepth: 1}": ["a/0", "a/1", "a/2", "b/0"],
    "limits={hostDepth: 1, depth: 10}": ["a/0", "a/1", "a/2", "b/0"],
    "limits={hostDepth: 1, depth: 1}": ["a/0", "a/1", "b/0"],
    "limits={hostDepth: 2, depth: 10}": ["a/0", "a/1", "a/2", "a/3", "b/0"],
  };
  for (const [setting, expected] of Object.entries(within)) {
    const { pages, summary } = await crawlVirtually({ graph, seeds: ["a/0"], settings: [setting] });
    assert.deepEqual([...pages].sort(), expected, setting);
    const refused = (summary.refused["host-depth"] ?? 0) + (summary.refused["depth"] ?? 0);
    assert.equal(refused > 0, !pages.includes("a/3"), setting);
  }
});

test("a URL that moves up while it waits keeps the better of its depths inside the host", async () => {
  const graph = { "a/0": ["a/2", "a/1"], "a/1": ["a/3"], "a/2": ["a/1"], "a/3": [] };
  const settings = [
    "frontier.traversal=priority",
    "frontier.score=backlinks",
    "fetch.concurrency=1",
  ];
  const { pages } = await crawlVirtually({
    ...{ graph, seeds: ["a/0"], settings: [...settings, "limits.hostDepth=2"] },
  });
  assert.deepEqual([...pages].sort(), ["a/0", "a/1", "a/2", "a/3"]);
});

const hostLimits: fc.Arbitrary<Limits> = fc.record({
  depth: fc.option(fc.integer({ min: 0, max: 12 })),
  hostDepth: fc.nat(2),
});

const limitSettings = ({ depth, hostDepth }: Limits): string[] => [
  ...(depth === null ? [] : [`limits.depth=${depth}`]),
  `limits.hostDepth=${hostDepth}`,
];

const laned = [crawls, hostWebs, hostLimits, fc.integer({ min: 1, max: 3 })] as const;

test("a limit on steps inside hosts is exact too, alone and beside one on depth", async () => {
  await fc.assert(
    fc.asyncProperty(...laned, async ({ traversal, ...run }, web, limits, lanes) => {
      const { pages, summary } = await crawlVirtually({
        ...{ graph: web.graph, answers: answersOf(web), seeds: ["a/0"], seed: run.seed },
        settings: [
          ...[...traversal, ...limitSettings(limits)],
          `fetch.concurrency=${Math.max(lanes, run.concurrency)}`,
          `lanes=${lanes}`,
          `politeness.hostDelay=${run.hostDelay}`,
        ],
        delayMsOf: (name) => run.delaysMs[PAGES.indexOf(name)] ?? 0,
      });
      assert.equal(summary.reason, "exhausted");
      assert.deepEqual([...pages].sort(), withinBoth(web, limits));
    }),
    { numRuns: isFull ? 400 : 20 },
  );
});

test("such limits may be raised when a crawl goes on, and are as exact as if it had begun with them", async () => {
  const raised = fc.record({ depth: fc.nat(3), hostDepth: fc.nat(2) });
  await fc.assert(
    fc.asyncProperty(
      ...([crawls, hostWebs, hostLimits, raised, fc.integer({ min: 1, max: 12 })] as const),
      async ({ traversal, ...run }, web, before, more, stopAt) => {
        const after = {
          depth: before.depth === null ? null : before.depth + more.depth,
          hostDepth: before.hostDepth + more.hostDepth,
        };
        const { pages, summary } = await crawlVirtually({
          ...{ graph: web.graph, answers: answersOf(web), seeds: ["a/0"], seed: run.seed },
          settings: [
            ...[...traversal, `fetch.concurrency=${run.concurrency}`],
            `politeness.hostDelay=${run.hostDelay}`,
          ],
          delayMsOf: (name) => run.delaysMs[PAGES.indexOf(name)] ?? 0,
          // The first run is stopped, or ends by itself before.
          stops: [Math.min(stopAt, withinBoth(web, before).length)],
          settingsOfRuns: [limitSettings(before), limitSettings(after)],
        });
        assert.equal(summary.reason, "exhausted");
        assert.deepEqual([...new Set(pages)].sort(), withinBoth(web, after));
      },
    ),
    { numRuns: isFull ? 200 : 5 },
  );
});
