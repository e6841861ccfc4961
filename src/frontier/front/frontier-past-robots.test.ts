/** What a process was told which was killed since: robots.txt files (`markRobots`), and `markRest`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  openToyCrawl,
  robotsStatus,
  robotsText,
  type ToyCrawl,
} from "../../../test/support/frontier/toy-crawl.ts";
import type { FetchableUrl, Origin } from "../../formats/url/index.ts";
import type { GuestRobots, RobotsEnd, Settlement, SpokenRobotsEnd } from "./frontier.ts";

const HOUR_MS = 3_600_000;
const A = "http://a.example" as Origin;

interface Marked {
  /** A robots.txt of its own, unless redirects led elsewhere. */
  readonly robots?: Partial<GuestRobots>;
  readonly agoMs?: number;
}

function mark(
  { frontier, kernel }: ToyCrawl,
  end: RobotsEnd,
  { robots = {}, agoMs = 0 }: Marked = {},
): Settlement {
  const own = { origin: A, url: `${A}/robots.txt` as FetchableUrl, redirects: 0 };
  const wallMs = kernel.clock.wallMs() - agoMs;
  return frontier.markRobots({ ...own, ...robots }, end as SpokenRobotsEnd, wallMs);
}

function redirectTo(url: string): RobotsEnd {
  return { kind: "redirected", to: url as FetchableUrl };
}

function asked({ lane }: ToyCrawl, kind: string): string[] {
  return lane.log.filter((one) => one.kind === kind).map(({ what }) => what);
}

function crawlAfter(marks: (crawl: ToyCrawl) => void): ToyCrawl {
  const crawl = openToyCrawl({
    settings: { robotsMaxAgeMs: HOUR_MS },
    robots: () => robotsText(""),
  });
  marks(crawl);
  for (const path of ["yes", "no"]) crawl.offer(`${A}/${path}`);
  assert.equal(crawl.lane.runToEnd(), "done");
  return crawl;
}

test("a robots.txt that was read before is obeyed and not asked for again", () => {
  const crawl = crawlAfter((opened) => {
    assert.equal(mark(opened, robotsText("User-agent: *\nDisallow: /no")).kind, "final");
  });
  assert.deepEqual(asked(crawl, "robots"), []);
  assert.deepEqual(asked(crawl, "page"), [`${A}/yes`]);
  assert.deepEqual(crawl.frontier.status().refused, { robots: 1 });
});

test("a robots.txt that was missing, or could not be had for good, is not asked for again", () => {
  const missing = crawlAfter((crawl) => mark(crawl, robotsStatus(404)));
  assert.deepEqual([asked(missing, "robots").length, asked(missing, "page").length], [0, 2]);
  const code = "FETCH_TLS_CERTIFICATE";
  const attempt = { kind: "failed" } as const;
  const never = crawlAfter((crawl) =>
    mark(crawl, { kind: "ended", attempt, bytes: null, retryAfterMs: null, code }),
  );
  assert.deepEqual([asked(never, "robots").length, asked(never, "page").length], [0, 0]);
  assert.deepEqual(never.frontier.status().refused, { "robots-unreachable": 2 });
});

test("a robots.txt that was read before is asked for again when it is too old", () => {
  const crawl = crawlAfter((opened) => {
    const end = robotsText("User-agent: *\nDisallow: /");
    assert.equal(mark(opened, end, { agoMs: HOUR_MS + 1 }).kind, "again");
  });
  assert.deepEqual(asked(crawl, "robots"), [`${A}/robots.txt`]);
  assert.deepEqual(asked(crawl, "page"), [`${A}/yes`, `${A}/no`]);
});

test("what is known of a later fetch of a robots.txt counts more", () => {
  const crawl = crawlAfter((opened) => {
    mark(opened, robotsText("User-agent: *\nDisallow: /no"), { agoMs: 100 });
    mark(opened, robotsText("User-agent: *\nDisallow: /yes"), { agoMs: 200 });
    mark(opened, robotsStatus(500), { agoMs: 300 });
    mark(opened, redirectTo("http://b.example/rules"), { agoMs: 400 });
  });
  assert.deepEqual(asked(crawl, "robots"), []);
  assert.deepEqual(asked(crawl, "page"), [`${A}/yes`]);
});

test("attempts for a robots.txt that failed before count", () => {
  const crawl = openToyCrawl({ robots: () => robotsStatus(503) });
  for (const _ of [1, 2]) assert.equal(mark(crawl, robotsStatus(503)).kind, "again");
  crawl.offer(`${A}/`);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.equal(asked(crawl, "robots").length, 2, "of four attempts two were made before");
  assert.ok((crawl.lane.log[1]?.atMs ?? 0) >= 20_000, "the second wait is kept");
});

test("a robots.txt whose redirects were followed half is asked for where they led", () => {
  for (const [to, host] of [
    ["http://b.example/rules", "b.example"],
    [`${A}/rules`, "a.example"],
  ] as const) {
    const crawl = crawlAfter((opened) => {
      const moved = `${A}/moved` as FetchableUrl;
      assert.equal(mark(opened, redirectTo(moved)).kind, "again");
      mark(opened, redirectTo(to), { robots: { url: moved, redirects: 1 } });
    });
    assert.deepEqual(asked(crawl, "robots"), [to]);
    assert.deepEqual(asked(crawl, "page"), [`${A}/yes`, `${A}/no`]);
    assert.ok(asked(crawl, "resolve").includes(host));
  }
});

test("a robots.txt that was found behind redirects applies to the origin that was asked first", () => {
  const crawl = crawlAfter((opened) => {
    const url = "http://b.example/rules" as FetchableUrl;
    mark(opened, redirectTo(url));
    mark(opened, robotsText("User-agent: *\nDisallow: /no"), { robots: { url, redirects: 1 } });
  });
  assert.deepEqual(asked(crawl, "robots"), []);
  assert.deepEqual(asked(crawl, "page"), [`${A}/yes`]);
});

test("redirects of a robots.txt that are too old are followed from the beginning", () => {
  const crawl = crawlAfter((opened) => {
    mark(opened, redirectTo("http://b.example/rules"), { agoMs: HOUR_MS + 1 });
  });
  assert.deepEqual(asked(crawl, "robots"), [`${A}/robots.txt`]);
});

test("a host that was blocked meanwhile is still known by its robots.txt", () => {
  const crawl = openToyCrawl({ settings: { robotsMaxAgeMs: HOUR_MS } });
  crawl.frontier.changeHost("a.example" as never, { isBlocked: true });
  mark(crawl, robotsText("User-agent: *\nDisallow: /no"));
  crawl.frontier.changeHost("a.example" as never, { isBlocked: false });
  for (const path of ["yes", "no"]) crawl.offer(`${A}/${path}`);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(asked(crawl, "robots"), []);
});

test("rules of hosts that have nothing to do are forgotten, the oldest first, where memory is short", () => {
  const crawl = openToyCrawl({ settings: { memoryBytes: 256 * 1024, robotsMaxAgeMs: HOUR_MS } });
  const hosts = Array.from({ length: 2000 }, (_, number) => `http://h${number}.example` as Origin);
  let mostBytes = 0;
  for (const origin of hosts) {
    const url = `${origin}/robots.txt` as FetchableUrl;
    mark(crawl, robotsText(`User-agent: *\nDisallow: /no`), { robots: { origin, url } });
    const { states, robots } = crawl.frontier.status().memory;
    mostBytes = Math.max(mostBytes, states + robots);
  }
  assert.ok(mostBytes < 1.1 * 256 * 1024, `${mostBytes} bytes`);
  for (const origin of [hosts[0], hosts.at(-1)]) crawl.offer(`${origin}/yes`);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(asked(crawl, "robots"), [`${hosts[0]}/robots.txt`]);
});

test("a host that asked an earlier process to leave it alone is left alone from now on", () => {
  for (const [askedMs, restedMs] of [
    [60_000, 60_000],
    [HOUR_MS, 600_000],
  ] as const) {
    const crawl = openToyCrawl({
      settings: { retryWaitMsMax: 600_000 },
      robots: () => robotsText(""),
    });
    const begunAtMs = crawl.kernel.nowMs;
    crawl.frontier.markRest(`${A}/any` as FetchableUrl, askedMs);
    crawl.offer(`${A}/page`);
    crawl.offer("http://b.example/page");
    assert.equal(crawl.lane.runToEnd(), "done");
    const atMsOf = (host: string): number[] =>
      crawl.lane.log
        .filter(({ kind, what }) => kind !== "resolve" && what.includes(host))
        .map(({ atMs }) => atMs);
    assert.ok(Math.min(...atMsOf("a.example")) >= begunAtMs + restedMs, `${askedMs} ms are asked`);
    assert.ok(Math.min(...atMsOf("b.example")) < begunAtMs + 60_000, "others need not wait");
  }
});
