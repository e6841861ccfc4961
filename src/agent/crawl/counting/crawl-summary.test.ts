import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlCounts } from "./crawl-counts.ts";
import { summarize } from "./crawl-summary.ts";

test("refusals of links and of the frontier are one table in the summary", () => {
  const counts = new CrawlCounts();
  counts.pages = 30;
  counts.refused.add("scope", 2);
  const summary = summarize({
    ...{
      state: "finished",
      reason: "limit",
      limit: "pages",
      counts,
      elapsedMs: 1500,
      idle: { disk: 1 },
    },
    seeds: { failures: [] },
    frontier: {
      ...{ urls: 9, queued: 4, inFlight: 0, hosts: 3 },
      refused: { robots: 1, "url-too-long": 1 },
      idle: { politeness: 2 },
      allowances: [
        {
          ...{ apart: 1.5, rows: new Int32Array(), rates: new Float64Array() },
          ...{ addressDelayMs: 250, looks: 1, hosts: 1 },
        },
      ],
      memory: { sieve: 1, queues: 2, hosts: 3, states: 4, robots: 5, depths: 0 },
    },
    holders: new Map([["near", { memoryBytes: 6 }]]),
  });
  assert.deepEqual(summary.refused, { robots: 1, scope: 2, "url-too-long": 1 });
  assert.deepEqual(summary.idle, { politeness: 2, disk: 1 });
  assert.equal(summary.politeRate, 1.5);
  const frontierMemory = { sieve: 1, queues: 2, hosts: 3, states: 4, robots: 5, depths: 0 };
  assert.deepEqual(summary.memory, { ...frontierMemory, near: 6 });
  assert.deepEqual([summary.seconds, summary.pagesPerSecond], [1.5, 20]);
});
