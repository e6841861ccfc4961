import assert from "node:assert/strict";
import { test } from "node:test";
import { openRandomCrawl } from "../../../../test/support/frontier/random-crawl.ts";
import { countsIn } from "../../sieve/index.ts";
import type { FrontierCheckpoint } from "./frontier-checkpoint.ts";
import { RestingFrontier } from "./resting-frontier.ts";

test("a checkpoint tells as many queued URLs as the frontier did, whatever the sieve has to decide", () => {
  const { frontier, kernel } = openRandomCrawl({
    ...{ seed: "resting", isOnDisk: true, hosts: 60, addresses: 20, connections: 12 },
    ...{ pagesPerHost: 10, failureRatio: 0, serviceMsMax: 2000, traversal: "breadth-first" },
    settings: { memoryBytes: 700 * 60 },
  });
  const told = frontier.status();
  const taken: FrontierCheckpoint[] = [];
  frontier.checkpoint((error, checkpoint) => {
    assert.equal(error, null);
    if (checkpoint !== undefined) taken.push(checkpoint);
  });
  kernel.runUntil(() => taken.length > 0, { stepsMax: 1e6, virtualMsMax: 1e9 });
  const [checkpoint = assert.fail("a checkpoint was taken")] = taken;
  assert.ok(countsIn(checkpoint.marks.sieve).pending > 0, "the sieve had something to decide");
  const { queued, urls, hosts } = RestingFrontier.statusOf(checkpoint);
  assert.deepEqual([queued, urls, hosts], [told.queued, told.urls, told.hosts]);
  assert.equal(RestingFrontier.isExhausted(checkpoint), false);
});
