import assert from "node:assert/strict";
import { test } from "node:test";
import { isCrawlError } from "../../base/errors/index.ts";
import type { FetchableUrl } from "../../formats/url/index.ts";
import { ByteReader, ByteWriter, type ItemType } from "../../topology/items/index.ts";
import { AnswerItem, type PageAnswer, type PageRequest, RequestItem } from "./fetch-items.ts";

/** What arrives of an item at the other process. */
function sent<Item>(type: ItemType<Item>, item: Item): Item {
  const writer = new ByteWriter();
  type.codec?.write(item, writer);
  const read = type.codec?.read(new ByteReader(writer.copy()));
  assert.ok(read !== undefined);
  return read;
}

const CLAIM = { run: "downloader 17", number: 300 };
const FACTS = {
  address: "192.0.2.1",
  attempt: 2,
  durationMs: 12.5,
  fetchedAtMs: 1_800_000_000_000,
};
const URL = "http://a.test/x" as FetchableUrl;

const ANSWERS: readonly PageAnswer[] = [
  {
    ...{ ...CLAIM, ...FACTS, kind: "fetched", status: 200, reason: "Ça va" },
    headers: [
      ["Content-Type", "text/html"],
      ["X", "\u00ff\ud800"],
    ],
    ...{ request: { head: "GET / HTTP/1.1\r\n\r\n", protocol: "h2" }, answerMs: 0.25 },
    ...{ body: new Uint8Array([0, 255, 7]), truncatedBy: "time" },
  },
  {
    ...{ ...CLAIM, ...FACTS, address: null, kind: "fetched", status: 404, reason: "" },
    ...{ headers: [], request: null, answerMs: 1, body: new Uint8Array(0), truncatedBy: null },
  },
  { ...CLAIM, ...FACTS, kind: "failed", code: "FETCH_TIMED_OUT", message: "It took too long." },
  { ...CLAIM, kind: "unfetched", code: "DNS_NO_SUCH_HOST" as never },
  { ...CLAIM, kind: "refused", reason: "robots-unreachable", cause: 503 },
  { ...CLAIM, kind: "refused", reason: "host-limit", cause: null },
  { kind: "sitemaps", urls: [URL, URL], via: URL },
  { kind: "begun" },
];

test("every answer arrives as it was sent", () => {
  for (const answer of ANSWERS) assert.deepEqual(sent(AnswerItem, answer), answer);
});

test("every request arrives as it was sent", () => {
  const ticket = {
    ...{ url: URL, high: 0xffffffff, low: 0, depth: 3, via: "\ud800", redirects: 1 },
    ...{ priority: -0.5, requisite: 2 },
  };
  const request: PageRequest = { ...CLAIM, isAgain: true, ticket };
  assert.deepEqual(sent(RequestItem, request), request);
  const seed = { ...request, isAgain: false, ticket: { ...ticket, via: null, requisite: 0 } };
  assert.deepEqual(sent(RequestItem, seed), seed);
});

test("an answer of a kind that nobody knows is malformed", () => {
  for (const kind of ["", "gone", "toString"]) {
    const writer = new ByteWriter();
    writer.text(kind);
    assert.throws(
      () => AnswerItem.codec?.read(new ByteReader(writer.copy())),
      (error) => isCrawlError(error) && error.code === "TOPOLOGY_ITEM_MALFORMED",
    );
  }
});
