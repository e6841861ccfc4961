/**
 * Hosts of few servers in several lanes, stopped and gone on with by other numbers of lanes: the watch
 * of every lane fails at the first visit of a server that comes too soon or beside another, whatever
 * host it is of.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { LanedCrawl } from "./laned-crawl.ts";

const SEEDS = process.env["TROBAR_FULL"] === "1" ? 120 : 12;
const TRAVERSALS = ["breadth-first", "priority", "depth-first"] as const;
const HOSTS = 24;

for (let seed = 0; seed < SEEDS; seed += 1) {
  const traversal = TRAVERSALS[seed % TRAVERSALS.length] as (typeof TRAVERSALS)[number];
  const hostDelayMs = seed % 4 === 3 ? 0 : 1000;
  test(`the hosts of a server are visited as one (${traversal}, ${hostDelayMs} ms, ${seed})`, () => {
    const random = new SeededRandom(`aliases ${seed}`);
    const crawl = new LanedCrawl({
      ...{ hosts: HOSTS, addresses: 12, connections: 8, pagesPerHost: 8, traversal },
      ...{ seed: `aliases ${seed}`, lanes: 1 + random.below(4), servers: 1 + random.below(8) },
      ...{ failureRatio: 0.1, serviceMsMax: 2000 },
      settings: { hostDelayMs, addressDelayMs: seed % 2 === 0 ? 250 : 0, retryWaitMs: 1000 },
    });
    for (let restarts = 0; restarts < 4; restarts += 1) {
      crawl.run(crawl.ends.size + random.below(50));
      crawl.restart(1 + random.below(4), random.below(3000));
    }
    crawl.run(Number.POSITIVE_INFINITY);
    const refused = crawl.sum((frontier) =>
      Object.values(frontier.status().refused).reduce((sum, count) => sum + count, 0),
    );
    assert.equal(crawl.ends.size + refused, crawl.urls, "every URL ended in one way");
  });
}
