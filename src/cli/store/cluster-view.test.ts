import assert from "node:assert/strict";
import { test } from "node:test";
import { CrawlError, type ErrorCode } from "../../base/errors/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import type { PageRow } from "../../store/export/index.ts";
import { ClusterView } from "./cluster-view.ts";
import type { StoreBatch } from "./store-view.ts";

type Answers = readonly (object | ErrorCode)[];

const NONE = { text: false, links: false };
const PAGE = { url: "http://a.test/" } as PageRow;

/** A view of an agent that answers with these, one after the other; a code is refused. */
function viewWith(answers: Answers, wishes = NONE): { view: ClusterView; asked: string[] } {
  const left = [...answers];
  const asked: string[] = [];
  const ask = async (method: string, path: string): Promise<unknown> => {
    asked.push(`${method} ${path}`);
    const answer = left.shift();
    if (typeof answer === "string") throw new CrawlError(answer, "It is refused.");
    return answer;
  };
  return { view: new ClusterView({ ask }, wishes), asked };
}

async function all(batches: AsyncIterable<StoreBatch>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { pages, cursors } of batches) {
    for (const [at, { url }] of pages.entries()) found.push(`${url} ${cursors[at]}`);
  }
  return found;
}

const batch = (urls: readonly string[], cursor: string | null, more = {}): object => ({
  ...{ pages: urls.map((url) => ({ url })), cursors: urls.map((url) => `after ${url}`) },
  ...{ cursor, end: "the end", ...more },
});

test("pages are asked for until there are no more now, with what is wished for", async () => {
  const answers = [batch(["a", "b"], "after b"), batch([], "c"), batch(["d"], null)];
  const { view, asked } = viewWith(answers, { text: true, links: true });
  assert.deepEqual(await all(view.pages(null)), ["a after a", "b after b", "d after d"]);
  assert.deepEqual(asked, [
    "GET /pages?prefix=&limit=1000&text=true&links=true",
    "GET /pages?prefix=&limit=1000&text=true&links=true&after=after+b",
    "GET /pages?prefix=&limit=1000&text=true&links=true&after=c",
  ]);
});

test("who has not answered is told once, whatever was asked", async () => {
  const missing = [{ agent: "b\u001b", why: "dead" }];
  const links = { links: [], cursor: null, missing };
  const { view } = viewWith([batch(["a"], null, { missing }), links]);
  await all(view.pages(null));
  for await (const found of view.linksTo("http://a.test/")) assert.deepEqual(found, []);
  assert.deepEqual(view.faults, [
    "The agent b\\x1b has not answered (dead); what only it has is not here.",
  ]);
});

test("what follows is waited for, until the agent is gone or nobody wants more", async () => {
  const { view, asked } = viewWith([batch(["a"], null), batch(["b"], "x"), "CONTROL_UNREACHABLE"]);
  const how = { clock: new SystemClock(), signal: new AbortController().signal };
  assert.deepEqual(await all(view.follow(null, how)), ["a after a", "b after b"]);
  assert.ok(asked[1]?.endsWith("after=the+end"), asked[1]);
  const stopped = { ...how, signal: AbortSignal.abort() };
  assert.deepEqual(await all(viewWith([]).view.follow(null, stopped)), []);
});

test("a cursor of another crawl is refused as that, and other refusals as they are", async () => {
  const bad = viewWith(["API_BAD_REQUEST"]).view.pages("x");
  await assert.rejects(all(bad), { code: "USAGE_BAD_FLAG_VALUE", message: /"x" is not a cursor/ });
  const busy = viewWith(["CONTROL_BUSY"]).view.pages("x");
  await assert.rejects(all(busy), { code: "CONTROL_BUSY" });
});

test("a page that is not there is none, and links of which nothing is known", async () => {
  const { view } = viewWith(["CONTROL_NOT_FOUND", "CONTROL_NOT_FOUND", "CLUSTER_ANSWER_MISSING"]);
  assert.equal(await view.find("http://a.test/"), null);
  assert.equal(await view.linksOf("http://a.test/"), null);
  await assert.rejects(view.find("http://a.test/"), { code: "CLUSTER_ANSWER_MISSING" });
});

test("links come page by page", async () => {
  const link = { url: "http://b.test/", kind: "a", rel: "", text: "" };
  const { view, asked } = viewWith([
    { links: [link], cursor: "1" },
    { links: [link], cursor: null },
  ]);
  assert.deepEqual(await view.linksOf("http://a.test/"), [link, link]);
  assert.ok(asked[1]?.includes("direction=out") && asked[1].endsWith("after=1"), asked[1]);
});

test("an answer is as it was archived, absent, or damaged", async () => {
  const headers = [["Content-Type", "text/plain"]];
  const { view } = viewWith([
    { statusLine: "HTTP/1.1 200 OK", headers, body: btoa("body") },
    { statusLine: null, headers: null, body: null },
    "STORE_RECORD_DAMAGED",
  ]);
  const whole = await view.record(PAGE);
  assert.ok(whole.kind === "record");
  assert.equal(Buffer.from(whole.record.payload).toString(), "body");
  assert.deepEqual(whole.record.headers, headers);
  assert.deepEqual(await view.record(PAGE), { kind: "absent" });
  assert.deepEqual(await view.record(PAGE), { kind: "damaged", reason: "It is refused." });
  assert.equal(await view.whole(PAGE), PAGE);
});
