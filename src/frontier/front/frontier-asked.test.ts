import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answered,
  OK,
  openToyCrawl,
  resolvedTo,
  robotsText,
  type ToyCrawl,
  type ToyCrawlOptions,
  toyFingerprint,
} from "../../../test/support/frontier/toy-crawl.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { RefusedSeed } from "./frontier.ts";

/** A frontier that is asked by another one, and what it refused. */
function openAsked(options: ToyCrawlOptions): {
  readonly crawl: ToyCrawl;
  readonly refused: () => unknown[];
  ask(url: string): void;
} {
  const refused: RefusedSeed[] = [];
  const seedRefused = (seed: RefusedSeed): undefined => void refused.push(seed);
  const crawl = openToyCrawl({ ...options, frontier: { seedRefused, isAsked: true } });
  return {
    crawl,
    refused: () => refused.splice(0).map(({ ticket, reason }) => [ticket.url, reason]),
    ask: (url) =>
      crawl.frontier.offer({
        ...{ url: url as FetchableUrl, ...toyFingerprint(url), depth: 3 },
        ...{ via: "http://z.example/", redirects: 0, priority: 0 },
      }),
  };
}

test("a frontier that is asked fetches a URL as often as it is asked for", () => {
  const { crawl, ask } = openAsked({});
  for (const _ of [1, 2, 3]) {
    ask("http://a.example/x");
    assert.equal(crawl.lane.runToEnd(), "done");
    crawl.lane.ends.clear();
  }
  const pages = crawl.lane.log.filter(({ kind }) => kind === "page");
  assert.deepEqual(
    pages.map(({ what }) => what),
    Array.from({ length: 3 }, () => "http://a.example/x"),
  );
});

test("a frontier that is asked tells of each URL that it refuses, whoever found it", () => {
  const { crawl, ask, refused } = openAsked({
    settings: { blockedHosts: new Set(["b.example"]), pagesPerHostMax: 1 },
    robots: ({ host }) => robotsText(host === "a.example" ? "user-agent: *\ndisallow: /" : ""),
  });
  ask("http://a.example/x");
  ask("http://b.example/");
  for (const page of ["1", "2", "3"]) ask(`http://c.example/${page}`);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(refused().sort(), [
    ["http://a.example/x", "robots"],
    ["http://b.example/", "host-blocked"],
    ["http://c.example/2", "host-limit"],
    ["http://c.example/3", "host-limit"],
  ]);
  ask("http://c.example/4");
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(refused(), [["http://c.example/4", "host-limit"]]);
});

test("every URL of a host at a forbidden address is told of", () => {
  const { crawl, ask, refused } = openAsked({
    resolve: (host) =>
      host === "a.example"
        ? { kind: "failed", code: "FETCH_ADDRESS_REFUSED" }
        : resolvedTo(["192.0.2.1"], Number.POSITIVE_INFINITY),
  });
  const urls = Array.from({ length: 500 }, (_, page) => `http://a.example/${page}`);
  for (const url of urls) ask(url);
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.deepEqual(refused().sort(), urls.map((url) => [url, "address"]).sort());
});

test("a page that was refused elsewhere is final, and counted by the reason", () => {
  const refused: RefusedSeed[] = [];
  const { lane, frontier, offer } = openToyCrawl({
    settings: { robots: "ignore" },
    frontier: { seedRefused: (seed) => refused.push(seed) },
    page: ({ ticket }) =>
      ticket.url.endsWith("/x") ? { kind: "refused", reason: "robots", cause: null } : OK,
  });
  offer("http://a.example/x");
  offer("http://a.example/y");
  assert.equal(lane.runToEnd(), "done");
  assert.deepEqual(frontier.status().refused, { robots: 1 });
  assert.deepEqual(
    refused.map(({ ticket, reason }) => [ticket.url, reason]),
    [["http://a.example/x", "robots"]],
  );
  assert.equal(lane.ends.get("http://a.example/y"), "200");
  assert.ok(frontier.isExhausted);
});

test("a frontier that is asked retries as any other", () => {
  let asked = 0;
  const { crawl, ask } = openAsked({
    settings: { robots: "ignore" },
    page: () => {
      asked += 1;
      return asked < 3 ? answered(503) : OK;
    },
  });
  ask("http://a.example/x");
  assert.equal(crawl.lane.runToEnd(), "done");
  assert.equal(asked, 3);
});
