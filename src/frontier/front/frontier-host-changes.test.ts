/** Hosts that somebody blocks, purges or slows down while the frontier is used. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  openToyCrawl,
  robotsStatus,
  robotsText,
  type ToyCrawl,
} from "../../../test/support/frontier/toy-crawl.ts";
import type { FetchableUrl, HostName } from "../../formats/url/index.ts";

const A = "a.example" as HostName;
const IGNORE = { robots: "ignore" } as const;

function offerAll({ offer }: ToyCrawl, host: string, count: number): void {
  for (let number = 0; number < count; number += 1) offer(`http://${host}/${number}`);
}

/** Runs until so many pages were asked for. */
function runFor({ kernel, lane }: ToyCrawl, pages: number): void {
  kernel.schedule(0, () => lane.pump());
  const count = (): number => lane.log.filter(({ kind }) => kind === "page").length;
  kernel.runUntil(() => count() >= pages, { stepsMax: 100_000, virtualMsMax: 1e9 });
}

function countOf({ lane }: ToyCrawl, host: string): number {
  return lane.log.filter(({ what }) => what.startsWith(`http://${host}/`)).length;
}

test("a blocked host is asked nothing more, keeps its URLs, and does not keep a crawl from ending", () => {
  const crawl = openToyCrawl({ settings: IGNORE });
  offerAll(crawl, A, 50);
  offerAll(crawl, "b.example", 10);
  runFor(crawl, 6);
  const before = countOf(crawl, A);
  const changed = crawl.frontier.changeHost(A, { isBlocked: true });
  assert.deepEqual([changed.isKnown, changed.isBlocked, changed.purged], [true, true, 0]);
  crawl.offer("http://a.example/later");
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.equal(countOf(crawl, A), before);
  assert.equal(countOf(crawl, "b.example"), 10);
  const { queued, idle, refused } = crawl.frontier.status();
  assert.deepEqual([queued, idle, refused], [51 - before, { blocked: 1 }, {}]);
  const lifted = crawl.frontier.changeHost(A, { isBlocked: false });
  assert.deepEqual([lifted.isBlocked, lifted.waiting], [false, 51 - before]);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.equal(crawl.lane.ends.size, 61);
});

test("a host can be blocked before it is met, in any spelling", () => {
  const crawl = openToyCrawl({ settings: IGNORE });
  const { isKnown } = crawl.frontier.changeHost("a.example." as HostName, { isBlocked: true });
  offerAll(crawl, "a.example", 3);
  offerAll(crawl, "b.example", 1);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual([isKnown, countOf(crawl, A), crawl.frontier.status().queued], [false, 0, 3]);
});

test("a purged host loses what waits, and takes what is found later", () => {
  const told: string[] = [];
  const crawl = openToyCrawl({
    settings: IGNORE,
    frontier: { seedRefused: ({ ticket, reason }) => told.push(`${ticket.url} ${reason}`) },
  });
  offerAll(crawl, A, 3000);
  runFor(crawl, 2);
  const { purged, waiting } = crawl.frontier.changeHost(A, { purge: true });
  assert.deepEqual([purged, waiting], [2998, 0], "one has ended and one is in flight");
  assert.ok(told.length > 0 && told.every((line) => line.endsWith(" host-purged")));
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(crawl.frontier.status().refused, { "host-purged": 2998 });
  offerAll(crawl, A, 3000);
  crawl.offer("http://a.example/new");
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual([...crawl.lane.ends.keys()].slice(2), ["http://a.example/new"]);
});

test("a host that was never met has nothing to purge", () => {
  const { frontier } = openToyCrawl({});
  assert.deepEqual(frontier.changeHost(A, { purge: true }), {
    ...{ isKnown: false, isBlocked: false, delayMs: 1000, purged: 0, waiting: 0 },
  });
  assert.equal(frontier.status().hosts, 0);
});

test("a delay of its own holds from the next visit on, and can be taken back", () => {
  const ownRules = new Map([[A as string, { hostDelayMs: 2000 }]]);
  const crawl = openToyCrawl({ settings: { ...IGNORE, ownRules } });
  offerAll(crawl, A, 9);
  runFor(crawl, 3);
  assert.equal(crawl.frontier.changeHost(A, { delayMs: 7000 }).delayMs, 7000);
  runFor(crawl, 6);
  assert.equal(crawl.frontier.changeHost(A, { delayMs: null }).delayMs, 2000);
  assert.equal(crawl.lane.runToEnd(), "done");
  const atMs = crawl.lane.log.filter(({ kind }) => kind === "page").map((line) => line.atMs);
  const gaps = atMs.slice(1).map((time, at) => time - (atMs[at] ?? 0));
  assert.deepEqual(gaps, [2100, 2100, 7100, 7100, 7100, 2100, 2100, 2100]);
});

test("nobody waits for a robots.txt that a blocked host has", () => {
  const crawl = openToyCrawl({
    settings: { retries: 1 },
    robots: ({ url }) =>
      url.includes("//b.")
        ? { kind: "redirected", to: "http://a.example/rules.txt" as FetchableUrl }
        : robotsText(""),
    resolve: () => ({ kind: "resolved", addresses: ["one"], expiresAtMs: 1e12 }),
  });
  // What A has to do comes first, so that the file of B waits there.
  offerAll(crawl, A, 20);
  offerAll(crawl, "b.example", 1);
  const isRedirected = (): boolean => crawl.lane.log.some(({ what }) => what.includes("//b."));
  crawl.kernel.schedule(0, () => crawl.lane.pump());
  crawl.kernel.runUntil(isRedirected, { stepsMax: 10_000, virtualMsMax: 1e6 });
  crawl.kernel.runUntil(() => crawl.lane.busy === 0, { stepsMax: 10_000, virtualMsMax: 1e6 });
  crawl.frontier.changeHost(A, { isBlocked: true });
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.ok(!crawl.lane.log.some(({ what }) => what.endsWith("/rules.txt")));
  assert.deepEqual(crawl.frontier.status().refused, { "robots-unreachable": 1 });
});

test("a host that is blocked while its robots.txt is on its way goes on from there", () => {
  let asked = 0;
  const crawl = openToyCrawl({
    robots: () => {
      asked += 1;
      return asked === 1 ? robotsStatus(503) : robotsText("User-agent: *\nDisallow: /1");
    },
  });
  offerAll(crawl, A, 3);
  crawl.kernel.schedule(0, () => crawl.lane.pump());
  crawl.kernel.runUntil(() => asked === 1, { stepsMax: 1000, virtualMsMax: 1e6 });
  crawl.frontier.changeHost(A, { isBlocked: true });
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.equal(asked, 1);
  crawl.frontier.changeHost(A, { isBlocked: false });
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual([asked, crawl.lane.ends.size], [2, 2]);
});
