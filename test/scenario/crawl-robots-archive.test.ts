/**
 * robots.txt and sitemaps in the archive and the crawl log: kept like pages, but not counted as
 * such.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseHttpBlock } from "../../src/formats/warc/index.ts";
import type { CrawlLine } from "../../src/store/archive/index.ts";
import { linking, withWeb } from "../support/agent/crawl-rig.ts";

const RULES = "User-agent: *\nDisallow: /private\n";

function told({ url, result, notes }: CrawlLine): string {
  const words = notes.map(([word]) => word).join(" ");
  return `${url.replace(/^http:\/\/([^:]*):\d+/, "$1")} ${result} ${words}`;
}

test("every robots.txt is logged, and its last answer archived as request and response", async () => {
  await withWeb(
    (port) => ({
      "a.test": {
        pages: {
          "/robots.txt": { body: RULES },
          "/": linking(...["b", "c", "d"].map((host) => `http://${host}.test:${port}/`)),
          "/same": { body: RULES },
        },
      },
      "b.test": { pages: { "/": linking("/same"), "/same": { body: RULES } } },
      "c.test": {
        pages: {
          "/robots.txt": { status: 302, headers: [["Location", "/rules"]] },
          "/rules": { body: RULES },
          "/": { body: "c" },
        },
      },
      "d.test": { pages: { "/robots.txt": { status: 503 }, "/": { body: "d" } } },
    }),
    async (web) => {
      const ended = await web.crawl(["a.test/"], ["--scope", "any"]);
      const { summary, lines, records, robotsLines, robotsRecords } = ended;
      assert.deepEqual(robotsLines.map(told).toSorted(), [
        "a.test/robots.txt 200 robots",
        "b.test/robots.txt 404 robots",
        "c.test/robots.txt 302 robots redirect",
        "c.test/rules 200 robots redirects",
        "d.test/robots.txt 503 robots",
        "d.test/robots.txt 503 robots retry",
        "d.test/robots.txt 503 robots retry",
      ]);
      assert.deepEqual(
        robotsRecords.map(({ type }) => type).toSorted(),
        Array.from({ length: 10 }, (_, index) => (index < 5 ? "request" : "response")),
      );
      for (const record of robotsRecords) {
        const { payload, startLine } = parseHttpBlock(record.block) ?? assert.fail();
        if (record.type === "request") assert.match(startLine, /^GET \/(?:robots\.txt|rules) HTTP/);
        else if (record.targetUri?.startsWith("http://a.test")) {
          assert.equal(Buffer.from(payload).toString(), RULES);
        }
      }
      // Not pages: neither counted, nor the originals of what has the same body.
      assert.deepEqual([summary?.pages, summary?.fetches, lines.length], [4, 4, 4]);
      assert.deepEqual(
        records.filter(({ type }) => type === "revisit"),
        [],
      );
    },
  );
});

test("a robots.txt that cannot be fetched is in the log with its code", async () => {
  await withWeb(
    () => ({ "a.test": { pages: { "/": { body: "a" } } } }),
    async (web) => {
      const closed = "http://127.0.0.1:9/";
      const { robotsLines, robotsRecords } = await web.crawl([closed]);
      assert.ok(robotsLines.length > 0);
      assert.deepEqual(
        new Set(robotsLines.map(({ result }) => result)),
        new Set(["FETCH_CONNECT_FAILED"]),
      );
      assert.deepEqual(robotsRecords, []);
    },
  );
});

test("sitemaps are archived and logged, and count as nothing else", async () => {
  const xml = [["Content-Type", "application/xml"]] as const;
  await withWeb(
    (port) => {
      const sitemap = `<urlset><url><loc>http://a.test:${port}/listed</loc></url></urlset>`;
      const gone = `http://a.test:${port}/gone.xml`;
      const robots = ["/1.xml", "/2.xml"].map((path) => `Sitemap: http://a.test:${port}${path}\n`);
      return {
        "a.test": {
          pages: {
            "/robots.txt": { body: `${robots.join("")}Sitemap: ${gone}\n` },
            "/": { body: "a" },
            "/1.xml": { headers: xml, body: sitemap },
            "/2.xml": { headers: xml, body: sitemap },
            "/listed": { body: "listed" },
          },
        },
      };
    },
    async (web) => {
      const rows = join(web.folder, "pages.jsonl");
      const ended = await web.crawl(["a.test/"], ["--set", "sitemaps=true", "--pages", rows]);
      const { summary, lines, records } = ended;
      assert.deepEqual(lines.map(told).toSorted(), [
        "a.test/ 200 links",
        "a.test/1.xml 200 sitemap links",
        "a.test/2.xml 200 sitemap links",
        "a.test/gone.xml 404 sitemap",
        "a.test/listed 200 links",
      ]);
      assert.deepEqual([summary?.pages, summary?.fetches, summary?.duplicates], [2, 2, 0]);
      assert.deepEqual(summary?.status, { 200: 2 });
      const ofSitemaps = records.filter(({ targetUri }) => targetUri?.endsWith(".xml"));
      assert.deepEqual(ofSitemaps.map(({ type }) => type).toSorted(), [
        "request",
        "request",
        "request",
        "response",
        "response",
        "response",
      ]);
      const urls = readFileSync(rows, "utf8")
        .trim()
        .split("\n")
        .map((row) => JSON.parse(row).url.replace(/^.*:\d+/, ""));
      assert.deepEqual(urls.toSorted(), ["/", "/listed"]);
    },
  );
});
