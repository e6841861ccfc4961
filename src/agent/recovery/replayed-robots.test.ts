import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrawlLine, CrawlNote } from "../../store/archive/index.ts";
import { sitemapLevelOf } from "./replayed-page.ts";
import { replayedRobots, replayedRobotsErrand } from "./replayed-robots.ts";

const ROBOTS = "http://a.test/robots.txt";
const ANSWER = { reason: "OK", headers: [], payload: Buffer.from("User-agent: *") };

function lineOf(result: CrawlLine["result"], ...notes: readonly CrawlNote[]): CrawlLine {
  return {
    ...{ atMs: 7, result, bodyBytes: 0, url: ROBOTS, depth: 0, via: null, mime: null },
    ...{ digest: null, durationMs: 1, attempt: 1, address: "192.0.2.1", place: null },
    notes: [["robots"], ...notes],
  };
}

test("the line of a robots.txt tells for which origin it was fetched", () => {
  const own = replayedRobotsErrand(lineOf(200));
  assert.deepEqual([own?.origin, own?.url, own?.redirects], ["http://a.test", ROBOTS, 0]);
  const url = "https://b.test:8443/rules?x";
  const moved = { ...lineOf(200, ["redirects", "3"]), url, via: ROBOTS };
  const errand = replayedRobotsErrand(moved);
  assert.deepEqual([errand?.origin, errand?.host], ["http://a.test", "b.test"]);
  assert.deepEqual([errand?.url, errand?.redirects], [url, 3]);
  assert.equal(replayedRobotsErrand({ ...lineOf(200), url }), null, "nobody says for which");
});

test("answers and failures are replayed, with their instant", () => {
  const answer = replayedRobots(lineOf(404), ANSWER);
  assert.deepEqual([answer?.atMs, answer?.outcome.kind], [7, "fetched"]);
  for (const notes of [[], [["retry"]]] as const) {
    const { outcome } = replayedRobots(lineOf("FETCH_TIMED_OUT", ...notes), null) ?? {};
    assert.ok(outcome?.kind === "failed" && outcome.error.code === "FETCH_TIMED_OUT");
  }
  const { outcome } = replayedRobots(lineOf(503, ["retry"]), null) ?? {};
  assert.ok(outcome?.kind === "fetched" && outcome.status === 503, "there is only the line");
});

test("a robots.txt whose answer is gone, or was not read, is asked for again", () => {
  assert.equal(replayedRobots(lineOf(200), null), null);
  assert.equal(replayedRobots(lineOf(503), null), null);
  assert.equal(replayedRobots(lineOf(200, ["retry"]), null), null);
  assert.equal(replayedRobots(lineOf("FETCH_TIMED_OUT", ["lost"]), null), null);
});

test("the line of a sitemap tells who named it", () => {
  const levels = [["sitemap"], ["sitemap", "2"], ["retry"]] as const;
  assert.deepEqual(
    levels.map((note) => sitemapLevelOf(lineOf(200, note))),
    [1, 2, null],
  );
});
