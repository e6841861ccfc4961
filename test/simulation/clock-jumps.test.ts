/**
 * Whole crawls in virtual time whose wall clock is set: two days forward, two days back, an hour back, while
 * they run or between two runs. Pauses are kept, no retry is put off for days, robots.txt files are neither
 * fetched again and again nor used for ever, and time limits count what really passed.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../src/base/units/index.ts";
import type { SimDisk } from "../../src/lab/simulator/index.ts";
import { isAboutPage, isFinal } from "../../src/store/archive/index.ts";
import { storedOn, treeOfPages } from "../support/agent/virtual-archive.ts";
import { crawlVirtually } from "../support/agent/virtual-crawl.ts";
import { urlOf } from "../support/agent/virtual-web.ts";

const DAY_MS = 24 * HOUR_MS;
const HOSTS = 4;
const GRAPH = treeOfPages(HOSTS, 5);
const ALL = Object.keys(GRAPH).sort();
/** Long, so that each run ends in the middle of some. */
const HOST_DELAY_MS = 4000;
const ADDRESS_DELAY_MS = 200;
/** All that a crawl takes, its retries included. */
const CRAWL_MS_MAX = HOUR_MS / 10;
/** The start of the year 2030, when virtual time begins, and a while later. */
const LATER = new Date(Date.UTC(2030, 0, 1, 0, 0, 20)).toUTCString();

interface Case {
  readonly name: string;
  /** By how much the wall clock is set. */
  readonly byMs: number;
  /** In which way the first run ends; null if the clock is set while the only one runs. */
  readonly end: "stop" | "kill" | null;
  /** Of the first and the second run. */
  readonly lanes: readonly [number, number];
}

const FORWARD = 2 * DAY_MS;
const BACK = -2 * DAY_MS;

/** The first of those of even places are always tried, the others in the full tests. */
const CASES: readonly Case[] = [
  { name: "while it runs", byMs: FORWARD, end: null, lanes: [1, 1] },
  { name: "while it runs", byMs: BACK, end: null, lanes: [1, 1] },
  { name: "between two runs", byMs: FORWARD, end: "stop", lanes: [1, 1] },
  { name: "between two runs", byMs: BACK, end: "stop", lanes: [1, 1] },
  { name: "while it runs", byMs: -HOUR_MS, end: null, lanes: [1, 1] },
  { name: "between two runs", byMs: -HOUR_MS, end: "stop", lanes: [1, 1] },
  { name: "after a kill", byMs: BACK, end: "kill", lanes: [1, 1] },
  { name: "after a kill", byMs: FORWARD, end: "kill", lanes: [1, 1] },
  { name: "from two lanes to one", byMs: FORWARD, end: "stop", lanes: [2, 1] },
  { name: "while two lanes run", byMs: FORWARD, end: null, lanes: [2, 2] },
  { name: "from one lane to two, after a kill", byMs: FORWARD, end: "kill", lanes: [1, 2] },
  { name: "from two lanes to three", byMs: BACK, end: "stop", lanes: [2, 3] },
  { name: "after a kill", byMs: -HOUR_MS, end: "kill", lanes: [1, 1] },
  { name: "from three lanes to two, after a kill", byMs: BACK, end: "kill", lanes: [3, 2] },
  { name: "while two lanes run", byMs: BACK, end: null, lanes: [2, 2] },
  { name: "while two lanes run", byMs: -HOUR_MS, end: null, lanes: [2, 2] },
  { name: "from two lanes to one, after a kill", byMs: -HOUR_MS, end: "kill", lanes: [2, 1] },
  { name: "from one lane to three", byMs: -HOUR_MS, end: "stop", lanes: [1, 3] },
  { name: "two lanes, after a kill", byMs: FORWARD, end: "kill", lanes: [2, 2] },
  { name: "two lanes, after a kill", byMs: BACK, end: "kill", lanes: [2, 2] },
];
/** So many of those of even places are always tried. */
const ALWAYS = 7;

async function crawlJumping({ byMs, end, lanes }: Case): Promise<void> {
  let shiftMs = 0;
  let nowMs = (): number => 0;
  let secondFromMs: number | null = null;
  let disk: SimDisk | null = null;
  const asked: { readonly page: string; readonly atMs: number }[] = [];
  const crawl = await crawlVirtually({
    ...{ graph: GRAPH, seeds: ["h0/0"], seed: `jump by ${byMs}` },
    settings: [
      ...[`politeness.hostDelay=${HOST_DELAY_MS}ms`, `politeness.ipDelay=${ADDRESS_DELAY_MS}ms`],
      ...["politeness.robots=obey", "store.checkpoint=2s", "fetch.retryWait=1s"],
      ...["fetch.retryMaxWait=4s", "limits.time=5h"],
    ],
    settingsOfRuns: lanes.map((count) => [`lanes=${count}`]),
    // Two hosts share an address.
    addressOf: (host) => (host === "h3" ? "10.0.0.2" : `10.0.0.${host.slice(1)}`),
    answers: {
      // Overloaded at first; the date is by the clock of the server.
      "h1/2": { body: "here", first: [{ status: 503, headers: [["Retry-After", LATER]] }] },
      "h2/1": { body: "here", first: [{ status: 503 }] },
    },
    wallShiftMs: () => shiftMs,
    requested: (page) => {
      asked.push({ page, atMs: nowMs() });
      if (end === null && asked.length === 9) shiftMs = byMs;
    },
    beforeRun: (run, made, kernel) => {
      disk = made;
      nowMs = () => kernel.nowMs;
      if (run === 0) return;
      shiftMs = byMs;
      secondFromMs = kernel.nowMs;
    },
    stops: end === "stop" ? [9] : [],
    kills: end === "kill" ? [{ steps: 500, isPower: false }] : [],
  });
  assert.equal(crawl.summary.state, "finished");
  assert.deepEqual(crawl.reports, []);
  const ended = crawl.lines.filter((line) => isAboutPage(line) && isFinal(line));
  assert.equal(ended.length, ALL.length);
  const pages = asked.map(({ page }) => page).filter((page) => !page.endsWith("/robots.txt"));
  assert.deepEqual([...new Set(pages)].sort(), ALL, "the web was asked for every page");
  assert.ok(disk !== null);
  const stored = storedOn(disk).filter((url) => !url.endsWith("/robots.txt"));
  assert.deepEqual(stored, ALL.map(urlOf).sort(), "every page is stored once");
  assert.ok(nowMs() < CRAWL_MS_MAX, `the crawl took ${nowMs() / HOUR_MS} hours`);
  assert.ok(crawl.summary.seconds * 1000 <= nowMs(), "no time counts that has not passed");
  if (end !== null) assert.ok(secondFromMs !== null && secondFromMs > 0, "there were two runs");
  assertPauses(asked);
  // Once by each run, unless all has passed that they are good for.
  const robots = asked.filter(({ page }) => page.endsWith("/robots.txt"));
  assert.ok(robots.length <= HOSTS * (end === null ? 1 : 2), `${robots.length} robots.txt files`);
  for (const { atMs } of crawl.lines)
    assert.ok(Number.isFinite(atMs), "every line has its instant");
}

/** Between the beginnings of two requests is at least the pause between the end of one and the next. */
function assertPauses(asked: readonly { readonly page: string; readonly atMs: number }[]): void {
  const lastOf = new Map<string, number>();
  for (const { page, atMs } of asked) {
    const host = page.split("/")[0] ?? "";
    const address = host === "h3" ? "h2" : host;
    for (const [key, delayMs] of [
      [`host ${host}`, HOST_DELAY_MS],
      [`address ${address}`, ADDRESS_DELAY_MS],
    ] as const) {
      const sinceMs = atMs - (lastOf.get(key) ?? Number.NEGATIVE_INFINITY);
      assert.ok(sinceMs >= delayMs, `${key}: ${page} ${sinceMs} ms after the last request`);
      lastOf.set(key, atMs);
    }
  }
}

const isFullTest = process.env["TROBAR_FULL"] === "1";

for (const [at, tried] of CASES.entries()) {
  if ((at % 2 === 1 || at >= 2 * ALWAYS) && !isFullTest) continue;
  const hours = tried.byMs / HOUR_MS;
  test(`a wall clock that is set by ${hours} hours does no harm: ${tried.name}`, async () => {
    await crawlJumping(tried);
  });
}
