import assert from "node:assert/strict";
import { test } from "node:test";
import { crawlGraph, type Graph } from "../../../test/support/frontier/graph-crawl.ts";

/**
 *            1
 *        /   |   \
 *       2    3    4
 *      / \   |   / \
 *     5   6  7  8   3
 *         |     |
 *         9     2
 */
const ONE_HOST: Graph = {
  "a/1": ["a/2", "a/3", "a/4"],
  "a/2": ["a/5", "a/6"],
  "a/3": ["a/7"],
  "a/4": ["a/8", "a/3"],
  "a/6": ["a/9"],
  "a/8": ["a/2"],
};

/** b is slow to be found and deep; c is found at once. */
const HOSTS: Graph = {
  "a/1": ["a/2", "b/1"],
  "a/2": ["a/3"],
  "a/3": ["a/4"],
  "b/1": ["b/2", "c/1"],
  "b/2": ["a/5"],
  "c/1": ["c/2"],
};

function pagesOf(pages: readonly string[], host: string): string[] {
  return pages.filter((page) => page.startsWith(`${host}/`)).map((page) => page.slice(2));
}

test("breadth-first visits a host wave by wave, in the order of discovery", () => {
  const { pages } = crawlGraph({ graph: ONE_HOST, seeds: ["a/1"], traversal: "breadth-first" });
  assert.deepEqual(pagesOf(pages, "a"), ["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
});

test("depth-first goes on from the last link of the last page", () => {
  const { pages } = crawlGraph({ graph: ONE_HOST, seeds: ["a/1"], traversal: "depth-first" });
  assert.deepEqual(pagesOf(pages, "a"), ["1", "4", "8", "3", "7", "2", "6", "9", "5"]);
});

/** One fetch at a time and slow ones, so that every host is due again when it ends. */
const ONE_AT_A_TIME = { connections: 2, addressOf: () => "one", serviceMs: () => 3000 };

test("global breadth-first takes the nearest page of the hosts that may be visited", () => {
  const graph: Graph = {
    "a/1": ["a/2", "a/3", "c/1", "c/2", "c/3", "b/1"],
    "b/1": ["b/2"],
    "b/2": ["b/3"],
  };
  const options = { ...ONE_AT_A_TIME, graph, seeds: ["a/1"] };
  const global = crawlGraph({ ...options, traversal: "global-breadth-first" });
  const wave = ["c/1", "b/1", "a/2", "c/2", "a/3", "c/3"];
  assert.deepEqual(global.pages, ["a/1", ...wave, "b/2", "b/3"]);
  const perHost = crawlGraph({ ...options, traversal: "breadth-first" });
  const turns = ["c/1", "b/1", "a/2", "c/2", "b/2", "a/3", "c/3", "b/3"];
  assert.deepEqual(perHost.pages, ["a/1", ...turns], "hosts take turns, however deep they are");
});

test("inside a host, global breadth-first takes the nearest page, not the first discovered", () => {
  // a/9 is found at depth 3 by way of b, before a/3 at depth 2, which a's own pages lead to.
  const graph: Graph = {
    "a/1": ["a/2", "a/4", "b/1"],
    "b/1": ["b/2"],
    "b/2": ["a/9"],
    "a/4": ["a/3"],
  };
  const serviceMs = (): number => 10;
  const options = { graph, seeds: ["a/1"], connections: 2, serviceMs };
  const first = crawlGraph({ ...options, traversal: "breadth-first" });
  assert.deepEqual(pagesOf(first.pages, "a"), ["1", "2", "4", "9", "3"]);
  const nearest = crawlGraph({ ...options, traversal: "global-breadth-first" });
  assert.deepEqual(pagesOf(nearest.pages, "a"), ["1", "2", "4", "3", "9"]);
});

test("by priority the best URL of a host comes first, by bands, and of one band the oldest", () => {
  const priorities: Readonly<Record<string, number>> = { "a/2": 1, "a/3": 40, "a/4": 33, "a/5": 2 };
  const { pages } = crawlGraph({
    graph: { "a/1": ["a/2", "a/3", "a/4", "a/5"], "a/4": ["a/6"] },
    seeds: ["a/1"],
    traversal: "priority",
    priorityOf: (page) => priorities[page] ?? 0,
  });
  assert.deepEqual(pagesOf(pages, "a"), ["1", "3", "4", "5", "2", "6"]);
});

test("by priority the host with the best URL goes first, exactly", () => {
  const priorities: Readonly<Record<string, number>> = { "b/1": 5, "c/1": 7, "d/1": 6, "a/2": 1 };
  const { pages } = crawlGraph({
    ...ONE_AT_A_TIME,
    graph: { "a/1": ["a/2", "b/1", "c/1", "d/1"] },
    seeds: ["b/0", "c/0", "d/0", "a/1"],
    traversal: "priority",
    priorityOf: (page) => priorities[page] ?? 0,
  });
  assert.deepEqual(pages, ["b/0", "c/0", "d/0", "a/1", "c/1", "d/1", "b/1", "a/2"]);
});

test("a URL that waits rises when more is known of it, and is fetched once", () => {
  const links = new Map<string, number>();
  const { pages } = crawlGraph({
    graph: {
      "a/1": ["a/2", "a/3", "a/4", "a/5", "a/6"],
      "a/2": ["a/6"],
      "a/3": ["a/5", "a/6"],
      "a/4": ["a/6", "a/6"],
    },
    seeds: ["a/1"],
    traversal: "priority",
    priorityOf: (page) => {
      links.set(page, (links.get(page) ?? 0) + 1);
      return links.get(page) ?? 0;
    },
  });
  assert.deepEqual(pagesOf(pages, "a"), ["1", "2", "6", "3", "5", "4"]);
});

test("the page that is next in memory lets a better one pass", () => {
  const { pages } = crawlGraph({
    graph: { "a/1": ["a/2", "a/3"], "b/1": ["a/9"] },
    seeds: ["a/1", "b/1"],
    traversal: "priority",
    connections: 2,
    priorityOf: (page) => (page === "a/9" ? 64 : 1),
    serviceMs: (random) => 100 + random.below(2),
  });
  assert.deepEqual(pagesOf(pages, "a").slice(0, 2), ["1", "9"]);
});

test("whatever the order, each page of several hosts is fetched once", () => {
  for (const traversal of ["breadth-first", "global-breadth-first", "depth-first", "priority"]) {
    const { pages } = crawlGraph({
      ...{ graph: HOSTS, seeds: ["a/1"], connections: 2 },
      traversal: traversal as "priority",
    });
    const every = ["a/1", "a/2", "a/3", "a/4", "a/5", "b/1", "b/2", "c/1", "c/2"];
    assert.deepEqual([...pages].sort(), every, traversal);
  }
});
