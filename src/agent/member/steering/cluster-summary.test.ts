/** The summary of a crawl that agents share, from those of its parts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlCounts } from "../../crawl/counting/crawl-counts.ts";
import { type CrawlSummary, summarize } from "../../crawl/counting/crawl-summary.ts";
import { type AgentPart, clusterSummary } from "./cluster-summary.ts";

function summaryOf(pages: number, queued: number, more: Partial<CrawlSummary> = {}): CrawlSummary {
  const counts = new CrawlCounts();
  counts.pages = pages;
  counts.status.add("200", pages);
  counts.refused.add("scope", 2);
  const frontier = {
    ...{
      urls: pages + queued,
      queued,
      inFlight: 0,
      hosts: 2,
      refused: {},
      idle: { politeness: 1 },
    },
    ...{ allowances: [], memory: { sieve: 5 } as never },
  };
  const summary = summarize({
    ...{ state: "running", reason: "none", limit: null, counts, frontier, elapsedMs: 2000 },
    ...{ seeds: { failures: [] }, idle: {}, holders: new Map() },
  });
  return { ...summary, ...more };
}

function partOf(agent: string, summary: object, more: Partial<AgentPart> = {}): AgentPart {
  const part = { agent, capacity: 1, summary: summary as AgentPart["summary"] };
  return { ...part, pending: 0, lagMs: 0, retainedBytes: 0, told: 0, view: "v", ...more };
}

function merged(parts: readonly AgentPart[], own = summaryOf(0, 0)): CrawlSummary {
  return clusterSummary({ own, parts, agents: parts.length, missing: [] });
}

test("counts of all agents are added up, by name where they have names", () => {
  const parts = [summaryOf(30, 10), summaryOf(10, 0)].map((one, at) => partOf(`a${at}`, one));
  const summary = merged(parts);
  const { pages, urls, queued, hosts, status, refused, idle, seconds, pagesPerSecond } = summary;
  assert.deepEqual([pages, urls, queued, hosts, seconds], [40, 50, 10, 4, 2]);
  assert.deepEqual([status, refused, idle], [{ 200: 40 }, { scope: 4 }, { politeness: 2 }]);
  assert.equal(pagesPerSecond, 20);
  assert.deepEqual([summary.memory["sieve"], summary.agents], [10, 2]);
});

test("a seed that all agents refuse counts once", () => {
  const failedSeeds = [{ url: "http://a.example:25/", why: "port", message: "", remedy: "" }];
  const own = [{ url: "http://b.example/", why: "robots", message: "", remedy: "" }];
  const refused = { port: 1, scope: 2 };
  const summary = merged([
    partOf("a", { ...summaryOf(1, 0), refused, failedSeeds }),
    partOf("b", {
      ...summaryOf(1, 0),
      ...{ refused: { ...refused, robots: 1 }, failedSeeds: [...failedSeeds, ...own] },
    }),
  ]);
  assert.deepEqual(summary.refused, { port: 1, robots: 1, scope: 4 });
  assert.equal(summary.failedSeeds.length, 2);
});

test("of each count the sum is its own, and what this agent has alone is not that of all", () => {
  const counted = { fetches: 1, bytes: 2, duplicates: 3, nearDuplicates: 4, truncated: 5 };
  const others = { requisites: 6, errors: { FETCH_RESET: 7 }, memory: { sieve: 8 } };
  const parts = ["a", "b"].map((agent) => partOf(agent, { ...counted, ...others }));
  const summary = merged(parts, summaryOf(100, 100, { fetches: 100, bytes: 100 }));
  for (const [name, value] of Object.entries(counted)) {
    assert.equal(summary[name as keyof typeof counted], 2 * value, name);
  }
  const { requisites, errors, memory } = summary;
  assert.deepEqual([requisites, errors, memory], [12, { FETCH_RESET: 14 }, { sieve: 16 }]);
});

test("coverage is 1 when nothing is left, anywhere or on its way", () => {
  const done = [partOf("a", summaryOf(30, 0)), partOf("b", summaryOf(10, 0))];
  assert.equal(merged(done).coverage, 1);
  assert.equal(merged([...done, partOf("c", summaryOf(0, 0), { pending: 10 })]).coverage, 0.8);
  assert.equal(merged([...done, partOf("c", summaryOf(0, 10))]).coverage, 0.8);
  const nearly = [...done, partOf("c", summaryOf(10_000_000, 1))];
  assert.ok(merged(nearly).coverage < 1, "one URL of ten millions is something");
});

test("overhead is what agents tell each other for each page, and what is kept of it is shown", () => {
  const summary = merged([
    partOf("a", summaryOf(30, 0), { told: 50, pending: 2, lagMs: 150, retainedBytes: 700 }),
    partOf("b", summaryOf(10, 0), { told: 10, pending: 1, lagMs: 2500, retainedBytes: 300 }),
  ]);
  assert.equal(summary.overhead, 1.5);
  assert.deepEqual(summary.outbox, { pending: 3, lagSeconds: 2.5, retained: 1000 });
  assert.equal(merged([partOf("a", summaryOf(0, 0), { told: 5 })]).overhead, 0);
});

test("views are counted that differ among those who have answered", () => {
  const parts = ["v", "w", "v"].map((view, at) => partOf(`a${at}`, summaryOf(1, 0), { view }));
  assert.equal(merged(parts).views, 2);
  assert.equal(merged([partOf("a", summaryOf(1, 0))]).views, 1);
});

test("balance is that of pages by capacity, and even as long as there are none", () => {
  assert.equal(merged([partOf("a", summaryOf(30, 0)), partOf("b", summaryOf(15, 0))]).balance, 0.5);
  const twice = partOf("a", summaryOf(30, 0), { capacity: 2 });
  assert.equal(merged([twice, partOf("b", summaryOf(15, 0))]).balance, 1);
  assert.equal(merged([partOf("a", summaryOf(0, 0))]).balance, 1);
});

test("whether it runs is what the agent that is asked knows, and who is missing is named", () => {
  const missing = [{ agent: "b", why: "dead" } as const];
  const own = summaryOf(1, 0, { state: "paused" });
  const parts = [partOf("a", own)];
  const summary = clusterSummary({ own, parts, agents: 2, missing });
  assert.deepEqual([summary.state, summary.agents, summary.missing], ["paused", 2, missing]);
});

test("a seed that failed is told once, and the rate is the sum of those that have one", () => {
  const failure = { url: "http://a.example/", why: "scope", message: "", remedy: "" };
  const { failedSeeds, politeRate } = merged([
    partOf("a", summaryOf(1, 0, { failedSeeds: [failure] as never, politeRate: 1.5 })),
    partOf("b", summaryOf(1, 0, { failedSeeds: [failure] as never, politeRate: 2 })),
    partOf("c", summaryOf(1, 0)),
  ]);
  assert.deepEqual(failedSeeds, [failure]);
  assert.equal(politeRate, 3.5);
});

test("of many seeds that failed, some are told", () => {
  const failuresOf = (from: number): readonly object[] =>
    Array.from({ length: 80 }, (_, at) => ({ url: `http://${from + at}.example/` }));
  const parts = [0, 80].map((from) =>
    partOf(`a${from}`, { ...summaryOf(1, 0), failedSeeds: failuresOf(from) }),
  );
  assert.equal(merged(parts).failedSeeds.length, 100);
});

test("what another version says, or leaves out, harms nothing", () => {
  const strange = { pages: "many", urls: Number.NaN, status: { 200: null }, idle: null };
  for (const summary of [{}, strange]) {
    const { pages, status } = merged([partOf("a", summaryOf(3, 0)), partOf("b", summary)]);
    assert.deepEqual([pages, status], [3, { 200: 3 }]);
  }
});
