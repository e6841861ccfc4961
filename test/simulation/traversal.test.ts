import assert from "node:assert/strict";
import { test } from "node:test";
import { crawlVirtually } from "../support/agent/virtual-crawl.ts";
import type { Graph } from "../support/frontier/graph-crawl.ts";

const GRAPH: Graph = {
  "a/1": ["a/2", "a/3"],
  "a/2": ["a/4"],
  "a/3": ["a/5"],
  "a/4": [],
  "a/5": ["a/1"],
};

test("a crawl goes by the traversal of its configuration", async () => {
  const orders: Record<string, readonly string[]> = {};
  for (const traversal of ["breadth-first", "depth-first"]) {
    const settings = [`frontier.traversal=${traversal}`];
    const { pages } = await crawlVirtually({ graph: GRAPH, seeds: ["a/1"], settings });
    orders[traversal] = pages;
  }
  assert.deepEqual(orders["breadth-first"], ["a/1", "a/2", "a/3", "a/4", "a/5"]);
  assert.deepEqual(orders["depth-first"], ["a/1", "a/3", "a/5", "a/2", "a/4"]);
});

test("by back-links the page that most pages lead to comes first", async () => {
  const { pages } = await crawlVirtually({
    graph: {
      "a/1": ["a/2", "a/3", "a/4", "a/5", "a/6"],
      "a/2": ["a/6"],
      "a/3": [],
      "a/4": [],
      "a/5": [],
      "a/6": ["a/5", "a/4"],
    },
    seeds: ["a/1"],
    settings: ["frontier.traversal=priority"],
  });
  assert.deepEqual(pages, ["a/1", "a/2", "a/6", "a/5", "a/4", "a/3"]);
});

test("by cash, a page linked to by important pages with few links comes first", async () => {
  const many = ["b/3", "b/4", "b/5", "b/6", "b/7", "b/8", "b/9"];
  const { pages } = await crawlVirtually({
    graph: {
      "a/1": ["a/2", "b/1"],
      "a/2": ["b/2"],
      "b/1": [...many],
      ...Object.fromEntries(["b/2", ...many].map((page) => [page, []])),
    },
    seeds: ["a/1"],
    settings: ["frontier.traversal=priority", "frontier.score=cash"],
    // a/2 has led to b/2 before the links of b/1 are known, and both before b is free again.
    delayMsOf: (page) => (page === "b/1" ? 5000 : 0),
  });
  assert.deepEqual(pages.slice(0, 4).sort(), ["a/1", "a/2", "b/1", "b/2"]);
  assert.equal(pages[3], "b/2", "half of a seed's cash against a fourteenth");
});

test("by topic, pages whose links mention it come first", async () => {
  const texts: Record<string, string> = { "a/3": "Something", "a/4": "The history of Venezia" };
  const { pages } = await crawlVirtually({
    graph: { "a/1": ["a/2", "a/3", "a/4", "a/history"], "a/2": [], "a/3": [], "a/4": [] },
    seeds: ["a/1"],
    settings: [
      "frontier.traversal=priority",
      "frontier.score=topic",
      "frontier.topic=[History, venezia]",
    ],
    anchorOf: (page) => texts[page] ?? "more",
  });
  assert.deepEqual(pages, ["a/1", "a/4", "a/history", "a/2", "a/3"]);
});

test("a module that is not a score ends a crawl before it begins", async () => {
  const settings = ["frontier.traversal=priority", "frontier.score=./test/support/no-score.ts"];
  const crawling = crawlVirtually({ graph: GRAPH, seeds: ["a/1"], settings });
  await assert.rejects(crawling, { code: "SCORE_INVALID" });
});

test("globally breadth-first, a waiting page rises when a shorter path to it is found", async () => {
  const { pages } = await crawlVirtually({
    graph: {
      "a/1": ["b/1", "a/2"],
      "b/1": ["b/2"],
      "b/2": ["a/8", "a/9"],
      "a/2": ["a/9"],
      "a/8": [],
      "a/9": [],
    },
    seeds: ["a/1"],
    settings: ["frontier.traversal=global-breadth-first"],
    delayMsOf: (page) => (page === "a/2" ? 5000 : 0),
  });
  const onA = pages.filter((page) => page.startsWith("a/"));
  assert.deepEqual(onA, ["a/1", "a/2", "a/9", "a/8"]);
});
