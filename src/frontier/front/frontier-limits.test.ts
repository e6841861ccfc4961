import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answered,
  OK,
  openToyCrawl,
  resolvedTo,
} from "../../../test/support/frontier/toy-crawl.ts";

const IGNORE = { robots: "ignore" } as const;

test("a host gives no more pages than its limit, and only pages count", () => {
  const { lane, offer, frontier } = openToyCrawl({
    settings: { ...IGNORE, pagesPerHostMax: 10 },
    page: ({ ticket }) => (ticket.url.endsWith("0") ? answered(404) : OK),
  });
  for (let number = 0; number < 500; number += 1) offer(`http://a.example/${number}`);
  offer("http://b.example/");
  assert.equal(lane.runToEnd(), "done");
  const pages = [...lane.ends].filter(([url]) => url.startsWith("http://a."));
  assert.equal(pages.filter(([, how]) => how === "200").length, 10);
  assert.equal(pages.length, 12, "two were not there");
  assert.deepEqual(frontier.status().refused, { "host-limit": 488 });
  offer("http://a.example/more");
  assert.equal(lane.runToEnd(), "done");
  assert.deepEqual(frontier.status().refused, { "host-limit": 489 });
});

test("a blocked host is never asked", () => {
  const { lane, offer, frontier } = openToyCrawl({
    settings: { blockedHosts: new Set(["a.example"]) },
  });
  offer("http://a.example/");
  offer("http://a.example./");
  offer("http://www.a.example/");
  assert.equal(lane.runToEnd(), "done");
  assert.deepEqual([...lane.ends.keys()], ["http://www.a.example/"]);
  assert.deepEqual(frontier.status().refused, { "host-blocked": 2 });
});

test("the fetch filter is asked just before the fetch, each URL once", () => {
  const asked: string[] = [];
  const mayFetch = ({ url }: { readonly url: string }): boolean => {
    asked.push(url);
    return !url.endsWith("7");
  };
  const { lane, offer, frontier } = openToyCrawl({ settings: IGNORE, frontier: { mayFetch } });
  for (let number = 0; number < 20; number += 1) offer(`http://a.example/${number}`);
  assert.equal(lane.runToEnd(), "done");
  assert.equal(asked.length, 20);
  assert.deepEqual(frontier.status().refused, { "filter-fetch": 2 });
});

test("a host with a hundred thousand refused URLs delays no other", () => {
  const { lane, offer, frontier } = openToyCrawl({
    settings: IGNORE,
    frontier: { mayFetch: ({ url }) => url.startsWith("http://b.") },
  });
  for (let number = 0; number < 100_000; number += 1) offer(`http://a.example/${number}`);
  offer("http://b.example/");
  assert.equal(lane.runToEnd(), "done");
  assert.deepEqual([...lane.ends.keys()], ["http://b.example/"]);
  assert.deepEqual(frontier.status().refused, { "filter-fetch": 100_000 });
});

test("a URL that is too long for a record is refused, one with a long way there is not", () => {
  const { lane, offer, frontier } = openToyCrawl({ settings: IGNORE });
  offer(`http://a.example/${"x".repeat(65_000)}`);
  offer(`http://a.example/${"x".repeat(60_000)}`);
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.ends.size, 1);
  assert.deepEqual(frontier.status().refused, { "url-too-long": 1 });
});

test("with little memory thousands of hosts take turns, and all are served", () => {
  const { lane, offer, frontier } = openToyCrawl({
    settings: { ...IGNORE, memoryBytes: 100_000 },
    connections: 50,
  });
  for (let page = 0; page < 5; page += 1) {
    for (let host = 0; host < 2000; host += 1) offer(`http://h${host}.example/${page}`);
  }
  let lackedMemory = 0;
  const watched = (): void => {
    lackedMemory = Math.max(lackedMemory, frontier.status().idle.memory ?? 0);
  };
  lane.each = watched;
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.ends.size, 10_000);
  assert.ok(lackedMemory > 1000, `${lackedMemory} hosts waited for memory`);
});

test("a host with many URLs does not keep others dormant when memory is short", () => {
  const { lane, offer } = openToyCrawl({
    settings: { ...IGNORE, memoryBytes: 20_000 },
    connections: 50,
  });
  for (let host = 0; host < 15; host += 1) {
    for (let page = 0; page < 1000; page += 1) offer(`http://big${host}.example/${page}`);
  }
  for (let host = 0; host < 30; host += 1) offer(`http://small${host}.example/`);
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.ends.size, 15_030);
  const order = [...lane.ends.keys()];
  const lastSmall = order.findLastIndex((url) => url.startsWith("http://small"));
  assert.ok(lastSmall < 7000, `the last small host was number ${lastSmall}`);
});

test("files need neither address nor robots.txt nor patience", () => {
  const { lane, offer } = openToyCrawl({ resolve: () => resolvedTo([], 1e12) });
  for (let number = 0; number < 10; number += 1) offer(`file:///folder/${number}`);
  lane.watch.isOff = true;
  assert.equal(lane.runToEnd(), "done");
  assert.deepEqual([...new Set(lane.log.map(({ kind }) => kind))], ["page"]);
  assert.equal(lane.log.at(-1)?.atMs, 900);
});

test("the status says why nothing is fetched", () => {
  const { lane, offer, frontier, kernel } = openToyCrawl({
    connections: 10,
    settings: { resolvesMax: 1 },
    page: () => answered(429, 30_000),
  });
  assert.deepEqual(frontier.status().idle, { empty: 0 });
  offer("http://a.example/1");
  offer("http://b.example/1");
  kernel.schedule(0, () => lane.pump());
  const until = (atMs: number): void => {
    kernel.runUntil(() => false, { stepsMax: 10_000, virtualMsMax: atMs - kernel.nowMs });
  };
  until(5);
  assert.deepEqual(frontier.status().idle, { resolving: 2 });
  until(500);
  assert.deepEqual(frontier.status().idle, { politeness: 2 });
  until(5000);
  assert.deepEqual(frontier.status().idle, { retry: 2 });
  const { queued, inFlight, hosts, urls } = frontier.status();
  assert.deepEqual(
    { queued, inFlight, hosts, urls },
    { queued: 2, inFlight: 0, hosts: 2, urls: 2 },
  );
  lane.runToEnd();
  assert.deepEqual(frontier.status().idle, { empty: 2 });
});
