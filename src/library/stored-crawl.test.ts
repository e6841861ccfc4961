import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { SystemClock } from "../base/time/index.ts";
import type { PageRow } from "../store/export/index.ts";
import type { CrawlView } from "../store/query/index.ts";
import { StoredCrawl } from "./stored-crawl.ts";

function storedWith(view: Partial<Record<keyof CrawlView, unknown>>): StoredCrawl {
  return new StoredCrawl({ id: "0123", ...view } as unknown as CrawlView, new SystemClock());
}

function row(number: number): PageRow {
  return { url: `https://example.org/${number}` } as PageRow;
}

test("an answer has its body as it came and without its encodings", async () => {
  const payload = gzipSync("content");
  const record = {
    ...{ statusLine: "HTTP/1.1 200 OK", payload, request: null },
    headers: [["Content-Encoding", "gzip"]],
  };
  const stored = storedWith({ record: async () => ({ kind: "record", record }) });
  const answer = (await stored.answer(row(1))) ?? assert.fail("it is there");
  assert.equal(Buffer.from(answer.body).toString(), "content");
  assert.deepEqual(answer.raw, payload);
});

test("a signal ends a stream between two pages of one batch", async () => {
  const stop = new AbortController();
  const stored = storedWith({
    pages: async function* () {
      yield { pages: [row(1), row(2), row(3)], cursors: [1, 2, 3] };
    },
  });
  const seen: string[] = [];
  for await (const { url } of stored.pages({ signal: stop.signal })) {
    seen.push(url);
    if (seen.length === 2) stop.abort();
  }
  assert.deepEqual(seen, [row(1).url, row(2).url]);
});
