import assert from "node:assert/strict";
import { test } from "node:test";
import { isCrawlError } from "../../base/errors/index.ts";
import { crawlOf, droppedBy, valuesOf } from "./checkpoint-values.ts";
import type { CrawlChanges, SavedCrawl } from "./saved-crawl.ts";

/** More rows than one digit can count. */
const NUMBERS = Array.from({ length: 120 }, (_, number) => number);

const CRAWL = "0123";

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
  const rows = [...valuesOf(SAVED, CRAWL)].sort(([one], [other]) => (one < other ? -1 : 1));
  assert.deepEqual(crawlOf(new Map(rows), CRAWL), SAVED);
});

test("values that another version wrote are refused with what to do", () => {
  for (const [format, said] of [
    [1, /an older version of Trobar \(format 1.*store verify --rebuild/],
    [99, /a newer version of Trobar \(format 99.*Go on with that version/],
  ] as const) {
    const crawl = Buffer.from(JSON.stringify({ format, lanes: 2 }));
    const outcome = crawlOf(new Map([...valuesOf(SAVED, CRAWL), ["crawl", crawl]]), CRAWL);
    assert.ok(isCrawlError(outcome) && outcome.code === "CHECKPOINT_VERSION");
    assert.match(outcome.message, said);
  }
});

test("values of another crawl are refused", () => {
  const outcome = crawlOf(valuesOf(SAVED, "4567"), CRAWL);
  assert.ok(isCrawlError(outcome) && outcome.code === "CHECKPOINT_DAMAGED");
  assert.match(outcome.message, /belongs to another crawl.*store verify --rebuild/);
});

test("values that are not whole are refused", () => {
  const values = valuesOf(SAVED, CRAWL);
  const without = (name: string) => new Map([...values].filter(([one]) => one !== name));
  for (const damaged of [
    new Map(),
    without("crawl"),
    without("1/lane"),
    new Map([...values, ["crawl", Buffer.from('{"format":3')]]),
    new Map([...values, ["0/lane", Buffer.from("{")]]),
  ]) {
    const outcome = crawlOf(damaged as typeof values, CRAWL);
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
