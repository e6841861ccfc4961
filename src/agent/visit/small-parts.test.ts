/** The small parts of a crawl that only count, watch or remember. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/simulated-world.ts";
import { CrawlError } from "../../base/errors/index.ts";
import type { Done, Storage } from "../../base/seams/index.ts";
import { readConfiguration } from "../../rules/config/index.ts";
import type { CrawlLine, FaultLog } from "../../store/archive/index.ts";
import { CrawlCounts, Tally } from "../crawl/crawl-counts.ts";
import { CrawlLimits } from "../crawl/crawl-limits.ts";
import { summarize } from "../crawl/crawl-summary.ts";
import { DiskWatch } from "../crawl/disk-watch.ts";
import { Faults } from "../crawl/faults.ts";
import { unbuiltKeys } from "../crawl/unbuilt.ts";
import { NamedSitemaps } from "../links/named-sitemaps.ts";
import type { StandingLink } from "../links/standing-link.ts";
import { SeedTrails } from "../seeds/seed-trails.ts";

function configured(...assignments: readonly string[]) {
  const flags = assignments.map((text, index) => ({
    kind: "assignment" as const,
    ordinal: index,
    text,
  }));
  const reading = readConfiguration({ flags });
  assert(reading.ok, JSON.stringify(reading));
  return reading.configuration;
}

test("fetches under way hold the places of the pages that may come of them", () => {
  const counts = new CrawlCounts();
  const limits = new CrawlLimits(configured("limits.pages=10").limits, counts);
  counts.pages = 6;
  assert.equal(limits.pagesWanted(3), 1);
  assert.equal(limits.pagesWanted(4), 0);
  assert.equal(limits.reached(0), null);
  counts.pages = 10;
  assert.equal(limits.reached(0), "pages");
});

test("bytes and time are limits too, and without any there is no end", () => {
  const counts = new CrawlCounts();
  counts.bytes = 1000;
  const limits = new CrawlLimits(configured("limits={bytes: 1000, time: 1s}").limits, counts);
  assert.equal(limits.pagesWanted(0), 0);
  assert.equal(limits.reached(0), "bytes");
  counts.bytes = 999;
  assert.deepEqual([limits.reached(999), limits.reached(1000)], [null, "time"]);
  const free = new CrawlLimits(configured().limits, counts);
  assert.equal(free.pagesWanted(1e6), Number.POSITIVE_INFINITY);
  assert.equal(free.reached(1e12), null);
});

test("a tally forgets what was taken back, and is ordered by name", () => {
  const tally = new Tally();
  for (const name of ["b", "a", "b", "c"]) tally.add(name);
  tally.add("c", -1);
  assert.equal(JSON.stringify(tally.toObject()), '{"a":1,"b":2}');
});

/** As it is before anything was counted: what was counted for a line is gone. */
function afterTakingBack(line: Partial<CrawlLine>, counted: (counts: CrawlCounts) => void) {
  const counts = new CrawlCounts();
  counted(counts);
  counts.takeBack({ ...LINE, ...line });
  return JSON.stringify(counts) + JSON.stringify([counts.status, counts.errors].map(tallied));
}

const tallied = (tally: Tally) => tally.toObject();

const LINE: CrawlLine = {
  ...{ atMs: 0, result: 200, bodyBytes: 100, url: "http://a.test/", depth: 0, via: null },
  ...{ mime: null, digest: null, durationMs: 1, attempt: 1, address: null, place: null, notes: [] },
};

test("of a line that is not kept everything that was counted is taken back", () => {
  const fetched = { fetches: 1, bytes: 100 };
  const cases: [Partial<CrawlLine>, Partial<CrawlCounts>, [Tallied, string]?][] = [
    [{}, { ...fetched, pages: 1 }, ["status", "200"]],
    [{ result: 404 }, fetched, ["status", "404"]],
    [{ notes: [["requisite"]] }, { ...fetched, requisites: 1 }, ["status", "200"]],
    [
      {
        notes: [
          ["duplicate", "x"],
          ["truncated", "length"],
        ],
      },
      { ...fetched, pages: 1, duplicates: 1, truncated: 1 },
      ["status", "200"],
    ],
    [
      { notes: [["near-duplicate"], ["damaged"]] },
      { ...fetched, pages: 1, nearDuplicates: 1, truncated: 1 },
      ["status", "200"],
    ],
    [{ result: 503, notes: [["retry"]] }, fetched],
    [
      { result: "FETCH_DISCONNECTED", bodyBytes: 0 },
      { fetches: 1 },
      ["errors", "FETCH_DISCONNECTED"],
    ],
    [{ result: "FETCH_DISCONNECTED", bodyBytes: 0, notes: [["retry"]] }, { fetches: 1 }],
    [
      { result: "DNS_TIMED_OUT", bodyBytes: 0, notes: [["unfetched"]] },
      {},
      ["errors", "DNS_TIMED_OUT"],
    ],
    [{ notes: [["sitemap"]] }, { bytes: 100 }],
    [{ notes: [["robots"]] }, {}],
  ];
  const nothing = afterTakingBack({ notes: [["robots"]] }, () => undefined);
  for (const [line, counted, tally] of cases) {
    const left = afterTakingBack(line, (counts) => {
      Object.assign(counts, counted);
      if (tally !== undefined) counts[tally[0]].add(tally[1]);
    });
    assert.equal(left, nothing, JSON.stringify(line));
  }
});

type Tallied = "status" | "errors";

test("the disk is looked at from time to time, and changes are told", () => {
  const time = new SimulatedTime();
  const free: (number | CrawlError)[] = [
    100,
    5,
    5,
    new CrawlError("STORAGE_FAILED", "broken"),
    5,
    100,
  ];
  const storage = {
    freeBytes: (done: Done<number>) => {
      const next = free.shift() ?? 100;
      if (typeof next === "number") done(null, next);
      else done(next, undefined);
    },
  } as unknown as Storage;
  const told: boolean[] = [];
  const watch = new DiskWatch({
    clock: time,
    storage,
    bytesMin: 10,
    changed: (room) => told.push(room),
  });
  watch.start();
  while (free.length > 0) time.step();
  watch.stop();
  time.settle();
  // What cannot be found out does not stop a crawl.
  assert.deepEqual(told, [false, true, false, true]);
});

test("a disk that was full is waited for until nobody has met it so for a while", () => {
  const time = new SimulatedTime();
  const storage = {} as Storage;
  const watch = new DiskWatch({ clock: time, storage, bytesMin: 0, changed: () => {} });
  const seen: boolean[] = [watch.isWaitedFor];
  for (const waitMs of [0, 1000, 1000]) {
    time.after(waitMs, () => watch.metFull());
    time.step();
    seen.push(watch.isWaitedFor);
  }
  time.after(10_000, () => {});
  time.step();
  seen.push(watch.isWaitedFor);
  assert.deepEqual(seen, [false, true, true, true, false]);
});

test("refusals of links and of the frontier are one table in the summary", () => {
  const counts = new CrawlCounts();
  counts.pages = 30;
  counts.refused.add("scope", 2);
  const summary = summarize({
    ...{
      state: "finished",
      reason: "limit",
      limit: "pages",
      counts,
      elapsedMs: 1500,
      idle: { disk: 1 },
    },
    seeds: { failures: [] },
    frontier: {
      ...{ urls: 9, queued: 4, inFlight: 0, hosts: 3 },
      refused: { robots: 1, "url-too-long": 1 },
      idle: { politeness: 2 },
      memory: { sieve: 1, queues: 2, hosts: 3, states: 4, robots: 5, depths: 0 },
    },
    memory: { near: 6 },
  });
  assert.deepEqual(summary.refused, { robots: 1, scope: 2, "url-too-long": 1 });
  assert.deepEqual(summary.idle, { politeness: 2, disk: 1 });
  const frontierMemory = { sieve: 1, queues: 2, hosts: 3, states: 4, robots: 5, depths: 0 };
  assert.deepEqual(summary.memory, { ...frontierMemory, near: 6 });
  assert.deepEqual([summary.seconds, summary.pagesPerSecond], [1.5, 20]);
});

test("links that the scope refuses wait only while a seed may still widen it", () => {
  const trails = new SeedTrails();
  const link = (href: string) => () => ({ href }) as StandingLink;
  const all = (): boolean => true;
  trails.keep("b.test", link("too early"));
  trails.begin({ high: 1, low: 1 });
  trails.begin({ high: 1, low: 2 });
  trails.keep("b.test", link("b"));
  trails.keep("b.test", link("c"));
  trails.keep("d.test", link("d"));
  assert.ok(trails.has({ high: 1, low: 2 }) && !trails.has({ high: 2, low: 1 }));
  const isB = ({ href }: StandingLink): boolean => (href as string) === "b";
  assert.deepEqual(trails.take("b.test", isB), [{ href: "b" }]);
  assert.deepEqual(trails.take("b.test", all), [{ href: "c" }]);
  trails.end({ high: 1, low: 1 });
  trails.end({ high: 9, low: 9 });
  assert.ok(trails.isOpen);
  trails.end({ high: 1, low: 2 });
  assert.deepEqual(trails.take("d.test", all), []);
});

test("a redirecting seed looks at no waiting link of another group", () => {
  const trails = new SeedTrails();
  trails.begin({ high: 1, low: 1 });
  let looks = 0;
  for (let number = 0; number < 60_000; number += 1) {
    trails.keep(
      `h${number % 1000}.test`,
      () => ({ href: String(number) }) as unknown as StandingLink,
    );
  }
  const wanted = (): boolean => {
    looks += 1;
    return true;
  };
  assert.equal(trails.take("elsewhere.test", wanted).length, 0);
  assert.equal(looks, 0);
  assert.equal(trails.take("h7.test", wanted).length, 50, "of the 50,000 that are kept");
  assert.equal(looks, 50);
  const late = { href: "late" } as unknown as StandingLink;
  for (let number = 0; number < 60; number += 1) trails.keep("late.test", () => late);
  assert.equal(trails.take("late.test", wanted).length, 50, "there is room for as many again");
});

test("a sitemap that robots.txt names stays one, whoever else names it", () => {
  const sitemaps = new NamedSitemaps();
  const marks = { high: 7, low: 8 };
  assert.equal(sitemaps.levelOf(marks), null);
  sitemaps.name(marks, 2);
  sitemaps.name(marks, 1);
  sitemaps.name(marks, 2);
  assert.equal(sitemaps.levelOf(marks), 1);
  sitemaps.forget(marks);
  assert.equal(sitemaps.levelOf(marks), null);
});

test("keys that are not built are refused in any value but those that work", () => {
  const byDefault = () => false;
  assert.deepEqual(unbuiltKeys(configured(), byDefault), []);
  const working = configured("lanes=1", "frontier.traversal=depth-first", "parse.parsers=[html]");
  assert.deepEqual(unbuiltKeys(working, byDefault), []);
  const asked = ["lanes=2", "store.kind=jsonl", "dns.aliases=true"];
  assert.deepEqual(
    unbuiltKeys(configured(...asked, "cluster.replicas=3", "api.port=99"), byDefault).toSorted(),
    ["api.port", "cluster.replicas", "dns.aliases", "lanes", "store.kind"],
  );
});

test("index, links and parser modules are refused when they are set, not by default", () => {
  const given = new Set(["store.index", "store.links"]);
  const asked = configured("store.index=true", "store.links=false", "parse.parsers=[html, ./x.js]");
  assert.deepEqual(
    unbuiltKeys(asked, (path) => given.has(path)),
    ["parse.parsers", "store.index", "store.links"],
  );
});

test("every internal fault is kept, and the first alone is told", () => {
  const time = new SimulatedTime();
  const told: string[] = [];
  const kept: string[] = [];
  const log = { write: (_error: CrawlError, url: string) => void kept.push(url) };
  const faults = new Faults({
    ...{ clock: time, log: log as unknown as FaultLog },
    report: ({ message }) => told.push(message),
  });
  for (const name of ["a", "b", "c"]) faults.note(new CrawlError("INTERNAL_PARSE", name), name);
  assert.deepEqual([told, kept], [["a"], ["a", "b", "c"]]);
});
