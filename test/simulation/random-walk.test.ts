import assert from "node:assert/strict";
import { test } from "node:test";
import { crawlVirtually } from "../support/agent/virtual-crawl.ts";
import { urlOf } from "../support/agent/virtual-web.ts";
import type { Graph } from "../support/frontier/graph-crawl.ts";

const GRAPH: Graph = {
  "a/1": ["a/2", "b/1", "a/404", "a/moved"],
  "a/2": ["a/1", "b/1"],
  "b/1": ["b/2", "a/1"],
  "b/2": [],
};
const ANSWERS = {
  "a/moved": { status: 301, headers: [["Location", urlOf("b/1")]] as const },
};
const WALK = ["frontier.traversal=random-walk", "politeness.hostDelay=10ms"];

test("a random walk visits pages again and ends at the limit", async () => {
  const settings = [...WALK, "limits.pages=200"];
  const crawl = { graph: GRAPH, answers: ANSWERS, seeds: ["a/1"], settings };
  const { pages, summary } = await crawlVirtually(crawl);
  assert.equal(summary.pages, 200);
  assert.equal(summary.reason, "limit");
  assert.equal(new Set(pages).size, 6, "all there is");
  for (const [at, page] of pages.entries()) {
    const before = pages[at - 1];
    const links = before === undefined ? [] : (GRAPH[before] ?? []);
    const isNext = page === "a/1" || links.includes(page);
    assert.ok(isNext || (before === "a/moved" && page === "b/1"), `${before}, then ${page}`);
    if (before === "a/404" || before === "b/2") assert.equal(page, "a/1", "a dead end");
    if (before === "a/moved") assert.equal(page, "b/1", "a redirect is followed");
  }
  assert.deepEqual((await crawlVirtually(crawl)).pages, pages, "the same seed, the same walk");
});

test("walkers walk side by side, each host is still asked politely", async () => {
  const settings = [...WALK, "limits.pages=100", "politeness.hostDelay=1s"];
  const seeds = ["a/1", "b/1", "a/2"];
  const { pages, summary } = await crawlVirtually({ graph: GRAPH, seeds, settings });
  assert.equal(summary.pages, 100);
  assert.deepEqual([...new Set(pages)].sort().slice(0, 3), ["a/1", "a/2", "a/404"]);
  // Two hosts at a second each: one walker alone would have needed much longer.
  assert.ok(summary.seconds < 100, `${summary.seconds} s`);
});

test("a walker that reaches the depth limit begins again at a seed", async () => {
  const settings = [...WALK, "limits.pages=60", "limits.depth=1"];
  const { pages } = await crawlVirtually({ graph: GRAPH, seeds: ["a/1"], settings });
  assert.ok(!pages.includes("b/2"), "two links away");
  for (const [at, page] of pages.entries()) {
    if (page !== "a/1") assert.ok([undefined, "a/1", "a/moved"].includes(pages[at - 1]));
  }
});

test("a walk to nowhere gives up", async () => {
  const settings = [...WALK, "limits.pages=10"];
  const { pages, summary } = await crawlVirtually({ graph: {}, seeds: ["a/1"], settings });
  assert.equal(summary.reason, "exhausted");
  assert.deepEqual([...new Set(pages)], ["a/1"]);
});

test("a seed that redirects takes its walker along, and the scope with it", async () => {
  const moved = { status: 301, headers: [["Location", urlOf("b/1")]] as const };
  const { pages } = await crawlVirtually({
    graph: { "b/1": ["b/2", "c/1"], "b/2": ["b/1"], "c/1": [] },
    answers: { "a/1": moved },
    seeds: ["a/1"],
    settings: [...WALK, "limits.pages=30", "scope=host"],
  });
  assert.deepEqual([...new Set(pages)].sort(), ["a/1", "b/1", "b/2"]);
});
