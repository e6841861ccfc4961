import assert from "node:assert/strict";
import { test } from "node:test";
import { answered } from "../../base/seams/index.ts";
import { Kernel, SimBackground, SimDatabases, SimDisk } from "../../lab/simulator/index.ts";
import { CheckpointKeeper, type FoundCrawl } from "./checkpoint-keeper.ts";
import type { CrawlChanges, SavedCrawl } from "./saved-crawl.ts";

/** A crawl whose lanes have a visit state for each of these hosts. */
function crawlOf(...lanes: readonly (readonly number[])[]): SavedCrawl {
  return {
    ...{ elapsedMs: lanes.length, counts: {}, seeds: {}, duplicates: null, logEnd: 7 },
    lanes: lanes.map((hosts, lane) => ({
      ...{ memory: null, offers: {}, walk: null, score: lane === 0 ? null : Buffer.from("score") },
      frontier: {
        marks: { hosts },
        rows: new Map(hosts.map((host) => [`visits/${host}`, Buffer.from([lane, host])])),
      },
    })),
  } as unknown as SavedCrawl;
}

function changesOf(saved: SavedCrawl, ...dropped: readonly string[]): CrawlChanges {
  const lanes = saved.lanes.map((lane) => ({ ...lane, frontier: { ...lane.frontier, dropped } }));
  return { ...saved, lanes } as unknown as CrawlChanges;
}

/** Processes on one disk. */
function rig() {
  const kernel = new Kernel({ seed: "checkpoint keeper" });
  const { clock, random } = kernel;
  const disk = new SimDisk(random.fork("disk"));
  const driven = async <Value>(promise: Promise<Value>): Promise<Value> => {
    kernel.runUntil(() => false, { stepsMax: 10_000, virtualMsMax: 60_000 });
    return await promise;
  };
  return () => {
    const databases = new SimDatabases({ clock, disk, random: random.fork("databases") });
    const background = new SimBackground({ clock, disk, random: random.fork("background") });
    const keeper = new CheckpointKeeper(databases, background, "one");
    return {
      read: () => driven(answered<FoundCrawl | null>((done) => keeper.read(done))),
      write: (changes: CrawlChanges, isWhole: boolean) =>
        driven(answered((done) => keeper.write(changes, isWhole, done))),
      replace: (saved: SavedCrawl, isWhole: boolean) =>
        driven(answered((done) => keeper.replace(saved, isWhole, done))),
    };
  };
}

test("what is not among the changes stays, and what is dropped goes", async () => {
  const start = rig();
  assert.equal(await start().read(), null);
  await start().write(changesOf(crawlOf([1, 2, 3])), false);
  await start().write(changesOf(crawlOf([3]), "visits/1"), true);
  const found = await start().read();
  assert.equal(found?.isWhole, true);
  assert.deepEqual([...(found?.saved.lanes[0]?.frontier.rows.keys() ?? [])].sort(), [
    "visits/2",
    "visits/3",
  ]);
});

test("a crawl with other lanes replaces all that was read, rows of hosts that have moved too", async () => {
  for (const [before, after] of [
    [crawlOf([1, 2, 3], [1, 2]), crawlOf([1, 4])],
    [crawlOf([1, 2, 3]), crawlOf([2], [1, 5])],
  ] as const) {
    const start = rig();
    await start().write(changesOf(before), true);
    const process = start();
    await process.read();
    await process.replace(after, false);
    assert.deepEqual(await start().read(), { saved: after, isWhole: false });
  }
});
