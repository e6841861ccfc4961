import assert from "node:assert/strict";
import { test } from "node:test";
import { openRandomCrawl } from "../support/frontier/random-crawl.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const HOSTS = isFull ? 3000 : 200;

const TRAVERSALS = ["depth-first", "global-breadth-first", "priority"] as const;

for (const traversal of TRAVERSALS) {
  for (const isOnDisk of [false, true]) {
    const where = isOnDisk ? "on disk" : "in memory";
    test(`${traversal} ${where}: whatever goes wrong, every URL ends once and politeness is kept`, () => {
      const { lane, frontier, urls } = openRandomCrawl({
        ...{ seed: `${traversal} ${where}`, traversal, isOnDisk },
        ...{ hosts: HOSTS, addresses: Math.floor(0.3 * HOSTS), connections: HOSTS / 10 },
        ...{ pagesPerHost: 10, failureRatio: 0.1, serviceMsMax: 2000 },
        settings: { pagesPerHostMax: 8, retryWaitMs: 1000, memoryBytes: 1000 * HOSTS },
      });
      assert.equal(lane.runToEnd(), "done");
      const { refused, queued } = frontier.status();
      const refusals = Object.values(refused).reduce((sum, count) => sum + count, 0);
      assert.equal(frontier.status().urls, urls);
      assert.equal(lane.ends.size + refusals, urls, "every URL ended in one way");
      assert.equal(queued, 0);
    });
  }
}
