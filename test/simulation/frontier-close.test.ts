/** A frontier can be closed at any moment: reads in flight are cancelled, which is not a failure. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrawlError } from "../../src/base/errors/index.ts";
import type { TraversalName } from "../../src/frontier/traversal/index.ts";
import { crawlVirtually } from "../support/agent/virtual-crawl.ts";
import { openRandomCrawl } from "../support/frontier/random-crawl.ts";

const SEEDS = process.env["TROBAR_FULL"] === "1" ? 40 : 8;
/** A fraction of what the disk takes to answer. To look more often took most of the time of the test. */
const LOOK_MS = 40;
const TRAVERSALS: readonly TraversalName[] = ["breadth-first", "depth-first"];

interface Closing {
  readonly failures: readonly string[];
  /** How many hosts were being read for when it began. */
  readonly reading: number;
  readonly answers: readonly (string | null)[];
}

/** Closes at some moment at which hosts wait for their queues, then lets time pass. */
function closeWhileReading(seed: string, isOnDisk: boolean, traversal: TraversalName): Closing {
  const failures: string[] = [];
  const { kernel, lane, frontier } = openRandomCrawl({
    ...{ seed, isOnDisk, hosts: 40, addresses: 40, connections: 20 },
    ...{ pagesPerHost: 120, failureRatio: 0, serviceMsMax: 20 },
    settings: { robots: "ignore", hostDelayMs: 1, addressDelayMs: 1, memoryBytes: 60_000 },
    // Otherwise URLs would be offered again later, which never happens to a closed frontier.
    ...(traversal === "breadth-first" ? {} : { traversal }),
    failed: ({ code }: CrawlError) => void failures.push(code),
  });
  kernel.schedule(0, () => lane.pump());
  let turns = 100 + kernel.random.fork("moment").below(400);
  const isReading = (): boolean => {
    if ((frontier.status().idle.reading ?? 0) === 0) return false;
    turns -= 1;
    return turns <= 0;
  };
  assert.equal(kernel.runUntil(isReading, { stepsMax: 1e6, virtualMsMax: 1e7 }), "done", seed);
  const reading = frontier.status().idle.reading ?? 0;
  lane.stop();
  const answers: (string | null)[] = [];
  frontier.close((error) => answers.push(error?.code ?? null));
  kernel.runUntil(() => false, { stepsMax: 1e6, virtualMsMax: 60_000 });
  return { failures, reading, answers };
}

for (const isOnDisk of [true, false]) {
  for (const traversal of TRAVERSALS) {
    const where = isOnDisk ? "on disk" : "in memory";
    test(`closing cancels what is being read from queues ${where}, ${traversal}`, () => {
      for (let number = 0; number < SEEDS; number += 1) {
        const seed = `closing ${number}`;
        const { failures, reading, answers } = closeWhileReading(seed, isOnDisk, traversal);
        assert.ok(reading > 0, seed);
        assert.deepEqual([failures, answers], [[], [null]], seed);
      }
    });
  }
}

test("a crawl that reaches a limit while its queues are read says so, and no failure", async () => {
  const hosts = Array.from({ length: 20 }, (_, number) => `h${number}`);
  const names = Array.from({ length: 120 }, (_, number) => `/${"long-".repeat(30)}${number}`);
  const links = names.flatMap((name) => hosts.map((host) => `${host}${name}`));
  const graph = { "a/": links, ...Object.fromEntries(links.map((page) => [page, []])) };
  for (const limit of ["limits.pages=300", "limits.time=60s"]) {
    let reading = 0;
    const { summary, reports } = await crawlVirtually({
      ...{ graph, seeds: ["a/"] },
      // The slow disk is for the queues alone.
      settings: [limit, "politeness.hostDelay=10ms", "store.index=false", "store.links=false"],
      diskSpeed: { callMsMin: 400, callMsMax: 800 },
      // Before the checkpoint, which waits for the disk.
      prepared: (crawl, kernel) => {
        const look = (): void => {
          const { state, idle } = crawl.summary();
          if (state === "running") kernel.schedule(LOOK_MS, look);
          else reading = idle["reading"] ?? 0;
        };
        kernel.schedule(LOOK_MS, look);
      },
    });
    assert.deepEqual([summary.state, summary.reason], ["finished", "limit"], limit);
    assert.deepEqual(reports, []);
    assert.ok(reading > 0, "hosts waited for their queues when the limit was reached");
  }
});
