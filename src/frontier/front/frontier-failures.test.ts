import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answered,
  OK,
  openToyCrawl,
  resolvedTo,
} from "../../../test/support/frontier/toy-crawl.ts";
import type { ErrorCode } from "../../base/errors/index.ts";
import type { PageEnd, Resolution } from "./frontier.ts";

const IGNORE = { robots: "ignore" } as const;

function failed(code: ErrorCode): PageEnd {
  return { kind: "failed", code };
}

function unresolved(code: string): Resolution {
  return { kind: "failed", code: code as ErrorCode };
}

test("a page that answers 503 is tried again, later and later, and then its answer is final", () => {
  const { lane, offer } = openToyCrawl({ settings: IGNORE, page: () => answered(503) });
  offer("http://a.example/x");
  assert.equal(lane.runToEnd(), "done");
  const times = lane.log.filter(({ kind }) => kind === "page").map(({ atMs }) => atMs);
  assert.equal(times.length, 4);
  const gaps = times.slice(1).map((atMs, at) => atMs - (times[at] ?? 0));
  gaps.forEach((gapMs, at) => {
    assert.ok(gapMs >= 10_000 * 2 ** at + 100 && gapMs <= 12_500 * 2 ** at + 100, `${gapMs}`);
  });
  assert.equal(lane.ends.get("http://a.example/x"), "503");
});

test("other pages of the host are fetched while one waits for its next try", () => {
  const { lane, offer } = openToyCrawl({
    settings: IGNORE,
    page: ({ ticket }) => (ticket.url.endsWith("/bad") ? failed("FETCH_TIMED_OUT") : OK),
  });
  offer("http://a.example/bad");
  for (let number = 0; number < 5; number += 1) offer(`http://a.example/${number}`);
  assert.equal(lane.runToEnd(), "done");
  const order = lane.log.map(({ what }) => what.slice(what.lastIndexOf("/") + 1));
  assert.deepEqual(order.slice(1), ["bad", "0", "1", "2", "3", "4", "bad", "bad", "bad"]);
});

test("after 429 the whole host waits, as long as Retry-After says", () => {
  let first = true;
  const { lane, offer } = openToyCrawl({
    settings: IGNORE,
    page: () => {
      const end = first ? answered(429, 45_000) : OK;
      first = false;
      return end;
    },
  });
  offer("http://a.example/1");
  offer("http://a.example/2");
  assert.equal(lane.runToEnd(), "done");
  assert.deepEqual(
    lane.log.map(({ atMs }) => atMs),
    [0, 10, 45_110, 47_210],
    "and its delay is doubled for a while",
  );
});

test("after 503 with Retry-After nothing of the host is fetched before", () => {
  const { lane, offer } = openToyCrawl({
    settings: IGNORE,
    page: ({ ticket, attempt }) =>
      ticket.url.endsWith("/1") && attempt === 0 ? answered(503, 45_000) : OK,
  });
  offer("http://a.example/1");
  offer("http://a.example/2");
  assert.equal(lane.runToEnd(), "done");
  const visits = lane.log.filter(({ kind }) => kind === "page").map(({ atMs }) => atMs);
  assert.deepEqual(visits, [10, 45_110, 47_210], "and its delay is doubled for a while");
});

test("no Retry-After is granted more than the longest wait", () => {
  const { lane, offer } = openToyCrawl({
    settings: { ...IGNORE, retryWaitMsMax: 60_000 },
    page: ({ attempt }) => (attempt === 0 ? answered(503, 86_400_000) : OK),
  });
  offer("http://a.example/1");
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.log.at(-1)?.atMs, 60_110);
});

test("a host whose answers are slow is asked less often", () => {
  const { lane, offer } = openToyCrawl({
    settings: IGNORE,
    page: () => ({ kind: "answered", status: 200, retryAfterMs: null, answerMs: 4000 }),
  });
  offer("http://a.example/1");
  offer("http://a.example/2");
  lane.runToEnd();
  assert.equal(lane.log.at(-1)?.atMs, 10 + 100 + 8000);
});

test("a host without a name ends with all its URLs, those that come later too", () => {
  const { lane, offer, frontier } = openToyCrawl({
    resolve: () => unresolved("DNS_NOT_FOUND"),
  });
  for (let number = 0; number < 300; number += 1) offer(`http://a.example/${number}`);
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.ends.size, 300);
  assert.ok([...lane.ends.values()].every((how) => how === "DNS_NOT_FOUND"));
  offer("http://a.example/later");
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.ends.get("http://a.example/later"), "DNS_NOT_FOUND");
  assert.equal(lane.log.length, 1, "only the name was asked for, once");
  assert.deepEqual(frontier.status().refused, {});
});

test("a name server that fails is asked again; when it answers all goes on", () => {
  let asked = 0;
  const { lane, offer } = openToyCrawl({
    resolve: (host) => {
      asked += 1;
      return asked < 4
        ? unresolved("DNS_SERVER_FAILED")
        : resolvedTo([host], Number.POSITIVE_INFINITY);
    },
    settings: IGNORE,
  });
  offer("http://a.example/1");
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.ends.get("http://a.example/1"), "200");
  assert.ok((lane.log.at(-1)?.atMs ?? 0) >= 70_000);
});

test("a resolver that has too much to do uses up none of the tries", () => {
  let asked = 0;
  const { lane, offer } = openToyCrawl({
    resolve: (host) => {
      asked += 1;
      return asked < 9
        ? unresolved("DNS_OVERLOADED")
        : resolvedTo([host], Number.POSITIVE_INFINITY);
    },
    settings: IGNORE,
  });
  offer("http://a.example/1");
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.ends.get("http://a.example/1"), "200");
});

test("addresses that have expired are resolved again before the next fetch", () => {
  const { lane, offer } = openToyCrawl({
    settings: IGNORE,
    resolve: (host, nowMs) => resolvedTo([`${host}@${nowMs}`], nowMs + 2500),
  });
  for (let number = 0; number < 6; number += 1) offer(`http://a.example/${number}`);
  assert.equal(lane.runToEnd(), "done");
  assert.deepEqual(
    lane.log.map(({ kind, atMs }) => `${kind} ${atMs}`),
    ["resolve 0", "page 10", "page 1110", "page 2210", "resolve 3310"].concat([
      "page 3320",
      "page 4420",
      "page 5520",
    ]),
  );
});

test("addresses that expire at once serve for one fetch each", () => {
  const { lane, offer } = openToyCrawl({
    settings: IGNORE,
    resolve: (host, nowMs) => resolvedTo([host], nowMs),
  });
  for (let number = 0; number < 3; number += 1) offer(`http://a.example/${number}`);
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.log.filter(({ kind }) => kind === "resolve").length, 3);
});

test("when one address does not connect the next one is tried without a long wait", () => {
  const { lane, offer } = openToyCrawl({
    settings: IGNORE,
    resolve: () => resolvedTo(["one", "two"], Number.POSITIVE_INFINITY),
    page: ({ address }) => (address === "one" ? failed("FETCH_CONNECT_FAILED") : OK),
  });
  offer("http://a.example/1");
  offer("http://a.example/2");
  assert.equal(lane.runToEnd(), "done");
  assert.deepEqual(
    lane.log.map(({ address, atMs }) => `${address} ${atMs}`),
    ["null 0", "one 10", "two 1110", "two 2210"],
  );
});

test("a host that never connects is given up with its first URL", () => {
  const { lane, offer } = openToyCrawl({
    settings: IGNORE,
    page: () => failed("FETCH_CONNECT_FAILED"),
  });
  for (let number = 0; number < 100; number += 1) offer(`http://a.example/${number}`);
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.log.filter(({ kind }) => kind === "page").length, 4);
  assert.equal(lane.ends.get("http://a.example/0"), "failed");
  assert.equal(lane.ends.get("http://a.example/99"), "FETCH_CONNECT_FAILED");
});

test("a host that had answered is given up later", () => {
  const downMs = { from: 10_000, to: 100_000 };
  const { lane, offer } = openToyCrawl({
    settings: IGNORE,
    page: (_errand, nowMs) =>
      nowMs > downMs.from && nowMs < downMs.to ? failed("FETCH_CONNECT_FAILED") : OK,
  });
  for (let number = 0; number < 50; number += 1) offer(`http://a.example/${number}`);
  assert.equal(lane.runToEnd(), "done");
  const lost = [...lane.ends.values()].filter((how) => how !== "200");
  assert.ok(lost.length <= 1, `${lost.length} of 50 were lost`);
});

test("an address that is refused refuses the host's URLs", () => {
  const { lane, offer, frontier } = openToyCrawl({
    resolve: () => unresolved("FETCH_ADDRESS_REFUSED"),
  });
  offer("http://a.example/1");
  offer("http://a.example/2");
  assert.equal(lane.runToEnd(), "done");
  assert.deepEqual(frontier.status().refused, { address: 2 });
});

test("a fetch that was cancelled is begun again, and does not count as an attempt", () => {
  let cancelled = 0;
  const { lane, offer } = openToyCrawl({
    settings: IGNORE,
    page: ({ attempt }) => {
      assert.equal(attempt, 0);
      cancelled += 1;
      return cancelled < 9 ? { kind: "cancelled" } : OK;
    },
  });
  offer("http://a.example/1");
  offer("http://a.example/2");
  assert.equal(lane.runToEnd(), "done");
  assert.deepEqual([...lane.ends.keys()], ["http://a.example/1", "http://a.example/2"]);
});
