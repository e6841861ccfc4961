import assert from "node:assert/strict";
import { test } from "node:test";
import { isCrawlError } from "../../../base/errors/index.ts";
import { SeededRandom } from "../../../base/random/index.ts";
import type { FetchableUrl } from "../../../formats/url/index.ts";
import type { Ticket } from "../../../frontier/ticket/index.ts";
import { noteOf } from "../../../store/archive/index.ts";
import { printKeptPage } from "./print-kept-page.ts";
import { givenPage, printSentPage, readSentPage, type SentMessage } from "./sent-page.ts";

const URL = "http://a.example/\u00e4";
const WHOLE: SentMessage = {
  row: {
    ...{ url: URL, status: 200, error: null, mime: "text/html", bytes: 5, digest: "sha1:ABC" },
    ...{ truncated: "length", redirectTo: null, fetchedAt: "2030-01-01T00:00:00.000Z" },
  },
  ...{ from: "one.3", redirects: 2, hostDepth: 4 },
  answer: {
    ...{ kind: "whole", reason: "OK", headers: [["Content-Type", "text/html"]] },
    request: { head: "GET / HTTP/1.1\r\n\r\n", protocol: "h2" },
    ...{ address: "192.0.2.1", payload: Buffer.from([0, 255, 10, 13, 0]) },
  },
};
const HEAD = { reason: "Fine", headers: [["X", "\u00e9\u0001\ud800"]] as const };
const FOUND: SentMessage = {
  ...WHOLE,
  answer: { kind: "found", at: "far.1", page: printKeptPage({ ...HEAD, parsed: null }) },
};
const TICKET: Ticket = {
  ...{ url: URL as FetchableUrl, high: 1, low: 2, depth: 3, via: "http://b.example/" },
  ...{ redirects: 0, priority: 0 },
};

function given(message: SentMessage) {
  return givenPage(message, TICKET, () => undefined);
}

test("a page comes back as it was sent, in each of its forms", () => {
  const failed = { ...WHOLE.row, status: 0, error: "FETCH_TIMED_OUT" } as const;
  for (const message of [
    WHOLE,
    FOUND,
    { ...WHOLE, hostDepth: null, answer: { kind: "none" } },
    { ...WHOLE, row: failed, answer: { kind: "none" } },
  ] satisfies SentMessage[]) {
    assert.deepEqual(readSentPage(printSentPage(message), URL), message);
  }
});

test("a lane gets it as it was fetched, with where it came from", () => {
  const { errand, page } = given(WHOLE);
  const { ticket, address } = errand;
  assert.deepEqual([ticket.redirects, ticket.hostDepth, address], [2, 4, "192.0.2.1"]);
  const { line, outcome, stored, sent } = page;
  assert.deepEqual([noteOf(line, "from"), noteOf(line, "kept")], ["one.3", null]);
  assert.deepEqual([line.atMs, line.depth, stored], [Date.parse("2030-01-01"), 3, null]);
  assert.ok(outcome.kind === "fetched");
  assert.deepEqual([outcome.status, outcome.truncatedBy], [200, "length"]);
  assert.deepEqual([outcome.request?.protocol, outcome.body.lengthBytes], ["h2", 5]);
  assert.equal(sent?.absent, null);
});

test("without its body it has the head of its answer, and says who keeps the rest", () => {
  const { line, outcome, sent } = given(FOUND).page;
  assert.equal(noteOf(line, "kept"), "far.1");
  assert.ok(outcome.kind === "fetched");
  assert.deepEqual([outcome.reason, outcome.headers], [HEAD.reason, HEAD.headers]);
  assert.deepEqual([outcome.body.lengthBytes, sent?.absent?.bodyBytes], [0, 5]);
  assert.equal(sent?.absent?.kept?.at, "far.1");
});

test("a failure stays one; of an answer that nobody has, its status and its target are known", () => {
  const row = { ...WHOLE.row, status: 0, error: "FETCH_TIMED_OUT" } as const;
  const failed = given({ ...WHOLE, row, answer: { kind: "none" } }).page.outcome;
  assert.ok(failed.kind === "failed" && failed.error.code === "FETCH_TIMED_OUT");
  const moved = { ...WHOLE.row, status: 301, redirectTo: "http://c.example/" };
  const { outcome, sent } = given({ ...WHOLE, row: moved, answer: { kind: "none" } }).page;
  assert.ok(outcome.kind === "fetched");
  assert.deepEqual([outcome.status, outcome.headers], [301, [["Location", "http://c.example/"]]]);
  assert.deepEqual(sent?.absent, { bodyBytes: 5, kept: null });
});

test("what is cut off or altered is refused, or read as something else; nothing is thrown", () => {
  const seed = "sent pages";
  const random = new SeededRandom(seed);
  let refused = 0;
  for (const whole of [printSentPage(WHOLE), printSentPage(FOUND)]) {
    for (let trial = 0; trial < 2000; trial += 1) {
      const bytes = Buffer.from(whole.subarray(0, random.below(whole.length + 1)));
      const at = random.below(Math.max(1, bytes.length));
      if (bytes.length > 0) bytes[at] = random.below(256);
      const read = readSentPage(bytes, URL);
      if (isCrawlError(read)) refused += 1;
      else assert.equal(given(read).page.line.url, URL, `seed ${seed}, trial ${trial}`);
    }
  }
  assert.ok(refused > 2000, `${refused} were refused`);
});

test("pages of another form are refused, each with why", () => {
  const odd: readonly [what: object, why: RegExp][] = [
    [{ row: { ...WHOLE.row, url: "http://b.example/" } }, /another page/],
    [{ row: { ...WHOLE.row, fetchedAt: "soon" } }, /row/],
    [{ row: { ...WHOLE.row, error: "FETCH_TIMED_OUT" } }, /row/],
    [{ from: "nowhere" }, /no place/],
    [{ redirects: -1 }, /reached/],
    [{ answer: { kind: "found", at: "far.1", page: "a\r\nb" } }, /found/],
    [{ answer: { kind: "other" } }, /answer/],
  ];
  for (const [what, why] of odd) {
    const message = { ...WHOLE, answer: FOUND.answer, ...what } as SentMessage;
    const read = readSentPage(printSentPage(message), URL);
    assert.ok(isCrawlError(read) && why.test(read.message), JSON.stringify(what));
  }
});
