/** Crawls that go on with another number of lanes, at any moment. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { LanedCrawl } from "./laned-crawl.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const SEEDS = isFull ? 160 : 12;
const HOSTS = 60;

const TRAVERSALS = ["breadth-first", "global-breadth-first", "depth-first", "priority"] as const;

const COMMON = { hosts: HOSTS, addresses: 20, connections: 8, pagesPerHost: 10 };

function refusedCount(crawl: LanedCrawl): number {
  return crawl.sum((frontier) =>
    Object.values(frontier.status().refused).reduce((sum, count) => sum + count, 0),
  );
}

for (let seed = 0; seed < SEEDS; seed += 1) {
  const traversal = TRAVERSALS[seed % TRAVERSALS.length] as (typeof TRAVERSALS)[number];
  test(`a crawl whose lanes change loses and repeats nothing (${traversal}, seed ${seed})`, () => {
    const random = new SeededRandom(`relane ${seed}`);
    const crawl = new LanedCrawl({
      ...{ ...COMMON, seed: `relane ${seed}`, traversal, lanes: 1 + random.below(4) },
      failureRatio: 0.1,
      serviceMsMax: 2000,
      settings: {
        ...{ pagesPerHostMax: 8, retryWaitMs: 1000, memoryBytes: 700 * HOSTS },
        keepsDepths: seed % 3 === 0,
      },
    });
    for (let restarts = 0; restarts < 6; restarts += 1) {
      crawl.run(crawl.ends.size + random.below(120));
      const failsAfter = random.below(2) === 0 ? random.below(400) : null;
      crawl.restart(1 + random.below(5), random.below(3000), failsAfter);
    }
    crawl.run(Number.POSITIVE_INFINITY);
    assert.equal(
      crawl.sum((frontier) => frontier.status().urls),
      crawl.urls,
    );
    assert.equal(crawl.ends.size + refusedCount(crawl), crawl.urls, "every URL ended in one way");
    assert.equal(
      crawl.sum((frontier) => frontier.status().queued),
      0,
    );
  });
}

/** The pages of each host, in the order of their visits. */
function orders(crawl: LanedCrawl): Map<string, string[]> {
  const pages = new Map<string, string[]>();
  for (const { kind, what } of crawl.log) {
    if (kind !== "page") continue;
    const { host } = new URL(what);
    pages.set(host, [...(pages.get(host) ?? []), what]);
  }
  return pages;
}

for (const traversal of TRAVERSALS) {
  test(`each host keeps its order when lanes change (${traversal})`, () => {
    const options = {
      ...{ ...COMMON, seed: `order ${traversal}`, traversal, lanes: 3 },
      ...{ failureRatio: 0, serviceMsMax: 100, offersAgain: false },
      settings: { memoryBytes: 700 * HOSTS },
    };
    const [changing, steady] = [new LanedCrawl(options), new LanedCrawl(options)];
    for (const [at, lanes] of [1, 4, 2].entries()) {
      changing.run(100 * (at + 1));
      changing.restart(lanes, 1000);
    }
    for (const crawl of [changing, steady]) crawl.run(Number.POSITIVE_INFINITY);
    // A page that was in flight when the lanes ended is begun again.
    const once = (pages: readonly string[]): string[] => [...new Set(pages)];
    const [one, other] = [orders(changing), orders(steady)];
    assert.equal(one.size, HOSTS);
    for (const [host, pages] of one) assert.deepEqual(once(pages), once(other.get(host) ?? []));
  });
}
