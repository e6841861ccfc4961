import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answered,
  openToyCrawl,
  robotsStatus,
  robotsText,
  type ToyCrawl,
} from "../../../../test/support/frontier/toy-crawl.ts";
import type { FetchableUrl, HostName } from "../../../formats/url/index.ts";

const A = "a.example" as HostName;

/** Runs until so many pages were asked for. */
function runFor({ kernel, lane }: ToyCrawl, pages: number): void {
  kernel.schedule(0, () => lane.pump());
  const count = (): number => lane.log.filter(({ kind }) => kind === "page").length;
  kernel.runUntil(() => count() >= pages, { stepsMax: 100_000, virtualMsMax: 1e9 });
}

test("a host shows what it waits for, its politeness, its robots.txt and its counts", () => {
  const crawl = openToyCrawl({
    settings: { hostDelayMs: 2000 },
    robots: ({ host }) =>
      host === A ? robotsText("User-agent: *\nCrawl-delay: 7") : robotsStatus(404),
  });
  for (const page of ["0", "1", "2"]) crawl.offer(`http://a.example/${page}`);
  crawl.offer("http://b.example/");
  runFor(crawl, 3);
  const { hosts } = crawl.frontier;
  assert.equal(hosts.count, 2);
  assert.equal(hosts.find("c.example" as HostName), null);
  const a = hosts.find("a.example." as HostName);
  assert.deepEqual(a, hosts.at(0));
  const { robots = [], ...rest } = a ?? {};
  assert.deepEqual(rest, {
    ...{ host: A, number: 0, state: "fetching", pages: 1, queued: 1, end: null, restsMs: 0 },
    ...{ address: a?.address, delayMs: 7000, crawlDelayMs: 7000, aliasOf: null },
  });
  assert.equal(typeof a?.address, "string");
  assert.deepEqual(
    robots.map(({ origin, state, crawlDelayMs }) => [origin, state, crawlDelayMs]),
    [["http://a.example", "read", 7000]],
  );
  assert.ok((robots[0]?.ageMs ?? -1) > 0);
  const b = hosts.at(1);
  assert.deepEqual([b.state, b.pages, b.queued, b.delayMs], ["idle", 1, 0, 2000]);
});

test("a blocked host, a resting one and one that was given up say so", () => {
  const crawl = openToyCrawl({
    settings: { robots: "ignore", retries: 0 },
    resolve: (host) =>
      host === "c.example"
        ? { kind: "failed", code: "DNS_NOT_FOUND" }
        : { kind: "resolved", addresses: [`10.0.0.${host.length}`], expiresAtMs: 1e9 },
  });
  for (const host of ["a.example", "b.example", "c.example"]) {
    for (const page of ["0", "1"]) crawl.offer(`http://${host}/${page}`);
  }
  crawl.frontier.changeHost(A, { isBlocked: true });
  runFor(crawl, 1);
  const { hosts } = crawl.frontier;
  const until = (is: () => boolean) =>
    crawl.kernel.runUntil(is, { stepsMax: 1000, virtualMsMax: 1e9 });
  assert.deepEqual([hosts.at(0).state, hosts.at(1).state], ["blocked", "fetching"]);
  until(() => hosts.at(2).state === "given-up");
  assert.deepEqual([hosts.at(0).queued, hosts.at(2).end], [2, "DNS_NOT_FOUND"]);
  until(() => hosts.at(1).state === "politeness");
  assert.ok(hosts.at(1).restsMs > 0);
});

test("a URL is found in flight, in its place of the queue, or waiting for another try", () => {
  const crawl = openToyCrawl({
    settings: { hostDelayMs: 2000 },
    robots: () => robotsText("User-agent: *\nDisallow: /2"),
    page: ({ ticket }) => answered(ticket.url.endsWith("/0") ? 503 : 200),
  });
  for (const page of ["0", "1", "2"]) crawl.offer(`http://a.example/${page}`);
  const look = (page: string) => {
    const url = `http://a.example/${page}` as FetchableUrl;
    return crawl.frontier.hosts.look(url);
  };
  assert.equal(crawl.frontier.hosts.look("http://c.example/" as FetchableUrl), null);
  runFor(crawl, 1);
  assert.deepEqual([look("0")?.isInFlight, look("1")?.isInFlight], [true, false]);
  assert.deepEqual(look("2")?.place, { kind: "queue", before: 2 });
  assert.deepEqual(look("2")?.robots?.decision, {
    ...{ allowed: false, reason: "rule", rule: { line: 2, text: "Disallow: /2" } },
  });
  runFor(crawl, 2);
  assert.equal(look("0")?.place?.kind, "retry");
  assert.equal(look("unseen")?.place, null);
  assert.equal(look("1")?.waiting, 3);
});
