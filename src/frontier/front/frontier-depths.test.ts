import assert from "node:assert/strict";
import { test } from "node:test";
import { openToyCrawl, toyFingerprint } from "../../../test/support/frontier/toy-crawl.ts";

const SETTINGS = { robots: "ignore", keepsDepths: true } as const;

function expansion(url: string, depth: number): string {
  const { high, low } = toyFingerprint(url);
  return `${high}/${low}@${depth}`;
}

test("a URL that waits takes the better depth when its turn comes", () => {
  const { lane, offer } = openToyCrawl({ settings: SETTINGS });
  offer("http://a.example/first");
  offer("http://a.example/x", 5);
  offer("http://a.example/x", 3);
  offer("http://a.example/x", 4);
  lane.runToEnd();
  assert.equal(lane.depths.get("http://a.example/x"), 3);
  assert.deepEqual(lane.expands, []);
});

test("a page that was fetched is expanded when it turns out to be nearer, and only then", () => {
  const { lane, offer } = openToyCrawl({ settings: SETTINGS });
  offer("http://a.example/x", 5);
  lane.runToEnd();
  offer("http://a.example/x", 5);
  lane.runToEnd();
  assert.deepEqual(lane.expands, []);
  offer("http://a.example/x", 2);
  offer("http://a.example/x", 4);
  lane.runToEnd();
  assert.deepEqual(lane.expands, [expansion("http://a.example/x", 2)]);
});

test("a page in flight is expanded after its end", () => {
  const url = "http://a.example/x";
  let offerNearer = (): void => undefined;
  const { lane, offer } = openToyCrawl({
    settings: SETTINGS,
    connections: 2,
    page: () => {
      offerNearer();
      return { kind: "answered", status: 200, retryAfterMs: null, answerMs: 1 };
    },
  });
  offerNearer = () => offer(url, 1);
  offer(url, 5);
  lane.runToEnd();
  assert.equal(lane.depths.get(url), 5);
  assert.deepEqual(lane.expands, [expansion(url, 1)]);
});

test("without a depth limit depths do not matter", () => {
  const { lane, offer } = openToyCrawl({ settings: { robots: "ignore" } });
  offer("http://a.example/x", 5);
  offer("http://a.example/x", 3);
  lane.runToEnd();
  assert.equal(lane.depths.get("http://a.example/x"), 5);
});
