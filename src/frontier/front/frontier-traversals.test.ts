import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { crawlGraph, type Graph } from "../../../test/support/frontier/graph-crawl.ts";
import { bandOf } from "../queues/index.ts";
import type { TraversalName } from "../traversal/index.ts";

const ORDERS = ["breadth-first", "global-breadth-first", "depth-first", "priority"] as const;
const RUNS = process.env["TROBAR_FULL"] === "1" ? 500 : 60;

/** Pages are named by host and number; the first page of the first host is the seed. */
function graphs(hosts: string): fc.Arbitrary<Graph> {
  const page = fc.tuple(fc.nat(hosts.length - 1), fc.nat(9)).map(([host, number]) => {
    return `${hosts[host]}/${number}`;
  });
  const pages = [...hosts].flatMap((host) =>
    Array.from({ length: 10 }, (_, at) => `${host}/${at}`),
  );
  const links = fc.array(fc.array(page, { maxLength: 5 }), {
    minLength: pages.length,
    maxLength: pages.length,
  });
  return links.map((lists) => Object.fromEntries(pages.map((name, at) => [name, lists[at] ?? []])));
}

function reachable(graph: Graph, seeds: readonly string[]): ReadonlyMap<string, number> {
  const depths = new Map(seeds.map((seed) => [seed, 0]));
  for (const [page, depth] of depths) {
    for (const link of graph[page] ?? []) if (!depths.has(link)) depths.set(link, depth + 1);
  }
  return depths;
}

const crawls = {
  graph: graphs("abc"),
  connections: fc.integer({ min: 1, max: 4 }),
  seed: fc.string({ maxLength: 4 }),
  isOneAddress: fc.boolean(),
};

test("every traversal fetches the same pages, each once", () => {
  fc.assert(
    fc.property(
      fc.record({ ...crawls, traversal: fc.constantFrom<TraversalName>(...ORDERS) }),
      ({ isOneAddress, ...crawl }) => {
        let turn = 0;
        const { pages } = crawlGraph({
          ...crawl,
          seeds: ["a/0", "b/0"],
          serviceMs: (random) => 1 + random.below(3000),
          addressOf: (host) => (isOneAddress ? "one" : host),
          // Priorities that grow as the crawl goes on, so that what waits is promoted again and again.
          priorityOf: (page) => (turn++ * page.charCodeAt(2)) % 130,
        });
        const due = reachable(crawl.graph, ["a/0", "b/0"]).keys();
        assert.deepEqual([...pages].sort(), [...due].sort());
      },
    ),
    { numRuns: 3 * RUNS },
  );
});

test("breadth-first visits no page of a host while one nearer to the seed is known there", () => {
  fc.assert(
    fc.property(graphs("a"), fc.integer({ min: 1, max: 3 }), (graph, connections) => {
      const crawl = crawlGraph({ graph, connections, seeds: ["a/0"], traversal: "breadth-first" });
      for (const [at, depth] of crawl.depths.entries()) {
        const waiting = crawl.waiting[at] ?? new Map<string, number>();
        assert.ok([...waiting.values()].every((other) => other >= depth));
      }
      assert.deepEqual([...crawl.depths], [...reachable(graph, ["a/0"]).values()]);
    }),
    { numRuns: RUNS },
  );
});

test("breadth-first visits the pages of a host in the order of their discovery", () => {
  fc.assert(
    fc.property(fc.record({ ...crawls }), ({ isOneAddress: _, ...crawl }) => {
      const { pages, waiting } = crawlGraph({
        ...{ ...crawl, seeds: ["a/0"], traversal: "breadth-first" },
        serviceMs: (random) => 1 + random.below(3000),
      });
      for (const [at, page] of pages.entries()) {
        const earlier = [...(waiting[at - 1] ?? new Map<string, number>()).keys()];
        const first = earlier.find((name) => name.startsWith(page.slice(0, 2)));
        // What was discovered meanwhile may be the host's first, but nothing overtakes what waits.
        if (first !== undefined) assert.equal(page, first);
      }
    }),
    { numRuns: RUNS },
  );
});

test("global breadth-first visits no page of a host while a nearer one is known to wait there", () => {
  fc.assert(
    fc.property(fc.record({ ...crawls }), ({ isOneAddress: _, ...crawl }) => {
      const { pages, depths, waiting } = crawlGraph({
        ...{ ...crawl, connections: 4, seeds: ["a/0"], traversal: "global-breadth-first" },
        serviceMs: (random) => 1 + random.below(3000),
      });
      for (const [at, page] of pages.entries()) {
        const depth = depths[at] as number;
        for (const [other, otherDepth] of waiting[at - 1] ?? []) {
          if (other.startsWith(page.slice(0, 2))) assert.ok(otherDepth >= Math.min(depth, 7));
        }
      }
    }),
    { numRuns: RUNS },
  );
});

test("depth-first on one host is what a stack gives", () => {
  fc.assert(
    fc.property(graphs("a"), (graph) => {
      const { pages } = crawlGraph({ graph, seeds: ["a/0"], traversal: "depth-first" });
      const stack = ["a/0"];
      const known = new Set(stack);
      const expected: string[] = [];
      for (let page = stack.pop(); page !== undefined; page = stack.pop()) {
        expected.push(page);
        for (const link of graph[page] ?? []) {
          if (!known.has(link)) stack.push(link);
          known.add(link);
        }
      }
      assert.deepEqual([...pages], expected);
    }),
    { numRuns: RUNS },
  );
});

test("by priority no page of a host is visited while one of a better band is known there", () => {
  const score = (page: string): number => 2 ** ((page.charCodeAt(2) * 7) % 9);
  fc.assert(
    fc.property(graphs("a"), (graph) => {
      const { pages, waiting } = crawlGraph({
        ...{ graph, seeds: ["a/0"], traversal: "priority", priorityOf: score },
      });
      for (const [at, page] of pages.entries()) {
        for (const other of waiting[at]?.keys() ?? []) {
          assert.ok(bandOf(score(other)) <= bandOf(score(page)), `${page} before ${other}`);
        }
      }
    }),
    { numRuns: RUNS },
  );
});
