/** A frontier that is closed and opened again from its checkpoint, at any moment of a crawl. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { openRandomCrawl, type RandomCrawl } from "../support/frontier/random-crawl.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const SEEDS = isFull ? 200 : 12;
const HOSTS = 60;

const TRAVERSALS = ["breadth-first", "global-breadth-first", "depth-first", "priority"] as const;

function refusedCount({ frontier }: RandomCrawl): number {
  return Object.values(frontier.status().refused).reduce((sum, count) => sum + count, 0);
}

for (let seed = 0; seed < SEEDS; seed += 1) {
  const traversal = TRAVERSALS[seed % TRAVERSALS.length] as (typeof TRAVERSALS)[number];
  test(`a crawl that is stopped again and again loses and repeats nothing (${traversal}, seed ${seed})`, () => {
    const random = new SeededRandom(`checkpoint ${seed}`);
    let crawl = openRandomCrawl({
      seed: `checkpoint ${seed}`,
      isOnDisk: true,
      hosts: HOSTS,
      addresses: 20,
      connections: 12,
      pagesPerHost: 10,
      failureRatio: 0.1,
      serviceMsMax: 2000,
      traversal,
      settings: { pagesPerHostMax: 8, retryWaitMs: 1000, memoryBytes: 700 * HOSTS },
    });
    const { urls } = crawl;
    for (let restarts = 0; restarts < 6; restarts += 1) {
      const { lane, kernel, frontier } = crawl;
      kernel.schedule(0, () => lane.pump());
      const ends = lane.ends.size + random.below(120);
      const isOver = (): boolean => lane.ends.size >= ends || frontier.isExhausted;
      kernel.runUntil(isOver, { stepsMax: 1e6, virtualMsMax: 1e9 });
      crawl = crawl.restart(random.below(3000));
    }
    const { lane, frontier } = crawl;
    assert.equal(lane.runToEnd(), "done");
    assert.equal(frontier.status().urls, urls);
    assert.equal(lane.ends.size + refusedCount(crawl), urls, "every URL ended in one way");
    assert.equal(frontier.status().queued, 0);
  });
}
