/**
 * The account of a crawl: its summary, its log, its archive and what the web saw say the same, and
 * every URL that was found ends in exactly one way.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrawlSummary } from "../../src/agent/index.ts";
import { type CrawlLine, isFinal, noteOf } from "../../src/store/archive/index.ts";
import { type EndedCrawl, type Hosts, linking, withWeb } from "../support/agent/crawl-rig.ts";

const MIXED: Hosts = (port) => ({
  "a.test": {
    pages: {
      "/robots.txt": { body: "User-agent: *\nDisallow: /closed\n" },
      "/": linking(
        ...["/1", "/2", "/copy", "/moved", "/gone", "/closed", "/busy", "/broken", "/no-archive"],
        ...[`http://b.test:${port}/`, `http://missing.test:${port}/x`, "mailto:x@y", "/1#again"],
        ...[`http://closed.test:${port}/1`, `http://closed.test:${port}/2`],
      ),
      "/1": linking("/", "/2", "/3"),
      "/2": { body: "<p>two of a kind" },
      "/copy": { body: "<p>two of a kind" },
      "/3": { body: "x".repeat(5000), headers: [["Content-Type", "text/plain"]] },
      "/moved": { status: 301, headers: [["Location", "/1"]] },
      "/busy": { body: "<p>at last", first: [{ status: 503 }] },
      "/broken": { oddity: "close-mid-body", body: "<p>the half of it ".repeat(40) },
      "/no-archive": { body: "<meta name=robots content=noarchive>secret" },
    },
  },
  "b.test": { pages: { "/": linking("/empty"), "/empty": { status: 204, headers: [] } } },
  "closed.test": { pages: { "/robots.txt": { status: 503 } } },
});

test("summary, log, archive and access log agree", async () => {
  await withWeb(MIXED, async (web) => {
    const ended = await web.crawl(["a.test/"], ["--scope", "any"]);
    const { summary, lines } = ended;
    assert.ok(summary !== null);
    const fetched = lines.filter((line) => noteOf(line, "unfetched") === null);
    assert.equal(summary.fetches, fetched.length);
    assert.equal(web.asked.length, fetched.length);
    assert.deepEqual(summary.refused, {
      robots: 1,
      "robots-unreachable": 2,
      "scheme-unsupported": 1,
    });
    assertEachEndsOnce(summary, lines);
    assertTallies(summary, lines);
    assertArchive(ended, lines);
  });
});

function assertEachEndsOnce(summary: CrawlSummary, lines: readonly CrawlLine[]): void {
  const final = lines.filter(isFinal).map(({ url }) => url);
  assert.equal(new Set(final).size, final.length, "no URL ends twice");
  const retried = lines.filter((line) => !isFinal(line)).map(({ url }) => url);
  for (const url of retried) assert.ok(final.includes(url), `${url} ends after its tries`);
  // The rest was refused after it was taken in.
  const { robots = 0, "robots-unreachable": unreachable = 0 } = summary.refused;
  assert.equal(final.length + robots + unreachable, summary.urls);
  assert.equal(summary.queued, 0);
}

function assertTallies(summary: CrawlSummary, lines: readonly CrawlLine[]): void {
  const final = lines.filter(isFinal);
  const status: Record<string, number> = {};
  const errors: Record<string, number> = {};
  for (const { result } of final) {
    const tally = typeof result === "number" ? status : errors;
    tally[result] = (tally[result] ?? 0) + 1;
  }
  assert.deepEqual(summary.status, status);
  assert.deepEqual(summary.errors, errors);
  const pages = final.filter(({ result }) => typeof result === "number" && result < 300);
  assert.equal(summary.pages, pages.length);
  assert.equal(
    summary.bytes,
    lines.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0),
  );
  const repeated = (line: CrawlLine) =>
    noteOf(line, "duplicate") !== null || noteOf(line, "same-text") !== null;
  assert.equal(summary.duplicates, final.filter(repeated).length);
}

function assertArchive({ records }: EndedCrawl, lines: readonly CrawlLine[]): void {
  const answers = records.filter(({ type }) => /response|revisit|metadata/.test(type));
  const stored = lines.filter(({ place }) => place !== null);
  assert.deepEqual(
    answers.map(({ targetUri }) => targetUri).sort(),
    stored.map(({ url }) => url).sort(),
  );
  const answered = lines.filter((line) => isFinal(line) && typeof line.result === "number");
  assert.equal(stored.length, answered.length, "every final answer has its record");
  const requests = records.filter(({ type }) => type === "request").length;
  assert.equal(requests, answers.filter(({ type }) => type !== "metadata").length);
}

test("links that are too long are counted, however long they are", async () => {
  const lengths = [3000, 70_000, 5_000_000 / 4];
  await withWeb(
    () => ({
      "a.test": {
        pages: {
          "/": linking("/1", ...lengths.map((n) => `/${"x".repeat(n)}`)),
          "/1": { body: "one" },
        },
      },
    }),
    async (web) => {
      const { summary } = await web.crawl(["a.test/"]);
      assert.equal(summary?.pages, 2);
      assert.deepEqual(summary.refused, { "url-too-long": lengths.length });
    },
  );
});

test("a crawl that is cut short by a limit accounts for what is left", async () => {
  await withWeb(MIXED, async (web) => {
    const { summary, lines } = await web.crawl(["a.test/"], ["-n", "3", "--scope", "any"]);
    assert.ok(summary !== null);
    assert.equal(summary.pages, 3);
    const final = lines.filter(isFinal).length;
    const { robots = 0, "robots-unreachable": unreachable = 0 } = summary.refused;
    assert.equal(final + robots + unreachable + summary.queued, summary.urls);
    assertTallies(summary, lines);
  });
});
