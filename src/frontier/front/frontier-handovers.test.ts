/** Hosts that go to another agent, and come from one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answered,
  openToyCrawl,
  robotsStatus,
  robotsText,
  type ToyCrawl,
  toyFingerprint,
} from "../../../test/support/frontier/toy-crawl.ts";
import type { FetchableUrl, HostName } from "../../formats/url/index.ts";
import type { Ticket } from "../ticket/index.ts";
import type { HandedHost } from "./hosts/host-handovers.ts";

const A = "a.example" as HostName;
const IGNORE = { robots: "ignore", hostDelayMs: 1000 } as const;
const LIMITS = { stepsMax: 100_000, virtualMsMax: 1e9 };

function offerAll({ offer }: ToyCrawl, host: string, count: number): void {
  for (let number = 0; number < count; number += 1) offer(`http://${host}/${number}`);
}

function pagesOf({ lane }: ToyCrawl, host: string): string[] {
  const pages = lane.log.filter(({ kind, what }) => kind === "page" && what.includes(`//${host}/`));
  return pages.map(({ what }) => what);
}

function runFor(crawl: ToyCrawl, host: string, pages: number): void {
  crawl.kernel.schedule(0, () => crawl.lane.pump());
  crawl.kernel.runUntil(() => pagesOf(crawl, host).length >= pages, LIMITS);
}

function ticketsOf(host: string, numbers: readonly number[]): readonly Ticket[] {
  return numbers.map((number) => {
    const url = `http://${host}/${number}` as FetchableUrl;
    return { url, ...toyFingerprint(url), depth: 0, via: null, redirects: 0, priority: 0 };
  });
}

/** Gives a host away, and runs until it is. */
function giveAway(crawl: ToyCrawl, host: HostName): { tickets: Ticket[]; handed: HandedHost } {
  const tickets: Ticket[] = [];
  let handed: HandedHost | null = null;
  crawl.frontier.handovers.giveAway(host, {
    each: (ticket) => tickets.push(ticket),
    done: (state) => {
      handed = state;
    },
  });
  crawl.kernel.runUntil(() => handed !== null, LIMITS);
  assert.ok(handed !== null, "it is given away");
  return { tickets, handed };
}

test("U2: a host goes with every URL that waits, and after its visit has ended", () => {
  const crawl = openToyCrawl({ settings: IGNORE });
  offerAll(crawl, A, 3000);
  offerAll(crawl, "b.example", 3);
  runFor(crawl, A, 2);
  assert.equal(crawl.lane.ends.has("http://a.example/1"), false, "a visit is under way");
  const { tickets, handed } = giveAway(crawl, A);
  assert.equal(crawl.lane.ends.has("http://a.example/1"), true, "it has ended by now");
  const urls = new Set(tickets.map(({ url }) => url as string));
  assert.equal(urls.size, 2998);
  for (const fetched of pagesOf(crawl, A)) assert.ok(!urls.has(fetched), `${fetched} is fetched`);
  assert.ok(handed.restMs > 0 && handed.restMs <= 1000, "it must be left alone for a while");
  assert.equal(handed.pages, 2);
  assert.equal(crawl.frontier.handovers.isHere(A), false);
  assert.equal(crawl.lane.runToEnd(), "done", "what is left is the other host");
  assert.equal(pagesOf(crawl, A).length, 2);
  assert.equal(pagesOf(crawl, "b.example").length, 3);
});

test("U4: URLs that come out of the sieve for a host that has gone are passed on", () => {
  const passed: string[] = [];
  const crawl = openToyCrawl({
    settings: IGNORE,
    frontier: { passOn: ({ url }) => passed.push(url) },
  });
  offerAll(crawl, A, 5);
  runFor(crawl, A, 1);
  giveAway(crawl, A);
  crawl.offer("http://a.example/late");
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(passed, ["http://a.example/late"]);
});

test("U4: a host that comes back is taken in afresh, each URL once", () => {
  const crawl = openToyCrawl({ settings: IGNORE });
  offerAll(crawl, A, 10);
  runFor(crawl, A, 3);
  const { tickets } = giveAway(crawl, A);
  crawl.frontier.handovers.takeBack(A, null);
  for (const ticket of [...tickets, ...tickets]) crawl.frontier.offer(ticket);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(pagesOf(crawl, A).sort(), [...new Set(pagesOf(crawl, A))].sort(), "none twice");
  assert.equal(pagesOf(crawl, A).length, 10);
});

test("U4: a URL that is in the sieve while its host goes and comes back is fetched once", () => {
  const again: Ticket[] = [];
  const crawl = openToyCrawl({
    settings: IGNORE,
    frontier: { passOn: (ticket) => again.push(ticket) },
  });
  const { handovers } = crawl.frontier;
  const [ticket] = ticketsOf(A, [1]) as [Ticket];
  handovers.take(ticket);
  giveAway(crawl, A);
  handovers.takeBack(A, null);
  handovers.take(ticket);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(
    again.map(({ url }) => url),
    ["http://a.example/1"],
    "the earlier one is passed on to whoever knows whose the host is",
  );
  for (const one of again) handovers.take(one);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(pagesOf(crawl, A), ["http://a.example/1"]);
});

test("U4: a URL in the sieve is passed on if its host goes before anybody has met it", () => {
  const passed: string[] = [];
  const crawl = openToyCrawl({
    settings: IGNORE,
    frontier: { passOn: ({ url }) => passed.push(url) },
  });
  crawl.offer("http://a.example/1");
  giveAway(crawl, A);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(passed, ["http://a.example/1"]);
  assert.deepEqual(pagesOf(crawl, A), []);
});

test("U4: that a page is elsewhere is void when its host has gone and come back", () => {
  const crawl = openToyCrawl({ settings: IGNORE });
  const { handovers } = crawl.frontier;
  const [ticket] = ticketsOf(A, [1]) as [Ticket];
  handovers.endElsewhere(ticket);
  giveAway(crawl, A);
  handovers.takeBack(A, null);
  handovers.take(ticket);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(pagesOf(crawl, A), ["http://a.example/1"]);
});

test("U6: a URL that waits goes with its host at every depth that it was found at", () => {
  const crawl = openToyCrawl({ settings: { ...IGNORE, keepsDepths: true } });
  crawl.offer("http://a.example/0", 5);
  crawl.offer("http://a.example/1", 5);
  runFor(crawl, A, 1);
  crawl.offer("http://a.example/1", 2);
  crawl.kernel.pass(500);
  const { tickets } = giveAway(crawl, A);
  const depths = tickets.filter(({ url }) => url.endsWith("/1")).map(({ depth }) => depth);
  assert.equal(Math.min(...depths), 2);
});

test("a page that is elsewhere is not fetched, whether its URL waits or comes later", () => {
  const crawl = openToyCrawl({ settings: IGNORE });
  offerAll(crawl, A, 4);
  runFor(crawl, A, 1);
  const known = ticketsOf(A, [2, 7]);
  for (const ticket of known) crawl.frontier.handovers.endElsewhere(ticket);
  crawl.offer("http://a.example/7");
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(
    pagesOf(crawl, A)
      .map((url) => url.slice(-1))
      .sort(),
    ["0", "1", "3"],
  );
  for (const ticket of known) crawl.frontier.handovers.fetchAfterAll(ticket);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.equal(pagesOf(crawl, A).length, 5, "each of them once");
});

test("hosts and URLs count where they are by now", () => {
  const crawl = openToyCrawl({ settings: IGNORE, frontier: { passOn: () => undefined } });
  offerAll(crawl, A, 10);
  offerAll(crawl, "b.example", 2);
  runFor(crawl, A, 3);
  const { tickets } = giveAway(crawl, A);
  const isCounted = (expected: readonly number[]): void => {
    const { hosts, urls } = crawl.frontier.status();
    assert.deepEqual([hosts, urls], expected);
  };
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.equal(tickets.length, 7);
  isCounted([1, 5]);
  crawl.offer("http://a.example/late");
  assert.equal(crawl.lane.runToEnd(), "done");
  isCounted([1, 5]);
  const { handovers } = crawl.frontier;
  handovers.takeBack(A, null);
  // Those that it has fetched before, and one that another agent has fetched meanwhile.
  const known = ticketsOf(A, [0, 1, 2, 3]);
  for (const ticket of known) handovers.endElsewhere(ticket);
  for (const ticket of tickets.filter(({ url }) => !url.endsWith("/3"))) handovers.take(ticket);
  assert.equal(crawl.lane.runToEnd(), "done");
  isCounted([2, 11]);
  handovers.fetchAfterAll(known[3] as Ticket);
  assert.equal(crawl.lane.runToEnd(), "done");
  isCounted([2, 12]);
});

test("a visit that waits to begin can be cancelled when its page has come to be elsewhere", () => {
  const isElsewhere: boolean[] = [];
  const crawl: ToyCrawl = openToyCrawl({
    settings: IGNORE,
    page: ({ ticket }) => {
      const { handovers } = crawl.frontier;
      isElsewhere.push(handovers.isElsewhere(ticket));
      handovers.endElsewhere(ticket);
      isElsewhere.push(handovers.isElsewhere(ticket));
      return { kind: "cancelled" };
    },
  });
  const [ticket] = ticketsOf(A, [1]) as [Ticket];
  crawl.frontier.handovers.take(ticket);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(isElsewhere, [false, true], "it is asked for once");
  assert.equal(crawl.frontier.handovers.isElsewhere(ticket), false, "its ticket was dropped");
});

test("G1: a page that is not elsewhere after all is fetched once, though its URL still waits", () => {
  const crawl = openToyCrawl({ settings: IGNORE });
  offerAll(crawl, A, 6);
  runFor(crawl, A, 1);
  const [ticket] = ticketsOf(A, [5]) as [Ticket];
  crawl.frontier.handovers.endElsewhere(ticket);
  crawl.frontier.handovers.fetchAfterAll(ticket);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.equal(pagesOf(crawl, A).length, 6);
});

test("B3, B4: a withheld host is not visited, and rests for its delay when it is admitted", () => {
  const crawl = openToyCrawl({ settings: IGNORE });
  crawl.frontier.handovers.withhold((host) => host === A);
  offerAll(crawl, A, 2);
  offerAll(crawl, "b.example", 2);
  runFor(crawl, "b.example", 2);
  crawl.kernel.pass(5000);
  assert.equal(pagesOf(crawl, A).length, 0);
  assert.equal(crawl.frontier.isExhausted, false, "its URLs count as waiting");
  const admittedAtMs = crawl.kernel.nowMs;
  crawl.frontier.handovers.admit();
  assert.equal(crawl.lane.runToEnd(), "done");
  const first = crawl.lane.log.find(({ what }) => what.includes("//a.example/"));
  assert.ok(
    first !== undefined && first.atMs >= admittedAtMs + 1000,
    "a delay after it was admitted",
  );
  assert.equal(pagesOf(crawl, A).length, 2);
});

test("B4: hosts that are admitted one group after the other rest for their delays too", () => {
  const crawl = openToyCrawl({ settings: IGNORE });
  crawl.frontier.handovers.withhold(() => true);
  offerAll(crawl, A, 1);
  offerAll(crawl, "b.example", 1);
  crawl.kernel.pass(5000);
  const admittedAtMs = crawl.kernel.nowMs;
  crawl.frontier.handovers.withhold((host) => host === A);
  runFor(crawl, "b.example", 1);
  crawl.kernel.pass(5000);
  const first = crawl.lane.log.find(({ what }) => what.includes("//b.example/"));
  assert.ok(first !== undefined && first.atMs >= admittedAtMs + 1000);
  assert.equal(pagesOf(crawl, A).length, 0);
});

test("B3: a robots.txt that redirects to a withheld host is fetched when that is admitted", () => {
  const crawl = openToyCrawl({
    robots: ({ url }) =>
      url.includes("//a.")
        ? robotsText("")
        : { kind: "redirected", to: "http://a.example/robots.txt" as FetchableUrl },
  });
  crawl.frontier.handovers.withhold((host) => host === A);
  const ends: unknown[] = [];
  const url = "http://a.example/robots.txt" as FetchableUrl;
  crawl.frontier.fetchRobots(
    { ...{ origin: "http://c.example" as never, url }, redirects: 1 },
    (end) => ends.push(end.kind === "ended" && end.attempt.kind),
  );
  offerAll(crawl, "b.example", 2);
  crawl.kernel.schedule(0, () => crawl.lane.pump());
  crawl.kernel.pass(60_000);
  assert.deepEqual([pagesOf(crawl, "b.example").length, ends], [0, []]);
  crawl.frontier.handovers.admit();
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual([pagesOf(crawl, "b.example").length, ends], [2, ["answered"]]);
});

test("U2: a robots.txt that another agent has asked for is fetched by whoever has its host then", () => {
  const elsewhere: string[] = [];
  const crawl = openToyCrawl({
    frontier: {
      robotsElsewhere: ({ url }, done) => {
        elsewhere.push(url);
        done(robotsStatus(404) as never);
        return true;
      },
    },
  });
  const statuses: unknown[] = [];
  const ask = (name: string): void =>
    crawl.frontier.fetchRobots(
      {
        origin: "http://c.example" as never,
        url: `http://a.example/${name}` as never,
        redirects: 1,
      },
      (end) => statuses.push(end.kind === "ended" && end.attempt),
    );
  crawl.frontier.handovers.withhold(() => true);
  ask("before");
  crawl.frontier.handovers.giveAway(A, { each: () => undefined, done: () => undefined });
  ask("meanwhile");
  crawl.kernel.pass(1000);
  assert.deepEqual(elsewhere.toSorted(), ["http://a.example/before", "http://a.example/meanwhile"]);
  assert.deepEqual(statuses, Array(2).fill({ kind: "answered", status: 404 }));
});

test("what goes with a host counts where it comes to", () => {
  const crawl = openToyCrawl({ settings: { ...IGNORE, pagesPerHostMax: 5 } });
  crawl.frontier.handovers.takeBack(A, { restMs: 20_000, crawlDelayMs: 3000, pages: 3 });
  const beganAtMs = crawl.kernel.nowMs;
  offerAll(crawl, A, 4);
  assert.equal(crawl.lane.runToEnd(), "done");
  const visits = crawl.lane.log.filter(({ what }) => what.includes("//a.example/"));
  assert.equal(visits.length, 2, "three of five pages had been fetched");
  const [first, second] = visits;
  assert.ok((first?.atMs ?? 0) >= beganAtMs + 20_000);
  assert.ok((second?.atMs ?? 0) - (first?.atMs ?? 0) >= 3000);
});

test("B4: the longest delay and rest that anybody knows, and most pages, stay with a host", () => {
  const crawl = openToyCrawl({ settings: IGNORE });
  const { handovers } = crawl.frontier;
  handovers.takeBack(A, { restMs: 20_000, crawlDelayMs: 3000, pages: 3 });
  handovers.takeBack(A, { restMs: 5000, crawlDelayMs: 2000, pages: 1 });
  const beganAtMs = crawl.kernel.nowMs;
  offerAll(crawl, A, 2);
  runFor(crawl, A, 1);
  const first = crawl.lane.log.find(({ what }) => what.includes("//a.example/"));
  assert.ok((first?.atMs ?? 0) >= beganAtMs + 20_000);
  const { handed } = giveAway(crawl, A);
  assert.deepEqual([handed.crawlDelayMs, handed.pages], [3000, 4]);
  assert.ok(handed.restMs > 1000 && handed.restMs <= 3000, "it rests as its server asks for");
});

test("B4: the rest of a host that comes and goes on at once goes with it", () => {
  const crawl = openToyCrawl({ settings: IGNORE });
  crawl.frontier.handovers.takeBack(A, { restMs: 20_000, crawlDelayMs: 0, pages: 0 });
  crawl.kernel.pass(1000);
  const { handed } = giveAway(crawl, A);
  assert.ok(handed.restMs > 15_000 && handed.restMs < 20_000, `${handed.restMs}`);
});

test("B4: how long a server has asked to be left alone goes with its host, by a page or robots.txt", () => {
  const page = openToyCrawl({ settings: IGNORE, page: () => answered(429, 300_000) });
  const robots = openToyCrawl({ robots: () => robotsStatus(503, 300_000) });
  for (const crawl of [page, robots]) {
    offerAll(crawl, A, 3);
    crawl.kernel.schedule(0, () => crawl.lane.pump());
    crawl.kernel.runUntil(() => crawl.lane.log.some(({ what }) => what.includes(A)), LIMITS);
    crawl.kernel.pass(1000);
    const { tickets, handed } = giveAway(crawl, A);
    assert.equal(tickets.length, 3);
    assert.ok(handed.restMs > 290_000 && handed.restMs < 300_000, `${handed.restMs}`);
  }
});
