import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError, ERRORS } from "../../base/errors/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import type { Settlement } from "../../frontier/front/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { REFUSALS } from "./refusal-table.ts";
import { SeedWatch } from "./seed-watch.ts";

const FINAL: Settlement = { kind: "final" };
const AGAIN: Settlement = { kind: "again", atMs: 500 };
const LOST = new CrawlError("FETCH_DISCONNECTED", "Lost http://a.test/. Do something.");

function ticketOf(url: string): Ticket {
  const fixed = { high: 1, low: 2, depth: 0, via: null, redirects: 0, priority: 0 };
  return { ...fixed, url: url as FetchableUrl };
}

function watching(...urls: readonly string[]) {
  const told: [string, string, number | null][] = [];
  const watch = new SeedWatch({ tell: ({ url, why }, atMs) => told.push([url, why, atMs]) });
  for (const url of urls) watch.add(url as FetchableUrl);
  return { watch, told };
}

test("a seed is reported once, however often it fails, and listed when it is not tried again", () => {
  const { watch, told } = watching("http://a.test/");
  watch.failed(ticketOf("http://a.test/"), LOST, AGAIN);
  watch.failed(ticketOf("http://a.test/"), LOST, AGAIN);
  assert.deepEqual(told, [["http://a.test/", "FETCH_DISCONNECTED", 500]]);
  assert.equal(watch.failures.length, 1, "it failed so far");
  watch.failed(ticketOf("http://a.test/"), LOST, FINAL);
  assert.equal(told.length, 1);
  assert.deepEqual(watch.failures, [
    {
      url: "http://a.test/",
      why: "FETCH_DISCONNECTED",
      message: "Lost http://a.test/.",
      remedy: ERRORS.FETCH_DISCONNECTED.remedy,
    },
  ]);
});

test("failures of other URLs, and of a seed that gave a page, are not reported", () => {
  const { watch, told } = watching("http://a.test/");
  watch.failed(ticketOf("http://a.test/other"), LOST, FINAL);
  watch.answered(ticketOf("http://a.test/"), 200, FINAL);
  watch.failed(ticketOf("http://a.test/"), LOST, FINAL);
  assert.deepEqual([told, watch.failures], [[], []]);
});

test("the failure of a host is a failure of all its seeds, and of no others", () => {
  const { watch, told } = watching("http://a.test/1", "https://a.test./2", "http://b.test/");
  watch.hostFailing("a.test", new CrawlError("DNS_TIMED_OUT", "No answer."));
  watch.hostFailed("a.test", AGAIN);
  assert.deepEqual(
    told.map(([url]) => url),
    ["http://a.test/1", "https://a.test./2"],
  );
  watch.unfetched(ticketOf("http://a.test/1"), "DNS_TIMED_OUT");
  assert.deepEqual(
    watch.failures.map(({ url, message }) => [url, message]),
    [
      ["http://a.test/1", "No answer."],
      ["https://a.test./2", "No answer."],
    ],
  );
});

test("only the first of many seeds are watched, and only the first failures kept", () => {
  const urls = Array.from({ length: 3000 }, (_, at) => `http://a.test/${at}`);
  const { watch, told } = watching(...urls);
  for (const url of urls) watch.failed(ticketOf(url), LOST, AGAIN);
  assert.deepEqual([told.length, watch.failures.length], [1000, 100], "those that wait, too");
  for (const url of urls) watch.failed(ticketOf(url), LOST, FINAL);
  assert.deepEqual([told.length, watch.failures.length], [1000, 100]);
});

test("a seed is followed through its redirects and reported once, under its own URL", () => {
  const { watch, told } = watching("http://a.test/");
  watch.failed(ticketOf("http://a.test/"), LOST, AGAIN);
  watch.redirected(ticketOf("http://a.test/"), "http://b.test/" as FetchableUrl, true);
  watch.failed(ticketOf("http://b.test/"), LOST, AGAIN);
  watch.hostFailing("b.test", LOST);
  watch.hostFailed("b.test", AGAIN);
  assert.deepEqual(told, [["http://a.test/", "FETCH_DISCONNECTED", 500]]);
  assert.deepEqual(
    watch.failures.map(({ url }) => url),
    ["http://a.test/"],
  );
  watch.answered(ticketOf("http://b.test/"), 200, FINAL);
  watch.failed(ticketOf("http://b.test/"), LOST, FINAL);
  assert.deepEqual([told.length, watch.failures], [1, []], "it became a page");
});

test("a refused connection at another address does not hide what the first one answered", () => {
  const { watch } = watching("https://a.test/", "https://b.test/");
  const noTls = new CrawlError("FETCH_TLS_FAILED", "TLS failed.");
  const closed = new CrawlError("FETCH_CONNECT_FAILED", "Nobody listens.");
  watch.hostFailing("a.test", noTls);
  watch.hostFailed("a.test", AGAIN);
  watch.hostFailing("a.test", closed);
  const ticket = ticketOf("https://a.test/");
  watch.refused({ ticket, reason: "robots-unreachable", cause: "FETCH_CONNECT_FAILED" });
  watch.failed(ticketOf("https://b.test/"), closed, AGAIN);
  watch.failed(ticketOf("https://b.test/"), noTls, AGAIN);
  watch.failed(ticketOf("https://b.test/"), closed, FINAL);
  assert.deepEqual(
    watch.failures.map(({ why, remedy }) => [why, remedy.includes("with http")]),
    [
      ["FETCH_TLS_FAILED", true],
      ["FETCH_TLS_FAILED", true],
    ],
  );
});

test("a failure before a redirect is not attributed to its target", () => {
  const { watch } = watching("https://a.test/");
  watch.failed(ticketOf("https://a.test/"), new CrawlError("FETCH_TLS_FAILED", "No TLS."), AGAIN);
  watch.redirected(ticketOf("https://a.test/"), "http://b.test/" as FetchableUrl, true);
  const closed = new CrawlError("FETCH_CONNECT_FAILED", "Nobody listens.");
  watch.failed(ticketOf("http://b.test/"), closed, FINAL);
  assert.equal(watch.failures[0]?.why, "FETCH_CONNECT_FAILED");
});

test("for a seed that needs a password the remedy says where to put it", () => {
  const { watch } = watching("http://a.test/");
  watch.answered(ticketOf("http://a.test/"), 401, FINAL);
  assert.match(watch.failures[0]?.remedy ?? "", /user:password@.*fetch\.credentials/);
});

test("the remedy for a name that is not found mentions this machine's network", () => {
  assert.match(ERRORS.DNS_NOT_FOUND.remedy, /spelling.*network.*dns\.servers/);
});

test("every error and every refusal says what to do", () => {
  for (const [name, { meaning, remedy }] of [
    ...Object.entries<{ meaning: string; remedy: string }>(ERRORS),
    ...Object.entries(REFUSALS),
  ]) {
    assert.ok(meaning.length > 10 && remedy.length > 10, name);
    assert.match(remedy, /[.!)]$/, name);
    assert.doesNotMatch(remedy, /the fact `/, `${name}: facts are for programs`);
  }
});
