/** Sitemaps as a source of seeds: named by robots.txt, by an index, packed, moved, hostile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { linking, withWeb } from "../support/agent/crawl-rig.ts";

const urlset = (...urls: readonly string[]): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
  `${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`;
const index = (...urls: readonly string[]): string =>
  `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
  `${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join("")}</sitemapindex>`;
const xml = [["Content-Type", "application/xml"]] as const;
const ON = ["--set", "sitemaps=true"];

test("entries are seeds within the scope, also from packed sitemaps of an index", async () => {
  await withWeb(
    (port) => {
      const at = (host: string, path: string): string => `http://${host}:${port}${path}`;
      const sitemaps = [at("a.test", "/index.xml"), at("a.test", "/moved.xml"), "/list.txt"];
      const packed = gzipSync(urlset(at("a.test", "/packed"), at("b.test", "/outside")));
      return {
        "a.test": {
          pages: {
            "/robots.txt": { body: sitemaps.map((one) => `Sitemap: ${one}\n`).join("") },
            "/": linking(),
            "/index.xml": {
              headers: xml,
              body: index(
                at("a.test", "/1.xml.gz"),
                at("a.test", "/deeper.xml"),
                at("b.test", "/s.xml"),
              ),
            },
            "/1.xml.gz": { headers: [["Content-Type", "application/octet-stream"]], body: packed },
            // An index in an index is not followed.
            "/deeper.xml": { headers: xml, body: index(at("a.test", "/deepest.xml")) },
            "/moved.xml": { status: 302, headers: [["Location", "/new.xml"]] },
            "/new.xml": { headers: xml, body: urlset(at("a.test", "/found")) },
            "/list.txt": {
              headers: [["Content-Type", "text/plain"]],
              body: `${at("a.test", "/listed")}\n`,
            },
            "/found": linking("/beyond"),
            "/packed": { body: "packed" },
            "/listed": { status: 301, headers: [["Location", at("c.test", "/")]] },
            "/beyond": { body: "beyond" },
          },
        },
      };
    },
    async (web) => {
      const without = await web.crawl(["a.test/"]);
      assert.equal(without.summary?.pages, 1);
      const { summary, lines } = await web.crawl(["a.test/"], [...ON, "-d", "0"]);
      const asked = web.asked.slice(1).map((place) => place.replace("a.test", ""));
      assert.deepEqual(
        asked.sort(),
        ["/", "/1.xml.gz", "/deeper.xml", "/found", "/index.xml", "/list.txt", "/listed"].concat([
          ...["/moved.xml", "/new.xml", "/packed"],
        ]),
      );
      const depths = lines.map(({ depth }) => depth);
      assert.ok(depths.every((depth) => depth === 0));
      assert.equal(summary?.refused["sitemap-depth"], 1);
      // The entry outside, the sitemap outside, and where the entry that moved leads.
      assert.equal(summary?.refused["scope"], 3);
      const followed = await web.crawl(["a.test/"], ON);
      assert.ok(followed.lines.some(({ url }) => url.endsWith("/beyond")));
    },
  );
});

test("of a list of URLs that broke off, the line that was cut in two is not asked for", async () => {
  await withWeb(
    (port) => {
      const line = `http://a.test:${port}/whole`;
      const list = { headers: [["Content-Type", "text/plain"]] as const };
      // The first half of the body ends inside its second line.
      const body = `${line}\n${line.padEnd(5 * line.length, "-again")}\n`;
      return {
        "a.test": {
          pages: {
            "/robots.txt": { body: `Sitemap: http://a.test:${port}/list.txt\n` },
            "/": linking(),
            "/list.txt": { ...list, body, oddity: "close-mid-body" },
            "/whole": { body: "whole" },
          },
        },
      };
    },
    async (web) => {
      await web.crawl(["a.test/"], ON);
      assert.deepEqual(web.asked.sort(), ["a.test/", "a.test/list.txt", "a.test/whole"]);
    },
  );
});

test("sitemaps of foreign hosts, and more than the limit, are refused", async () => {
  const count = 210;
  await withWeb(
    (port) => {
      const at = (host: string, path: string): string => `http://${host}:${port}${path}`;
      const own = Array.from({ length: count }, (_, number) => at("a.test", `/s${number}.xml`));
      const named = [at("foreign.test", "/s.xml"), at("a.test", "/moved.xml"), ...own];
      return {
        "a.test": {
          pages: {
            "/robots.txt": { body: named.map((one) => `Sitemap: ${one}\n`).join("") },
            "/": linking(),
            "/moved.xml": { status: 302, headers: [["Location", at("foreign.test", "/s.xml")]] },
            "/s0.xml": { headers: xml, body: urlset(at("a.test", "/found")) },
            "/found": { body: "found" },
          },
        },
        "foreign.test": { pages: { "/s.xml": { headers: xml, body: urlset(at("a.test", "/x")) } } },
      };
    },
    async (web) => {
      const { summary } = await web.crawl(["a.test/"], ON);
      assert.deepEqual(
        web.entries.filter(({ host }) => host !== "a.test"),
        [],
        "nothing is asked of the foreign host",
      );
      assert.ok(web.asked.includes("a.test/found"));
      assert.equal(web.asked.filter((place) => /s\d+\.xml$/.test(place)).length, 198);
      assert.deepEqual(summary?.refused, { scope: 2, "sitemap-limit": 12 });
      const refused = await web.crawl(["a.test/"], [...ON, "--exclude", "*/s0.xml"]);
      assert.equal(refused.summary?.refused["filter-schedule"], 1);
    },
  );
});

test("a robots.txt that has moved applies to the host that was asked, and to no other", async () => {
  await withWeb(
    (port) => {
      const at = (host: string, path: string): string => `http://${host}:${port}${path}`;
      const sitemaps = [at("a.test", "/own.xml"), at("b.test", "/foreign.xml")];
      return {
        "a.test": {
          pages: {
            "/robots.txt": { status: 302, headers: [["Location", at("b.test", "/rules.txt")]] },
            "/": linking(),
            "/own.xml": { headers: xml, body: urlset(at("a.test", "/found")) },
            "/found": { body: "found" },
          },
        },
        "b.test": {
          pages: {
            "/rules.txt": { body: sitemaps.map((one) => `Sitemap: ${one}\n`).join("") },
            "/foreign.xml": { headers: xml, body: urlset(at("a.test", "/lured")) },
          },
        },
      };
    },
    async (web) => {
      const { summary } = await web.crawl(["a.test/"], ON);
      assert.deepEqual(web.asked.filter((place) => place !== "b.test/rules.txt").sort(), [
        "a.test/",
        "a.test/found",
        "a.test/own.xml",
      ]);
      assert.deepEqual(summary?.refused, { scope: 1 });
    },
  );
});
