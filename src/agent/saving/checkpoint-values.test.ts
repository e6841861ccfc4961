import assert from "node:assert/strict";
import { test } from "node:test";
import { crawlOf, droppedBy, valuesOf } from "./checkpoint-values.ts";
import type { CrawlChanges, SavedCrawl } from "./saved-crawl.ts";

/** More rows than one digit can count. */
const NUMBERS = Array.from({ length: 120 }, (_, number) => number);

const SAVED = {
  ...{ elapsedMs: 5, counts: { numbers: { pages: 3 } }, seeds: { watched: [], failures: [] } },
  duplicates: null,
  lanes: [0, 1].map((lane) => ({
    ...{ memory: null, offers: { sitemaps: [] }, score: lane === 0 ? null : Buffer.from("score") },
    frontier: {
      marks: { lane },
      rows: new Map(NUMBERS.map((number) => [`visits/${number}`, Buffer.from([lane, number])])),
    },
  })),
} as unknown as SavedCrawl;

test("what was saved is read again, in whatever order a database sorts names", () => {
  const rows = [...valuesOf(SAVED)].sort(([one], [other]) => (one < other ? -1 : 1));
  assert.deepEqual(crawlOf(new Map(rows)), SAVED);
});

test("values of another format, or that are not whole, are refused", () => {
  const values = valuesOf(SAVED);
  const without = (name: string) => new Map([...values].filter(([one]) => one !== name));
  for (const damaged of [
    new Map(),
    without("crawl"),
    without("1/lane"),
    new Map([...values, ["crawl", Buffer.from('{"format":1,"lanes":2}')]]),
    new Map([...values, ["0/lane", Buffer.from("{")]]),
  ]) {
    const outcome = crawlOf(damaged as typeof values);
    assert.equal("code" in outcome && outcome.code, "CHECKPOINT_DAMAGED");
  }
});

test("what a lane no longer has is dropped under its number", () => {
  const lanes = SAVED.lanes.map((lane, number) => ({
    ...lane,
    frontier: { ...lane.frontier, dropped: [`visits/${number}`] },
  }));
  const names = droppedBy({ ...SAVED, lanes } as CrawlChanges);
  assert.deepEqual(names, ["0/visits/0", "0/score", "1/visits/1"]);
});
