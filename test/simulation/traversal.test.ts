import assert from "node:assert/strict";
import { test } from "node:test";
import type { Graph } from "../support/graph-crawl.ts";
import { crawlVirtually } from "../support/virtual-crawl.ts";

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
