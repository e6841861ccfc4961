/**
 * What becomes of URLs that cannot be fetched: each ends once, with its reason, and nothing hangs.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { linking, withWeb } from "../support/agent/crawl-rig.ts";
import type { TablePage } from "../support/lab/table-web.ts";

const busy = (status: number, retryAfter?: string): TablePage => ({
  status,
  headers: retryAfter === undefined ? [] : [["Retry-After", retryAfter]],
});

test("429, 503 and resets are tried again and only the last answer counts", async () => {
  const good = { body: "<p>at last" };
  const pages = {
    "/": linking("/busy", "/unavailable", "/reset", "/always-busy", "/always-reset"),
    "/busy": { ...good, first: [busy(429), busy(429)] },
    "/unavailable": { ...good, body: "<p>open again", first: [busy(503)] },
    "/reset": { body: "<p>back", first: [{ oddity: "reset-before-head" as const }] },
    "/always-busy": busy(429),
    "/always-reset": { oddity: "reset-before-head" as const },
  };
  await withWeb(
    () => ({ "a.test": { pages } }),
    async (web) => {
      const { code, summary, lines, records } = await web.crawl(["a.test/"]);
      assert.equal(code, 0);
      assert.deepEqual(summary?.status, { 200: 4, 429: 1 });
      assert.deepEqual(summary?.errors, { FETCH_DISCONNECTED: 1 });
      assert.equal(summary?.fetches, 1 + 3 + 2 + 2 + 3 + 3);
      assert.equal(lines.length, summary?.fetches);
      const attempts = lines.filter(({ url }) => url.endsWith("/busy"));
      assert.deepEqual(
        attempts.map(({ result, attempt, notes }) => [result, attempt, notes[0]?.[0]]),
        [
          [429, 1, "retry"],
          [429, 2, "retry"],
          [200, 3, "links"],
        ],
      );
      const answers = records.filter(({ type }) => type === "response");
      assert.equal(answers.length, 5, "only final answers are stored");
    },
  );
});

test("a pause that a host asks for is granted, up to the longest wait", async () => {
  const pages = { "/": { body: "<p>now", first: [busy(503, "3600")] } };
  await withWeb(
    () => ({ "a.test": { pages } }),
    async (web) => {
      const longest = ["--set", "fetch.retryMaxWait=300ms"];
      const { summary } = await web.crawl(["a.test/"], longest);
      assert.equal(summary?.pages, 1);
      const [first, second] = web.entries.filter(({ isRobots }) => !isRobots);
      const gapMs = (second?.startMs ?? 0) - (first?.endMs ?? 0);
      assert.ok(gapMs >= 299, `it came back after ${gapMs} ms`);
    },
  );
});

test("a robots.txt that cannot be fetched closes its host, and is tried as often as any page", async () => {
  const pages = { "/robots.txt": { status: 500 }, "/": linking("/x"), "/x": { body: "x" } };
  await withWeb(
    () => ({ "a.test": { pages } }),
    async (web) => {
      const { code, summary, lines, terminal } = await web.crawl(["a.test/"]);
      assert.equal(code, 5);
      assert.deepEqual(summary?.refused, { "robots-unreachable": 1 });
      assert.deepEqual([web.asked, lines], [[], []]);
      assert.equal(web.entries.length, 3);
      assert.match(terminal.said, /no page could be fetched: robots-unreachable \(1\)/);
    },
  );
});

test("each URL of a host that does not exist ends with the reason", async () => {
  await withWeb(
    (port) => ({
      "a.test": {
        pages: {
          "/": linking(
            `http://missing.test:${port}/1`,
            `http://missing.test:${port}/2`,
            `http://failing.test:${port}/`,
            `http://silent.test:${port}/`,
            "http://a.test:1/",
            `http://deaf.test:${port}/x`,
          ),
        },
      },
      "failing.test": { dns: { failure: "server-failure" } },
      "silent.test": { dns: { failure: "silence" } },
      "deaf.test": { pages: { "/robots.txt": { status: 404 }, "/x": { oddity: "garbage" } } },
    }),
    async (web) => {
      const quick = ["--scope", "any", "--set", "dns.timeout=100ms"];
      const { summary, lines, folder } = await web.crawl(["a.test/"], quick);
      assert.ok(!existsSync(join(folder, "logs/faults.log")), "failing names are not faults");
      assert.deepEqual(summary?.errors, {
        DNS_NOT_FOUND: 2,
        DNS_SERVER_FAILED: 1,
        DNS_TIMED_OUT: 1,
        FETCH_PROTOCOL: 1,
      });
      // Where nothing listens robots.txt cannot be fetched either.
      assert.deepEqual(summary?.refused, { "robots-unreachable": 1 });
      const dead = lines.filter(({ result }) => String(result).startsWith("DNS_"));
      assert.equal(dead.length, 4);
      for (const { notes, address } of dead)
        assert.deepEqual([notes, address], [[["unfetched"]], null]);
    },
  );
});

test("where nothing listens pages end with FETCH_CONNECT_FAILED if robots.txt is ignored", async () => {
  await withWeb(
    () => ({ "a.test": {} }),
    async (web) => {
      const { code, summary, lines, terminal } = await web.crawl(
        ["http://a.test:1/", "http://a.test:1/other"],
        ["--ignore-robots"],
      );
      assert.equal(code, 5);
      assert.deepEqual(summary?.errors, { FETCH_CONNECT_FAILED: 2 });
      assert.equal(lines.filter(({ notes }) => notes.length === 0).length, 1);
      assert.match(terminal.said, /no page could be fetched: FETCH_CONNECT_FAILED \(2\)/);
    },
  );
});

test("an address that is not allowed is reported with the remedy", async () => {
  await withWeb(
    () => ({ "a.test": {} }),
    async (web) => {
      const { code, terminal } = await web.crawl(["a.test/"], ["--set", "fetch.allowAddresses=[]"]);
      assert.equal(code, 5);
      assert.match(terminal.said, /address.*--allow-private/s);
      const port = await web.crawl(["a.test/"], ["--set", "fetch.ports=[80]"]);
      assert.equal(port.code, 5);
      assert.match(port.terminal.said, /port \(1\).*--allow-private/s);
    },
  );
});

test("duplicates and near duplicates are counted, and stored as the contract says", async () => {
  // Different words of letters only: digits do not count, and then all words would be one, and the
  // one that is added would decide half of the hash, under the crawl's secret as it happens to be.
  const letters = (number: number): string =>
    [...String(number)].map((digit) => "bcdfghklmn"[Number(digit)]).join("a");
  const words = Array.from({ length: 3000 }, (_, index) => letters(10_000 + index * 7)).join(" ");
  const same = { body: `<p>${words}` };
  const pages = {
    "/": linking("/one", "/same", "/stripped", "/near"),
    "/one": same,
    "/same": same,
    "/stripped": { body: `<p class="other">${words}` },
    "/near": { body: `<p>${words} !` },
  };
  await withWeb(
    () => ({ "a.test": { pages } }),
    async (web) => {
      const { summary, records, lines } = await web.crawl(["a.test/"]);
      assert.equal(summary?.pages, 5);
      assert.deepEqual([summary?.duplicates, summary?.nearDuplicates], [2, 1]);
      const typeOf = (path: string) =>
        records.find(({ type, targetUri }) => type !== "request" && targetUri === web.url(path))
          ?.type;
      assert.equal(typeOf("a.test/same"), "revisit");
      assert.equal(typeOf("a.test/stripped"), "response");
      const noted = lines.flatMap(({ notes }) => notes.map(([word]) => word)).sort();
      assert.deepEqual(
        noted.filter((word) => word !== "links"),
        ["duplicate", "near-duplicate", "same-text"],
      );
    },
  );
});

test("a page whose compressed content is damaged is kept, but its links are not followed", async () => {
  const { gzipSync } = await import("node:zlib");
  const links = Array.from(
    { length: 300 },
    (_, index) => `<a href="/page-${index * 37}">${index}</a>`,
  );
  const packed = Buffer.from(gzipSync(links.join("\n")));
  packed.fill(0x5a, packed.length >> 1, (packed.length >> 1) + 16);
  const headers = [["Content-Type", "text/html"] as const, ["Content-Encoding", "gzip"] as const];
  await withWeb(
    () => ({ "a.test": { pages: { "/": { body: packed, headers } } } }),
    async (web) => {
      const { summary, lines } = await web.crawl(["a.test/"]);
      assert.equal(summary?.pages, 1);
      assert.deepEqual(lines[0]?.notes, [["damaged"], ["links", "0"]]);
    },
  );
});
