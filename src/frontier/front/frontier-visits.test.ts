import assert from "node:assert/strict";
import { test } from "node:test";
import { openToyCrawl } from "../../../test/support/frontier/toy-crawl.ts";

test("a URL is resolved, then robots.txt is asked, then the page, with the delay in between", () => {
  const { lane, offer } = openToyCrawl({});
  offer("http://a.example/x");
  assert.equal(lane.runToEnd(), "done");
  assert.deepEqual(
    lane.log.map(({ kind, what, atMs }) => `${kind} ${what} ${atMs}`),
    [
      "resolve a.example 0",
      "robots http://a.example/robots.txt 10",
      "page http://a.example/x 1110",
    ],
  );
  assert.equal(lane.ends.get("http://a.example/x"), "200");
});

test("a URL that was offered before is not fetched again", () => {
  const { lane, offer, frontier } = openToyCrawl({});
  offer("http://a.example/x");
  offer("http://a.example/x");
  lane.runToEnd();
  offer("http://a.example/x");
  lane.runToEnd();
  assert.equal(lane.log.filter(({ kind }) => kind === "page").length, 1);
  assert.equal(frontier.status().urls, 1);
});

test("URLs of one host are fetched in the order in which they were found", () => {
  const { lane, offer } = openToyCrawl({});
  const urls = Array.from({ length: 300 }, (_, number) => `http://a.example/${number}`);
  for (const url of urls) offer(url);
  assert.equal(lane.runToEnd(), "done");
  const pages = lane.log.filter(({ kind }) => kind === "page").map(({ what }) => what);
  assert.deepEqual(pages, urls);
});

test("http and https of one host, and its spelling with a dot, are polite to one another", () => {
  const { lane, offer } = openToyCrawl({ connections: 10 });
  const urls = ["http://a.example/1", "https://a.example/2", "https://a.example.:8443/3"];
  for (const url of urls) offer(url);
  assert.equal(lane.runToEnd(), "done");
  assert.deepEqual([...lane.ends.keys()], urls);
  assert.equal(lane.log.filter(({ kind }) => kind === "robots").length, 3);
  assert.equal(lane.log.filter(({ kind }) => kind === "resolve").length, 1);
});
