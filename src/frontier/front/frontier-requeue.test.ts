/** URLs that have ended and are queued once more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answered,
  OK,
  openToyCrawl,
  resolvedTo,
  toyFingerprint,
} from "../../../test/support/frontier/toy-crawl.ts";
import type { ErrorCode } from "../../base/errors/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { Ticket } from "../ticket/index.ts";
import type { Resolution } from "./frontier.ts";

const SETTINGS = { robots: "ignore", retries: 0 } as const;

function ticketOf(text: string): Ticket {
  const url = text as FetchableUrl;
  return { url, ...toyFingerprint(url), depth: 0, via: null, redirects: 0, priority: 0 };
}

test("a page that failed is fetched once more, though the sieve knows it", () => {
  let isUp = false;
  const { lane, frontier, offer } = openToyCrawl({
    settings: SETTINGS,
    page: () => (isUp ? OK : answered(503)),
  });
  offer("http://a.example/x");
  assert.equal(lane.runToEnd(), "done");
  isUp = true;
  offer("http://a.example/x");
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.ends.get("http://a.example/x"), "503");
  lane.ends.delete("http://a.example/x");
  assert.ok(frontier.requeue(ticketOf("http://a.example/x")));
  assert.equal(frontier.status().queued, 1);
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.ends.get("http://a.example/x"), "200");
  assert.ok(frontier.isExhausted);
  assert.equal(frontier.status().urls, 1);
});

test("a host that could not be reached is tried again with the page, from its name on", () => {
  let isUp = false;
  const code = "DNS_NOT_FOUND" as ErrorCode;
  const gone: Resolution = { kind: "failed", code };
  const { lane, frontier, offer } = openToyCrawl({
    settings: SETTINGS,
    resolve: () => (isUp ? resolvedTo(["here"], Number.POSITIVE_INFINITY) : gone),
  });
  for (const path of ["x", "y"]) offer(`http://a.example/${path}`);
  assert.equal(lane.runToEnd(), "done");
  isUp = true;
  offer("http://a.example/z");
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.ends.get("http://a.example/z"), code, "it is still given up");
  lane.ends.delete("http://a.example/x");
  assert.ok(frontier.requeue(ticketOf("http://a.example/x")));
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.ends.get("http://a.example/x"), "200");
  offer("http://a.example/new");
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.ends.get("http://a.example/new"), "200");
});

test("a host that is refused stays so, and so does a blocked one", () => {
  const { lane, frontier, offer } = openToyCrawl({
    settings: { ...SETTINGS, pagesPerHostMax: 1, blockedHosts: new Set(["b.example"]) },
  });
  for (const path of ["x", "y"]) offer(`http://a.example/${path}`);
  assert.equal(lane.runToEnd(), "done");
  assert.equal(frontier.status().refused["host-limit"], 1);
  assert.ok(!frontier.requeue(ticketOf("http://a.example/x")));
  assert.ok(!frontier.requeue(ticketOf("http://b.example/x")));
  assert.ok(frontier.isExhausted);
});

test("a page that a killed process had fetched in vain is fetched once more, not twice", () => {
  const asked: string[] = [];
  const { lane, frontier, offer } = openToyCrawl({
    settings: SETTINGS,
    page: ({ ticket }) => {
      asked.push(ticket.url);
      return OK;
    },
  });
  const ticket = ticketOf("http://a.example/x");
  offer(ticket.url);
  frontier.markEnded([{ ...ticket, isPage: false }]);
  assert.ok(frontier.requeue(ticket));
  assert.equal(lane.runToEnd(), "done");
  assert.deepEqual(asked, [ticket.url]);
  assert.ok(frontier.isExhausted);
});

test("U6: a page that waits once more takes a better depth that is met meanwhile", () => {
  let isUp = false;
  const { lane, frontier, offer, kernel } = openToyCrawl({
    settings: { ...SETTINGS, keepsDepths: true },
    page: () => (isUp ? OK : answered(503)),
  });
  const url = "http://a.example/x";
  offer(url, 5);
  assert.equal(lane.runToEnd(), "done");
  isUp = true;
  lane.ends.delete(url);
  frontier.handovers.withhold(() => true);
  assert.ok(frontier.requeue({ ...ticketOf(url), depth: 5 }));
  offer(url, 3);
  frontier.decideOffers();
  kernel.pass(5000);
  frontier.handovers.admit();
  assert.equal(lane.runToEnd(), "done");
  assert.equal(lane.ends.get(url), "200");
  assert.equal(lane.depths.get(url), 3);
});
