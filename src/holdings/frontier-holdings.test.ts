/** What custody asks of a lane, over a frontier and a store that takes its time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  openToyCrawl,
  type ToyCrawl,
  toyFingerprint,
} from "../../test/support/frontier/toy-crawl.ts";
import type { UrlEntry } from "../cluster/delivery/index.ts";
import type { FetchableUrl } from "../formats/url/index.ts";
import type { Ticket } from "../frontier/ticket/index.ts";
import { FrontierHoldings } from "./frontier-holdings.ts";
import { entryOf, ticketIn } from "./ticket-entries.ts";

const HOST = "a.example";
const LIMITS = { stepsMax: 100_000, virtualMsMax: 1e9 };
const STORE_MS = 50;

function ticketOf(path: string): Ticket {
  const url = `http://${HOST}/${path}` as FetchableUrl;
  return { url, ...toyFingerprint(url), depth: 0, via: null, redirects: 0, priority: 0 };
}

function entryAt(path: string): UrlEntry {
  return entryOf(ticketOf(path));
}

/** A lane with pages in its store, which answers after a while. */
function rig(
  stored: readonly string[],
  keepsDepths = false,
): {
  /** Shorter ways that others are to hear of. */
  readonly told: readonly UrlEntry[];
  readonly crawl: ToyCrawl;
  readonly holdings: FrontierHoldings;
  readonly fetched: () => readonly string[];
  readonly run: () => void;
} {
  const told: UrlEntry[] = [];
  const crawl = openToyCrawl({
    settings: { robots: "ignore", hostDelayMs: 1, keepsDepths },
    frontier: { nearer: (ticket) => told.push(entryOf(ticket)), isOurs: () => true },
  });
  const { kernel, frontier, lane } = crawl;
  const pages = stored.map(ticketOf);
  const later = (act: () => void): void => void kernel.schedule(STORE_MS, act);
  const holdings = new FrontierHoldings({
    ...{ frontier, woken: () => lane.pump(), nearer: (entry) => told.push(entry) },
    pages: {
      find: ({ high, low }, done) =>
        later(() => done(pages.find((page) => page.high === high && page.low === low) ?? null)),
      has: ({ high, low }, done) =>
        later(() => done(pages.some((page) => page.high === high && page.low === low))),
      ofHost: (host, done) => later(() => done(host === HOST ? pages : [])),
      ofHosts: (isWanted, each, done) =>
        later(() => {
          if (isWanted(HOST)) for (const page of pages) each(page);
          done(null);
        }),
    },
  });
  const fetched = (): readonly string[] =>
    lane.log
      .filter(({ kind }) => kind === "page")
      .map(({ what }) => what.slice(what.lastIndexOf("/") + 1));
  const run = (): void => {
    kernel.runUntil(() => !holdings.isBusy, LIMITS);
    assert.equal(lane.runToEnd(), "done");
  };
  return { crawl, holdings, told, fetched, run };
}

test("U4: a host comes back with its pages: none is fetched again, however late the store tells them", () => {
  const { crawl, holdings, fetched, run } = rig(["1", "2"]);
  for (const path of ["1", "2", "3"]) holdings.take(entryAt(path));
  // A page that is being worked on leads there too, before the store has answered.
  crawl.kernel.schedule(STORE_MS / 2, () => {
    assert.equal(crawl.frontier.handovers.isHere(HOST as never), false, "it is not here yet");
  });
  run();
  assert.deepEqual(fetched(), ["3"]);
});

test("U4: a host that was given away comes back with its pages, too", () => {
  const { crawl, holdings, fetched, run } = rig(["1", "2"]);
  let isGone = false;
  holdings.giveAway(
    HOST,
    () => undefined,
    () => {
      isGone = true;
    },
  );
  crawl.kernel.runUntil(() => isGone, LIMITS);
  for (const path of ["1", "2", "3"]) holdings.take(entryAt(path));
  run();
  assert.deepEqual(fetched(), ["3"]);
});

test("B4: a host that comes with a rest is not visited before that is over", () => {
  const { crawl, holdings, fetched, run } = rig([]);
  const restMs = 30_000;
  const handed = { restMs, crawlDelayMs: 0, pages: 0 };
  const beganAtMs = crawl.kernel.nowMs;
  holdings.adopt(HOST, Buffer.from(JSON.stringify(handed)));
  holdings.take(entryAt("1"));
  run();
  assert.deepEqual(fetched(), ["1"]);
  const [first] = crawl.lane.log.filter(({ kind }) => kind === "page");
  assert.ok((first?.atMs ?? 0) >= beganAtMs + restMs);
});

test("U6: what comes with an entry is its depth, whatever its ticket had before", () => {
  const ticket = { ...ticketOf("1"), depth: 5 };
  const entry = entryOf(ticket);
  assert.equal(entry.depth, 5);
  assert.deepEqual(ticketIn({ ...entry, depth: 2 }), { ...ticket, depth: 2 });
});

function at(path: string, depth: number): UrlEntry {
  return { ...entryAt(path), depth };
}

function depthsOf(told: readonly UrlEntry[]): readonly number[] {
  return told.map(({ depth }) => depth);
}

test("U6: a URL that waits again goes out by a shorter way that was found before", () => {
  const { crawl, holdings, run } = rig([], true);
  const depths: number[] = [];
  holdings.end(at("1", 5), () => undefined);
  run();
  // Whoever had it is given up, when a shorter way is on its way to the owner of its claims.
  holdings.again(at("1", 5));
  holdings.nearer(at("1", 5), 3);
  holdings.nearer(at("1", 5), 4);
  const { frontier } = crawl;
  const acquire = frontier.acquire.bind(frontier);
  frontier.acquire = (wantsVisits) => {
    const errand = acquire(wantsVisits);
    if (errand?.kind === "page") depths.push(errand.ticket.depth);
    return errand;
  };
  run();
  assert.deepEqual(depths, [3]);
});

test("U6: whoever has a page hears of the way by which its URL waits here, or is met here", () => {
  const { crawl, holdings, told, run } = rig([], true);
  holdings.take(at("1", 4));
  holdings.end(at("1", 6), () => undefined);
  run();
  assert.deepEqual(depthsOf(told), [4], "its ticket comes out");
  crawl.frontier.offer({ ...ticketOf("1"), depth: 2 });
  run();
  assert.deepEqual(depthsOf(told), [4, 2]);
  crawl.frontier.offer({ ...ticketOf("1"), depth: 3 });
  run();
  assert.equal(told.length, 2, "that is no shorter way");
});

test("U6: whoever has a page hears of the way by which it is known here, where perhaps nothing came of it", () => {
  const { holdings, told, run } = rig(["1"], true);
  holdings.nearer(at("1", 0), 2);
  assert.equal(holdings.isBusy, true);
  run();
  assert.deepEqual(depthsOf(told), [0]);
  holdings.nearer(at("1", 0), 0);
  run();
  assert.equal(told.length, 1, "that is known there");
});

test("asks are carried out in their order, though some have to wait for the store", () => {
  const { crawl, holdings, run } = rig(["1"]);
  const told: string[] = [];
  holdings.find({ ...entryAt("1") }, (isHad) => told.push(`1 ${isHad}`));
  holdings.inTurn(() => told.push("turn"));
  holdings.end(entryAt("2"), (isHad) => told.push(`2 ${isHad}`));
  holdings.lost(
    () => false,
    (host, next) => {
      told.push(`lost ${host}`);
      next();
    },
    () => told.push("no more"),
  );
  assert.equal(holdings.isBusy, true);
  assert.deepEqual(told, []);
  run();
  assert.deepEqual(told, ["1 true", "turn", "2 false", `lost ${HOST}`, "no more"]);
  assert.equal(crawl.frontier.handovers.isHere(HOST as never), true);
});

test("a turn is no work: who only waits for one is not busy", () => {
  const { holdings } = rig([]);
  let turns = 0;
  holdings.inTurn(() => {
    turns += 1;
  });
  assert.equal(turns, 1, "nothing was before it");
  assert.equal(holdings.isBusy, false);
});

test("U2, G1: a page that is elsewhere is not fetched, unless it is not there after all", () => {
  const { holdings, fetched, run } = rig(["1"]);
  const had: boolean[] = [];
  for (const path of ["1", "2", "3"]) holdings.end(entryAt(path), (isHad) => had.push(isHad));
  run();
  assert.deepEqual(had, [true, false, false]);
  assert.deepEqual(fetched(), []);
  for (const path of ["1", "2"]) holdings.again(entryAt(path));
  run();
  assert.deepEqual(fetched(), ["2"], "the first is in the store");
});

test("U2: a host goes with all that waits, and comes back with what went with it", () => {
  const { crawl, holdings, fetched, run } = rig([]);
  for (const path of ["1", "2"]) holdings.take(entryAt(path));
  const given: UrlEntry[] = [];
  let record: Uint8Array | null = null;
  holdings.giveAway(
    HOST,
    (entry) => given.push(entry),
    (handed) => {
      record = handed;
    },
  );
  crawl.kernel.runUntil(() => record !== null, LIMITS);
  run();
  assert.deepEqual(fetched(), []);
  holdings.adopt(HOST, record ?? Buffer.from("{}"));
  for (const entry of given) holdings.take(entry);
  run();
  // The sieve may have passed on what it had not told before its host went.
  for (const path of ["1", "2"]) holdings.take(entryAt(path));
  run();
  assert.deepEqual([...fetched()].sort(), ["1", "2"]);
});

test("pages of wanted hosts are told, without holding up what is asked after it", () => {
  const { crawl, holdings } = rig(["1", "2"]);
  const told: string[] = [];
  holdings.pagesOf(
    (host) => host === HOST,
    ({ host }) => told.push(host),
    (error) => told.push(`done ${error}`),
  );
  holdings.inTurn(() => told.push("turn"));
  crawl.kernel.runUntil(() => told.length === 4, LIMITS);
  assert.deepEqual(told, ["turn", HOST, HOST, "done null"]);
});

test("hosts are withheld and admitted in turn", () => {
  const { crawl, holdings, fetched, run } = rig([]);
  holdings.withhold({
    hosts: { takeover: ["other"], absences: [] },
    has: (host) => host === HOST,
  });
  holdings.take(entryAt("1"));
  crawl.kernel.runUntil(() => false, { stepsMax: 10_000, virtualMsMax: 60_000 });
  assert.deepEqual(fetched(), []);
  holdings.admit();
  run();
  assert.deepEqual(fetched(), ["1"]);
});
