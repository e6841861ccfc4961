import assert from "node:assert/strict";
import { test } from "node:test";
import { pageDirectives, readRobots, robotsUrl } from "./robots.ts";

const FILE = `User-agent: mybot
Disallow: /private # not for bots
Allow: /private/open
Crawl-delay: 2
Sitemap: /map.xml
Content-Signal: ai-train=no`;

const BOT = { userAgent: "MyBot/1.0 (+https://example.org/bot)" };

test("URLs and paths are decided, with the line that decided", () => {
  const robots = readRobots(FILE, { ...BOT, url: "https://example.org/robots.txt" });
  assert.equal(robots.allows("https://example.org/private/x?y"), false);
  assert.equal(robots.allows("/private/open"), true);
  assert.deepEqual(robots.decide("https://example.org/private"), {
    ...{ allowed: false, reason: "rule", rule: { text: "Disallow: /private", line: 2 } },
  });
  assert.equal(robots.crawlDelayMs, 2000);
  assert.deepEqual(robots.sitemaps, ["https://example.org/map.xml"]);
  assert.deepEqual(robots.signals, [{ name: "content-signal", value: "ai-train=no", line: 6 }]);
  assert.equal(robots.isTruncated, false);
  assert.deepEqual(readRobots(FILE, BOT).sitemaps, ["/map.xml"]);
  assert.equal(readRobots(Buffer.from(FILE), { userAgent: "other" }).allows("/private"), true);
});

test("the status of the answer decides where there is no file", () => {
  assert.equal(readRobots(FILE, { ...BOT, status: 404 }).allows("/private"), true);
  const { allowed, reason } = readRobots("", { ...BOT, status: 503 }).decide("/");
  assert.deepEqual([allowed, reason], [false, "unreachable"]);
});

test("the robots.txt of a URL is that of its origin", () => {
  assert.equal(robotsUrl("https://Example.org:8443/a?b#c"), "https://example.org:8443/robots.txt");
  assert.equal(robotsUrl("mailto:me@example.org"), null);
  assert.equal(robotsUrl("/a"), null);
});

test("what a page asks comes from headers and elements, for everybody or for this crawler", () => {
  const metas = [{ name: "robots", content: "noarchive" }];
  const asked = pageDirectives({ headers: ["mybot: nofollow", "other: noindex"], metas }, "mybot");
  assert.deepEqual([asked.nofollow, asked.noindex, asked.noarchive], [true, false, true]);
  assert.equal(pageDirectives({}, "mybot").nofollow, false);
});
