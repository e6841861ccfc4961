import assert from "node:assert/strict";
import { test } from "node:test";
import {
  openToyCrawl,
  resolvedTo,
  robotsStatus,
  robotsText,
  type ToyCrawl,
} from "../../../test/support/frontier/toy-crawl.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { RefusedSeed, RobotsEnd } from "./frontier.ts";

const HOUR_MS = 3_600_000;

function kinds({ lane }: ToyCrawl): string[] {
  return lane.log.map(({ kind, what }) => `${kind} ${what}`);
}

const robotsFailed = {
  kind: "ended",
  attempt: { kind: "failed" },
  bytes: null,
  retryAfterMs: null,
} as const;

function redirectTo(url: string): RobotsEnd {
  return { kind: "redirected", to: url as FetchableUrl };
}

test("what robots.txt disallows ends as refused", () => {
  const crawl = openToyCrawl({ robots: () => robotsText("User-agent: *\nDisallow: /private") });
  for (const path of ["private/1", "open", "private/2"]) crawl.offer(`http://a.example/${path}`);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual([...crawl.lane.ends.keys()], ["http://a.example/open"]);
  assert.deepEqual(crawl.frontier.status().refused, { robots: 2 });
});

test("each origin has its own robots.txt", () => {
  const crawl = openToyCrawl({
    robots: ({ origin }) =>
      robotsText(`User-agent: trobar\nDisallow: ${origin.startsWith("https") ? "/a" : "/b"}`),
  });
  for (const url of ["http://h.example/a", "http://h.example/b"]) crawl.offer(url);
  for (const url of ["https://h.example/a", "https://h.example/b"]) crawl.offer(url);
  crawl.lane.runToEnd();
  assert.deepEqual([...crawl.lane.ends.keys()], ["http://h.example/a", "https://h.example/b"]);
});

test("a robots.txt that failed is asked for again, and nothing is fetched meanwhile", () => {
  let asked = 0;
  const crawl = openToyCrawl({
    robots: () => {
      asked += 1;
      return asked < 3 ? robotsStatus(500) : robotsText("");
    },
  });
  crawl.offer("http://a.example/x");
  assert.equal(crawl.lane.runToEnd(), "done");
  const [, first, second, third, page] = crawl.lane.log.map(({ atMs }) => atMs);
  assert.equal(asked, 3);
  assert.ok((second ?? 0) - (first ?? 0) >= 10_000, "the first wait");
  assert.ok((third ?? 0) - (second ?? 0) >= 20_000, "the second wait is twice as long");
  assert.ok((page ?? 0) > (third ?? 0));
});

test("when all attempts for a robots.txt fail, the URLs end as robots-unreachable", () => {
  const crawl = openToyCrawl({ robots: () => robotsStatus(503, 50_000) });
  for (let number = 0; number < 200; number += 1) crawl.offer(`http://a.example/${number}`);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.equal(crawl.lane.log.filter(({ kind }) => kind === "robots").length, 4);
  assert.deepEqual(crawl.frontier.status().refused, { "robots-unreachable": 200 });
});

test("a robots.txt that moved is fetched from its new host, politely, without asking there", () => {
  const crawl = openToyCrawl({
    connections: 5,
    robots: ({ url }) =>
      url.includes("//a.")
        ? redirectTo("http://b.example/rules.txt")
        : robotsText("User-agent: *\nDisallow: /no"),
  });
  crawl.offer("http://b.example/1");
  crawl.offer("http://a.example/no");
  crawl.offer("http://a.example/yes");
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(crawl.frontier.status().refused, { robots: 1 });
  assert.ok(kinds(crawl).includes("robots http://b.example/rules.txt"));
  assert.deepEqual([...crawl.lane.ends.keys()].sort(), [
    "http://a.example/yes",
    "http://b.example/1",
  ]);
});

test("two hosts whose robots.txt point at each other do not wait for ever", () => {
  const crawl = openToyCrawl({
    connections: 5,
    robots: ({ url }) =>
      redirectTo(`http://${url.includes("//a.") ? "b" : "a"}.example/robots.txt`),
  });
  crawl.offer("http://a.example/1");
  crawl.offer("http://b.example/1");
  assert.equal(crawl.lane.runToEnd(), "done");
  // Five redirects are followed; one more counts as no robots.txt.
  assert.equal(crawl.lane.log.filter(({ kind }) => kind === "robots").length, 12);
  assert.equal(crawl.lane.ends.size, 2);
});

test("a robots.txt that moved to a host without address counts as unreachable", () => {
  const crawl = openToyCrawl({
    robots: () => redirectTo("http://gone.example/robots.txt"),
    resolve: (host) =>
      host === "gone.example"
        ? { kind: "failed", code: "FETCH_CONNECT_FAILED" }
        : { kind: "resolved", addresses: [host], expiresAtMs: Number.POSITIVE_INFINITY },
  });
  crawl.offer("http://a.example/1");
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(crawl.frontier.status().refused, { "robots-unreachable": 1 });
});

test("a robots.txt is asked for again when it is too old", () => {
  const crawl = openToyCrawl({ settings: { robotsMaxAgeMs: HOUR_MS } });
  for (let number = 0; number < 5000; number += 1) crawl.offer(`http://a.example/${number}`);
  assert.equal(crawl.lane.runToEnd(), "done");
  const lastMs = crawl.lane.log.at(-1)?.atMs ?? 0;
  const robots = crawl.lane.log.filter(({ kind }) => kind === "robots").length;
  assert.equal(robots, Math.ceil(lastMs / HOUR_MS));
});

test("robots.txt is not asked for when it is to be ignored", () => {
  const crawl = openToyCrawl({ settings: { robots: "ignore" } });
  crawl.offer("http://a.example/1");
  crawl.lane.runToEnd();
  assert.deepEqual(kinds(crawl), ["resolve a.example", "page http://a.example/1"]);
});

test("a Crawl-delay is kept from the robots.txt on, and never makes us faster", () => {
  for (const [asked, gapMs] of [
    [7, 7100],
    [0.1, 1100],
  ]) {
    const crawl = openToyCrawl({
      robots: () => robotsText(`User-agent: *\nCrawl-delay: ${asked}`),
    });
    for (let number = 0; number < 4; number += 1) crawl.offer(`http://a.example/${number}`);
    crawl.lane.runToEnd();
    const visits = crawl.lane.log.filter(({ kind }) => kind !== "resolve");
    const gaps = visits.slice(1).map(({ atMs }, at) => atMs - (visits[at]?.atMs ?? 0));
    assert.deepEqual(gaps, [gapMs, gapMs, gapMs, gapMs]);
  }
});

test("of several Crawl-delays of a host the longest counts, whichever was read last", () => {
  for (const [plain, secure] of [
    [7, 3],
    [3, 7],
  ]) {
    const crawl = openToyCrawl({
      robots: ({ origin }) =>
        robotsText(`User-agent: *\nCrawl-delay: ${origin.startsWith("https") ? secure : plain}`),
    });
    crawl.offer("http://h.example/0");
    crawl.offer("https://h.example/0");
    for (let number = 1; number < 4; number += 1) crawl.offer(`http://h.example/${number}`);
    assert.equal(crawl.lane.runToEnd(), "done");
    const visits = crawl.lane.log.filter(({ kind }) => kind !== "resolve").slice(-3);
    const gaps = visits.slice(1).map(({ atMs }, at) => atMs - (visits[at]?.atMs ?? 0));
    assert.deepEqual(gaps, [7100, 7100], `${plain} and ${secure}`);
  }
});

test("a robots.txt that answers 503 with Retry-After lets its whole host rest", () => {
  const crawl = openToyCrawl({
    robots: ({ origin }, nowMs) =>
      origin.startsWith("https") || nowMs > 1000 ? robotsText("") : robotsStatus(503, 50_000),
  });
  crawl.offer("http://a.example/x");
  crawl.offer("https://a.example/x");
  assert.equal(crawl.lane.runToEnd(), "done");
  const [first, second] = crawl.lane.log.filter(({ kind }) => kind !== "resolve");
  assert.equal(second?.atMs, (first?.atMs ?? 0) + 100 + 50_000);
});

test("a Retry-After of the host where a robots.txt has moved holds for both hosts", () => {
  const crawl = openToyCrawl({
    connections: 5,
    robots: ({ url }, nowMs) => {
      if (url.includes("//a.")) return redirectTo("http://b.example/rules.txt");
      if (url.endsWith("/robots.txt")) return robotsText("");
      return nowMs < 10_000 ? robotsStatus(503, 50_000) : robotsText("");
    },
  });
  for (let number = 0; number < 9; number += 1) crawl.offer(`http://b.example/${number}`);
  crawl.offer("http://a.example/x");
  assert.equal(crawl.lane.runToEnd(), "done");
  const rules = crawl.lane.log.findIndex(({ what }) => what.endsWith("/rules.txt"));
  const next = crawl.lane.log[rules + 1];
  assert.ok((next?.atMs ?? 0) >= (crawl.lane.log[rules]?.atMs ?? 0) + 50_000, `${next?.what}`);
  assert.equal(crawl.lane.ends.size, 10);
});

test("a Crawl-delay above the maximum is a reason to leave the host, or is capped", () => {
  const robots = (): RobotsEnd => robotsText("User-agent: *\nCrawl-delay: 3600");
  const skipped = openToyCrawl({ robots });
  skipped.offer("http://a.example/1");
  assert.equal(skipped.lane.runToEnd(), "done");
  assert.deepEqual(skipped.frontier.status().refused, { "crawl-delay": 1 });
  const capped = openToyCrawl({ robots, settings: { crawlDelayOver: "cap" } });
  capped.offer("http://a.example/1");
  assert.equal(capped.lane.runToEnd(), "done");
  assert.equal(capped.lane.log.at(-1)?.atMs, 110 + 60_000);
});

test("a host may have its own bound for Crawl-delay, or be fetched from without robots.txt", () => {
  const robots = (): RobotsEnd => robotsText("User-agent: *\nCrawl-delay: 3600\nDisallow: /no");
  const ownRules = new Map([
    ["a.example", { crawlDelayOver: "cap", crawlDelayMsMax: 5000 }],
    ["b.example", { robots: "ignore" }],
  ] as const);
  const { lane, offer, frontier } = openToyCrawl({ robots, settings: { ownRules } });
  for (const host of ["a", "b", "c"])
    for (const path of ["1", "no"]) offer(`http://${host}.example/${path}`);
  assert.equal(lane.runToEnd(), "done");
  assert.deepEqual([...lane.ends.keys()].sort(), [
    ...["http://a.example/1", "http://b.example/1", "http://b.example/no"],
  ]);
  assert.deepEqual(frontier.status().refused, { robots: 1, "crawl-delay": 2 });
  const ofA = lane.log.filter(({ what }) => what.startsWith("http://a."));
  assert.equal((ofA[1]?.atMs ?? 0) - (ofA[0]?.atMs ?? 0), 5100);
});

test("a robots.txt that can never be fetched is asked for once, and seeds end at once with its cause", () => {
  for (const code of ["FETCH_TLS_CERTIFICATE", "FETCH_PORT_REFUSED"] as const) {
    const refused: RefusedSeed[] = [];
    const crawl = openToyCrawl({
      robots: () => ({ ...robotsFailed, code }),
      frontier: { seedRefused: (seed) => refused.push(seed) },
    });
    for (const path of ["1", "2"]) crawl.offer(`https://a.example/${path}`);
    assert.equal(crawl.lane.runToEnd(), "done");
    assert.deepEqual(kinds(crawl), ["resolve a.example", "robots https://a.example/robots.txt"]);
    assert.deepEqual(crawl.frontier.status().refused, { "robots-unreachable": 2 });
    assert.deepEqual(
      refused.map(({ ticket, reason, cause }) => [ticket.url, reason, cause]),
      ["1", "2"].map((path) => [`https://a.example/${path}`, "robots-unreachable", code]),
    );
    assert.ok(crawl.kernel.nowMs < 1000, "not even the host's delay is waited for");
  }
});

test("a robots.txt that may come later is tried again, and the last cause is reported", () => {
  const refused: RefusedSeed[] = [];
  const ends = [robotsStatus(500), { ...robotsFailed, code: "FETCH_CONNECT_FAILED" as const }];
  let asked = 0;
  const crawl = openToyCrawl({
    robots: () => ends[asked++ === 0 ? 0 : 1] ?? robotsStatus(500),
    frontier: { seedRefused: (seed) => refused.push(seed) },
  });
  crawl.offer("http://a.example/");
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.equal(asked, 4);
  assert.deepEqual(
    refused.map(({ cause }) => cause),
    ["FETCH_CONNECT_FAILED"],
  );
});

test("a robots.txt that moved to an unreachable host ends with that cause", () => {
  const refused: RefusedSeed[] = [];
  const crawl = openToyCrawl({
    robots: () => redirectTo("http://gone.example/robots.txt"),
    resolve: (host) =>
      host === "gone.example"
        ? { kind: "failed", code: "DNS_NOT_FOUND" }
        : resolvedTo(["a-address"], Number.POSITIVE_INFINITY),
    frontier: { seedRefused: (seed) => refused.push(seed) },
  });
  crawl.offer("http://a.example/");
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(
    refused.map(({ reason, cause }) => [reason, cause]),
    [["robots-unreachable", "DNS_NOT_FOUND"]],
  );
});

test("a failure of our own does not count as an attempt for a robots.txt", () => {
  let asked = 0;
  const crawl = openToyCrawl({
    robots: () => {
      asked += 1;
      return asked < 9 ? { ...robotsFailed, code: "FETCH_NO_SOCKET" } : robotsText("");
    },
  });
  crawl.offer("http://a.example/");
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual([...crawl.lane.ends.keys()], ["http://a.example/"]);
});

test("failures of our own use up no attempts for a robots.txt", () => {
  let asked = 0;
  const crawl = openToyCrawl({
    robots: () => {
      asked += 1;
      return asked <= 5 ? { ...robotsFailed, code: "FETCH_NO_SOCKET" } : robotsStatus(503);
    },
  });
  crawl.offer("http://a.example/");
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.equal(asked, 5 + 4);
});

test("a robots.txt that has not changed, though it was never read, permits nothing", () => {
  const crawl = openToyCrawl({ robots: () => robotsStatus(304) });
  crawl.offer("http://a.example/");
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(crawl.frontier.status().refused, { "robots-unreachable": 1 });
});

test("a host that makes up ports is known by the last of its origins", () => {
  const crawl = openToyCrawl({});
  const ports = Array.from({ length: 40 }, (_, at) => 8000 + at);
  for (const port of ports) crawl.offer(`http://a.example:${port}/1`);
  for (const port of [8039, 8000]) crawl.offer(`http://a.example:${port}/2`);
  assert.equal(crawl.lane.runToEnd(), "done");
  const robots = crawl.lane.log.filter(({ kind }) => kind === "robots").map(({ what }) => what);
  assert.deepEqual(robots.slice(-2), [
    "http://a.example:8039/robots.txt",
    "http://a.example:8000/robots.txt",
  ]);
  assert.equal(robots.length, 41, "the first origin was forgotten, the last was not");
});

test("a Crawl-delay above the maximum refuses its host at once", () => {
  const crawl = openToyCrawl({ robots: () => robotsText("User-agent: *\nCrawl-delay: 3600") });
  for (const path of ["1", "2", "3"]) crawl.offer(`http://a.example/${path}`);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(crawl.frontier.status().refused, { "crawl-delay": 3 });
  assert.ok(crawl.kernel.nowMs < 1000, `not after ${crawl.kernel.nowMs} ms of waiting`);
});

test("a Crawl-delay that is not granted does not slow the other origins of its host", () => {
  const crawl = openToyCrawl({
    robots: ({ origin }) =>
      robotsText(origin.startsWith("https") ? "" : "User-agent: *\nCrawl-delay: 3600"),
  });
  crawl.offer("http://a.example/");
  for (const path of ["1", "2", "3"]) crawl.offer(`https://a.example/${path}`);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.equal(crawl.lane.ends.size, 3);
  assert.ok(crawl.kernel.nowMs < 10_000, `it took ${crawl.kernel.nowMs} ms`);
});

test("a robots.txt that moved to a host that is blocked is not fetched from there", () => {
  const crawl = openToyCrawl({
    settings: { blockedHosts: new Set(["b.example"]) },
    robots: () => redirectTo("http://b.example/robots.txt"),
  });
  crawl.offer("http://a.example/");
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.ok(
    kinds(crawl).every((what) => !what.includes("b.example")),
    `${kinds(crawl)}`,
  );
  assert.deepEqual(crawl.frontier.status().refused, { "robots-unreachable": 1 });
});

test("a Crawl-delay that another host tells of holds for the rest that has begun", () => {
  const crawl = openToyCrawl({
    connections: 2,
    robots: ({ url }) =>
      url.includes("//a.")
        ? redirectTo("http://b.example/rules")
        : robotsText("User-agent: *\nCrawl-delay: 30"),
  });
  crawl.offer("http://a.example/");
  assert.equal(crawl.lane.runToEnd(), "done");
  const [first, page] = crawl.lane.log.filter(({ what }) => what.startsWith("http://a.")) ?? [];
  assert.equal((page?.atMs ?? 0) - (first?.atMs ?? 0), 30_100);
});
