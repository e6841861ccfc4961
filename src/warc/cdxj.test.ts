import assert from "node:assert/strict";
import { test } from "node:test";
import { recordsOf, scanAll } from "../../test/support/warc-reading.ts";
import { SeededRandom } from "../random/index.ts";
import {
  cdxjEntry,
  cdxjLine,
  compareCdxj,
  recordId,
  responseRecord,
  WarcEncoder,
} from "./index.ts";

test("a response becomes a line of key, timestamp and JSON", () => {
  const random = new SeededRandom("cdxj");
  const record = responseRecord({
    url: "http://example.org/a?b=1",
    dateMs: Date.UTC(2026, 0, 31, 12, 30, 5),
    warcinfoId: recordId(random),
    id: recordId(random),
    head: { status: 404, reason: "", headers: [["Content-Type", "text/html; charset=utf-8"]] },
    body: Buffer.from("gone"),
  });
  const bytes = new WarcEncoder({ compression: "gzip", level: null }).encode(record);
  const [read] = recordsOf(scanAll(bytes));
  assert.ok(read);
  const entry = cdxjEntry(read, "x.warc.gz", () => "org,example)/a?b=1");
  assert.ok(entry);
  const line = cdxjLine(entry);
  assert.match(line, /^org,example\)\/a\?b=1 20260131123005 \{/);
  assert.deepEqual(JSON.parse(line.slice(line.indexOf("{"))), {
    url: "http://example.org/a?b=1",
    mime: "text/html",
    status: "404",
    digest: entry.digest,
    length: String(bytes.length),
    offset: "0",
    filename: "x.warc.gz",
  });
});

test("lines are ordered by their bytes, as sort does in the C locale", () => {
  const lines = ["b", "a", "é", "Z", "a)", "a "];
  assert.deepEqual([...lines].sort(compareCdxj), ["Z", "a", "a ", "a)", "b", "é"]);
});
