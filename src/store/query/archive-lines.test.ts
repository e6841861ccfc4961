import assert from "node:assert/strict";
import { test } from "node:test";
import { type ReadRecord, RecordScanner } from "../../formats/warc/index.ts";
import { lineOfRecord } from "./archive-lines.ts";

function record(text: string): ReadRecord {
  const scanner = new RecordScanner();
  scanner.push(Buffer.from(text, "latin1"));
  scanner.end();
  const step = scanner.next();
  assert.ok(step?.kind === "record");
  return step.record;
}

function warc(fields: readonly string[], block: string): ReadRecord {
  const head = ["WARC/1.0", ...fields, `Content-Length: ${block.length}`].join("\r\n");
  return record(`${head}\r\n\r\n${block}\r\n\r\n`);
}

const URL = "WARC-Target-URI: http://a.test/";

test("an answer becomes a line with what its record says", () => {
  const fields = [
    ...["WARC-Type: response", URL, "WARC-Date: 2020-01-02T03:04:05Z", "WARC-Truncated: time"],
    "WARC-IP-Address: 192.0.2.7",
  ];
  const block = "HTTP/1.1 302 Found\r\nContent-Type: Text/HTML; x=y\r\nLocation: /b\r\n\r\nabc";
  const line = lineOfRecord(warc(fields, block), "x.warc");
  assert.equal(line?.result, 302);
  assert.equal(line.url, "http://a.test/");
  assert.equal(line.mime, "text/html");
  assert.equal(line.bodyBytes, 3);
  assert.equal(line.address, "192.0.2.7");
  assert.equal(new Date(line.atMs).toISOString(), "2020-01-02T03:04:05.000Z");
  assert.match(line.digest ?? "", /^sha1:/);
  assert.deepEqual(line.notes, [
    ["truncated", "time"],
    ["redirect", "http://a.test/b"],
  ]);
  assert.equal(line.place?.file, "warc/x.warc");
  const found = lineOfRecord(warc(fields, block.replace("302 Found", "201 Created")), "x.warc");
  assert.deepEqual(found?.notes, [["truncated", "time"]], "only a redirect leads elsewhere");
});

test("a revisit names its original, or itself where it does not say", () => {
  const head = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n";
  const fields = ["WARC-Type: revisit", URL, "WARC-Payload-Digest: sha256:aa"];
  const silent = lineOfRecord(warc(fields, head), "x");
  assert.deepEqual(silent?.notes, [["duplicate", "http://a.test/"]]);
  assert.deepEqual([silent?.bodyBytes, silent?.digest], [12, "sha256:aa"]);
  const told = [...fields, "WARC-Refers-To-Target-URI: http://b.test/"];
  assert.deepEqual(lineOfRecord(warc(told, head), "x")?.notes, [["duplicate", "http://b.test/"]]);
});

test("a page of an ARC file has its date", () => {
  const block = "HTTP/1.0 200 OK\r\n\r\nx";
  const line = lineOfRecord(
    record(`http://a.test/ 192.0.2.1 20140216050221 text/html ${block.length}\n${block}\n`),
    "x.arc",
  );
  assert.equal(new Date(line?.atMs ?? 0).toISOString(), "2014-02-16T05:02:21.000Z");
});

test("what is not an answer of a server has no line", () => {
  const http = "HTTP/1.1 200 OK\r\n\r\n";
  const left = [
    warc(["WARC-Type: request", URL], "GET / HTTP/1.1\r\n\r\n"),
    warc(["WARC-Type: metadata", URL], "a: b"),
    warc(["WARC-Type: response", "WARC-Target-URI: dns:a.test"], "a.test. 1 IN A 192.0.2.1"),
    warc(["WARC-Type: response", "WARC-Target-URI: ../x"], http),
    warc(["WARC-Type: response", URL], "not HTTP"),
    warc(["WARC-Type: response", URL], "HTTP/1.1 999999 x\r\n\r\n"),
    warc(["WARC-Type: response"], http),
  ];
  assert.deepEqual(
    left.map((one) => lineOfRecord(one, "x")),
    left.map(() => null),
  );
});
