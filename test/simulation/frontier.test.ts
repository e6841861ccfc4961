import assert from "node:assert/strict";
import { test } from "node:test";
import { openRandomCrawl, type RandomCrawl } from "../support/frontier/random-crawl.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
/** 10,000 hosts on 3,000 addresses in the full run. */
const HOSTS = isFull ? 10_000 : 1000;

function refusedCount({ frontier }: RandomCrawl): number {
  return Object.values(frontier.status().refused).reduce((sum, count) => sum + count, 0);
}

for (const seed of isFull ? ["one", "two", "three", "four on disk"] : ["one", "two on disk"]) {
  test(`whatever goes wrong, every URL ends once and politeness is kept (seed ${seed})`, () => {
    const crawl = openRandomCrawl({
      seed,
      isOnDisk: seed.endsWith("disk"),
      hosts: HOSTS,
      addresses: Math.floor(0.3 * HOSTS),
      connections: HOSTS / 10,
      pagesPerHost: 10,
      failureRatio: 0.1,
      serviceMsMax: 2000,
      settings: { pagesPerHostMax: 8, retryWaitMs: 1000, memoryBytes: 700 * HOSTS },
    });
    const { lane, frontier, urls } = crawl;
    assert.equal(lane.runToEnd(), "done");
    assert.equal(frontier.status().urls, urls);
    assert.equal(lane.ends.size + refusedCount(crawl), urls, "every URL ended in one way");
    assert.equal(frontier.status().queued, 0);
    assert.equal(lane.busy, 0);
    const { refused } = frontier.status();
    for (const reason of ["robots", "address", "host-limit"] as const) assert.ok(refused[reason]);
    assert.ok([...lane.ends.values()].includes("DNS_NOT_FOUND"));
  });
}

test("with enough hosts the connections are busy nearly all the time", () => {
  const connections = isFull ? 1000 : 200;
  const { lane, kernel, frontier } = openRandomCrawl({
    seed: "busy",
    hosts: connections * 6,
    addresses: connections * 6,
    connections,
    pagesPerHost: 60,
    failureRatio: 0,
    serviceMsMax: 1000,
    settings: {},
  });
  const runFor = (virtualMs: number): void => {
    kernel.runUntil(() => false, { stepsMax: 1e9, virtualMsMax: virtualMs });
  };
  kernel.schedule(0, () => lane.pump());
  // Names must be found and robots.txt fetched first.
  runFor(20_000);
  const fromMs = lane.busyMs;
  runFor(isFull ? 40_000 : 20_000);
  const share = (lane.busyMs - fromMs) / (isFull ? 40_000 : 20_000) / connections;
  assert.ok(share > 0.95, `connections were busy ${(100 * share).toFixed(1)} % of the time`);
  assert.ok(!frontier.isExhausted, "there was enough to do");
});

test("while a connection is free no host waits for longer than politeness demands", () => {
  const { lane, kernel, frontier } = openRandomCrawl({
    seed: "nobody starves",
    hosts: 300,
    addresses: 100,
    connections: 1000,
    pagesPerHost: 15,
    failureRatio: 0,
    serviceMsMax: 500,
    settings: { robots: "ignore" },
  });
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.ends.size, 4500);
  // An address has about three hosts; each may be visited when the others have been.
  const lastMs = new Map<string, number>();
  let longestMs = 0;
  for (const { kind, what, atMs } of lane.log) {
    if (kind !== "page") continue;
    const host = new URL(what).hostname;
    longestMs = Math.max(longestMs, atMs - (lastMs.get(host) ?? atMs));
    lastMs.set(host, atMs);
  }
  assert.ok(lane.vainWakes < 50, `${lane.vainWakes} times it was asked to come in vain`);
  assert.ok(longestMs < 10_000, `a host waited for ${longestMs} ms`);
  assert.ok(kernel.nowMs < 15 * 10_000);
  assert.ok(frontier.isExhausted);
});

test("a host's next URLs are read while it still has some, so that it never waits for a slow disk", () => {
  const { lane, frontier, urls } = openRandomCrawl({
    ...{ seed: "reading ahead", hosts: 1, addresses: 1, connections: 1, pagesPerHost: 2000 },
    ...{ failureRatio: 0, serviceMsMax: 1, isOnDisk: true },
    settings: { robots: "ignore", hostDelayMs: 1, addressDelayMs: 0 },
    withDisk: (disk) => {
      disk.speed = { ...disk.speed, callMsMin: 8, callMsMax: 12 };
    },
  });
  let waits = 0;
  lane.each = () => {
    const isReading = (frontier.status().idle.reading ?? 0) > 0;
    if (lane.ends.size > 0 && isReading) waits += 1;
  };
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.ends.size, urls);
  assert.equal(waits, 0);
});

test("a disk that cannot be read for a while holds the crawl up, and nothing is lost", () => {
  const failures = new Set<string>();
  const { lane, frontier, urls } = openRandomCrawl({
    seed: "disk trouble",
    hosts: 30,
    addresses: 30,
    connections: 10,
    pagesPerHost: 200,
    failureRatio: 0,
    serviceMsMax: 200,
    settings: { robots: "ignore" },
    isOnDisk: true,
    failed: ({ code }) => failures.add(code),
    withDisk: (disk, kernel) => {
      disk.failWhen = ({ kind }) =>
        kind === "read" && kernel.nowMs > 60_000 && kernel.nowMs < 200_000;
    },
  });
  let waited = 0;
  lane.each = () => {
    waited = Math.max(waited, frontier.status().idle.reading ?? 0);
  };
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.ends.size, urls);
  assert.deepEqual([...failures], ["STORAGE_FAILED"]);
  assert.equal(waited, 30, "every host waited for its queue, and the status said so");
});
