import assert from "node:assert/strict";
import { test } from "node:test";
import { configured } from "../../../test/support/rules/configured.ts";
import type { CrawlSummary } from "../../agent/index.ts";
import { type StatusFacts, statusLine, statusLines } from "./status-block.ts";

const SUMMARY: CrawlSummary = {
  ...{ state: "running", reason: "none", pages: 1234, fetches: 1300, urls: 9000, queued: 7700 },
  ...{ bytes: 1_300_000_000, seconds: 200, pagesPerSecond: 6.2, status: {}, refused: {} },
  ...{
    errors: { DNS_NOT_FOUND: 3 },
    duplicates: 0,
    nearDuplicates: 0,
    truncated: 0,
    requisites: 0,
    hosts: 12,
    agents: 1,
  },
  ...{
    ...{ missing: [], coverage: 0, overhead: 0, balance: 1, views: 1 },
    outbox: { pending: 0, lagSeconds: 0, retained: 0 },
    idle: { politeness: 12 },
    politeRate: 8.5,
    limit: null,
  },
  failedSeeds: [],
  memory: {},
} as CrawlSummary;

function factsWith(
  changes: Partial<StatusFacts> = {},
  ...settings: readonly string[]
): StatusFacts {
  return {
    ...{ summary: SUMMARY, open: 3, configuration: configured(...settings), pagesPerSecond: 8.44 },
    steady: { pagesPerSecond: 10, bytesPerSecond: 1e6 },
    ...changes,
  };
}

test("the block says what was done, what limits the rate, and how far away the limits are", () => {
  assert.deepEqual(statusLines(factsWith({}, "limits={pages: 5000, time: 1h}"), 100), [
    "1,234 pages · 8.4/s · 3m 20s · 7,700 queued · 12 hosts · 3 failed · 1.2 GiB",
    "limited by politeness: one page a second per host (--delay) · these hosts allow 8.5/s",
    "24 % of 5,000 pages · 5 % of 1h 00m · about 6m 16s left",
  ]);
});

test("no line is as wide as the terminal, however narrow, and there are three at most", () => {
  const facts = factsWith({}, "limits={pages: 5000, bytes: 10Gi, time: 1h}");
  for (let columns = 1; columns <= 220; columns += 1) {
    const lines = statusLines(facts, columns);
    assert.equal(lines.length, 3);
    for (const line of lines) assert.ok(line.length < Math.max(columns, 2), `${columns}: ${line}`);
  }
  assert.equal(statusLines(facts, 40)[0], "1,234 pages · 8.4/s · 3m 20s");
});

test("without limits nothing is said about them", () => {
  assert.equal(statusLines(factsWith(), 80).length, 2);
  assert.ok(!statusLine(factsWith()).includes("left"));
});

test("what limits the rate is named by what most hosts wait for", () => {
  const limiter = (idle: Record<string, number>, open: number, ...settings: string[]) =>
    statusLines(factsWith({ summary: { ...SUMMARY, idle }, open }, ...settings), 200)[1];
  assert.equal(
    limiter({ politeness: 1 }, 0, "politeness.hostDelay=5s"),
    "limited by politeness: 5.0 s between pages of a host (--delay) · these hosts allow 8.5/s",
  );
  assert.match(limiter({ politeness: 9, retry: 1 }, 500) ?? "", /all 500 are in use \(-c\)/);
  assert.match(limiter({ politeness: 1, retry: 2 }, 0) ?? "", /failures: 2 hosts/);
  assert.match(limiter({ politeness: 9, disk: 1 }, 0) ?? "", /the disk/);
  assert.match(limiter({ politeness: 9, paused: 1, disk: 1 }, 0) ?? "", /it is paused/);
  assert.match(limiter({ politeness: 9, limit: 1 }, 2) ?? "", /its limit/);
  assert.match(limiter({}, 1) ?? "", /the servers' answers/);
  assert.match(limiter({ weather: 1 }, 1) ?? "", /weather \(1 host\)/);
  assert.match(limiter({ blocked: 2 }, 0) ?? "", /you: 2 hosts blocked by hand/);
});

test("of several agents one that has nothing left, or rests, is not what limits the crawl", () => {
  const limiter = (idle: Record<string, number>, queued: number): string => {
    const summary = { ...SUMMARY, idle, queued, agents: 3 };
    return statusLines(factsWith({ summary, open: 0 }), 200)[1] ?? "";
  };
  assert.match(limiter({ politeness: 4, seeds: 2 }, 9), /limited by politeness/);
  assert.match(limiter({ politeness: 1, seeds: 2 }, 9), /limited by politeness/);
  assert.match(limiter({ seeds: 3 }, 0), /seeds: nothing is left to fetch/);
  assert.match(limiter({ blocked: 13 }, 0), /13 hosts .* until another agent is back/);
});

test("a crawl that waits for its agents says for how many", () => {
  const missing = [{ agent: "c", why: "dead" }] as const;
  const summary = { ...SUMMARY, idle: { agents: 1, politeness: 3 }, agents: 3, missing };
  const [, line] = statusLines(factsWith({ summary }), 120);
  assert.match(line ?? "", /^limited by its agents: 2 of 3 are there, .* \(--expect\)$/);
});
