import assert from "node:assert/strict";
import { test } from "node:test";
import { recordsOf, scanAll } from "../../../test/support/formats/warc-reading.ts";
import { SeededRandom } from "../../base/random/index.ts";
import {
  cdxjEntry,
  cdxjLine,
  compareCdxj,
  recordId,
  requestRecord,
  responseRecord,
  revisitRecord,
  WarcEncoder,
  type WarcRecord,
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

test("a revisit is listed as one, whatever its head says, and a request is not listed", () => {
  const random = new SeededRandom("cdxj");
  const capture = {
    ...{ url: "http://example.org/", dateMs: 0, warcinfoId: recordId(random) },
    id: recordId(random),
  };
  const headers = [["Content-Type", "text/html"]] as const;
  const encoder = new WarcEncoder({ compression: "none", level: null });
  const entryOf = (record: WarcRecord) => {
    const [read] = recordsOf(scanAll(encoder.encode(record)));
    return cdxjEntry(read ?? assert.fail(), "x.warc", () => "org,example)/");
  };
  const revisit = revisitRecord({
    ...capture,
    head: { status: 200, reason: "", headers },
    ...{ bodyBytes: 4, original: { url: "http://example.org/first", dateMs: 0 } },
  });
  assert.deepEqual([entryOf(revisit)?.mime, entryOf(revisit)?.status], ["warc/revisit", 200]);
  const head = "GET / HTTP/1.1\r\n\r\n";
  assert.equal(entryOf(requestRecord({ ...capture, head, concurrentTo: capture.id })), null);
});

test("lines are ordered by their bytes, as sort does in the C locale", () => {
  const lines = ["b", "a", "é", "Z", "a)", "a "];
  assert.deepEqual([...lines].sort(compareCdxj), ["Z", "a", "a ", "a)", "b", "é"]);
});
