/** Pages of which a frontier is told that they have ended before it hears of them in any other way. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openToyCrawl, toyFingerprint } from "../../../test/support/frontier/toy-crawl.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { Ticket } from "../ticket/index.ts";

const X = "http://a.example/x";
const Y = "http://a.example/y";
const Z = "http://a.example/z";

function ticketOf(text: string, depth = 0): Ticket {
  const url = text as FetchableUrl;
  return { url, ...toyFingerprint(url), depth, via: null, redirects: 0, priority: 0 };
}

test("a page that is told to have ended is not fetched, however often it is offered", () => {
  const { lane, frontier, offer } = openToyCrawl({ settings: { robots: "ignore" } });
  frontier.offerEnded(ticketOf(X), true);
  // Twice, as when somebody had it fetched again.
  frontier.offerEnded(ticketOf(X), true);
  for (const url of [X, Y, X]) offer(url);
  assert.equal(lane.runToEnd(), "done");
  assert.deepEqual([...lane.ends.keys()], [Y]);
  assert.equal(frontier.status().urls, 2);
});

test("a page that is told to have ended does not wait, though it ends once more later", () => {
  const { lane, frontier, offer, kernel } = openToyCrawl({ settings: { robots: "ignore" } });
  lane.stop();
  frontier.offerEnded(ticketOf(X), true);
  offer(X);
  offer(Y);
  kernel.runUntil(() => frontier.decideOffers() === null, { stepsMax: 100, virtualMsMax: 1e6 });
  assert.equal(frontier.status().queued, 1);
  frontier.markEnded([{ ...ticketOf(X), isPage: true, isTold: true }]);
  offer(X);
  kernel.runUntil(() => frontier.decideOffers() === null, { stepsMax: 100, virtualMsMax: 1e6 });
  assert.equal(frontier.status().queued, 1);
});

test("pages that are told to have ended count for the limit of their host", () => {
  const { lane, frontier, offer } = openToyCrawl({
    settings: { robots: "ignore", pagesPerHostMax: 2 },
  });
  frontier.offerEnded(ticketOf(X), true);
  frontier.offerEnded(ticketOf("http://a.example/gone"), false);
  for (const url of [X, Y, Z]) offer(url);
  assert.equal(lane.runToEnd(), "done");
  assert.deepEqual([...lane.ends.keys()], [Y]);
  assert.equal(frontier.status().refused["host-limit"], 1);
});

test("a page that is told to have ended is expanded when it turns out to be nearer", () => {
  const { lane, frontier, offer } = openToyCrawl({
    settings: { robots: "ignore", keepsDepths: true },
  });
  frontier.offerEnded(ticketOf(X, 5), true);
  offer(X, 6);
  offer(X, 2);
  assert.equal(lane.runToEnd(), "done");
  const { high, low } = toyFingerprint(X);
  assert.deepEqual(lane.expands, [`${high}/${low}@2`]);
  assert.deepEqual([...lane.ends.keys()], []);
});
