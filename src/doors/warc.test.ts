import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { readWarc, type WarcDamage, type WarcRecord } from "./warc.ts";

/** A record as other tools write it. */
function record(type: string, block: string | Buffer, fields: readonly string[] = []): Buffer {
  const bytes = Buffer.from(block);
  const head = [
    ...["WARC/1.1", `WARC-Type: ${type}`, "WARC-Record-ID: <urn:uuid:1>"],
    ...["WARC-Date: 2026-01-02T03:04:05Z", `Content-Length: ${bytes.length}`, ...fields],
  ];
  return Buffer.concat([
    Buffer.from(`${head.join("\r\n")}\r\n\r\n`),
    bytes,
    Buffer.from("\r\n\r\n"),
  ]);
}

const PACKED = gzipSync("<p>content");
const HEAD = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${PACKED.length}\r\n\r\n`;
const PAGE = record("response", Buffer.concat([Buffer.from(HEAD), PACKED]), [
  ...["WARC-Target-URI: https://example.org/", "Content-Type: application/http;msgtype=response"],
  "WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
]);
const INFO = record("warcinfo", "software: test\r\n");
const FILE = Buffer.concat([gzipSync(INFO), gzipSync(PAGE)]);

async function all(
  source: Parameters<typeof readWarc>[0],
  onDamage?: (damage: WarcDamage) => void,
): Promise<WarcRecord[]> {
  const records: WarcRecord[] = [];
  for await (const record of readWarc(source, { onDamage })) records.push(record);
  return records;
}

test("records come from files and streams", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "trobar-door-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "pages.warc.gz");
  writeFileSync(path, FILE);
  const pieces = [FILE.subarray(0, 50), FILE.subarray(50)];
  for (const source of [path, pathToFileURL(path), Readable.from(pieces), pieces]) {
    const records = await all(source);
    assert.deepEqual(
      records.map(({ type, url }) => [type, url]),
      [
        ["warcinfo", null],
        ["response", "https://example.org/"],
      ],
    );
  }
  await assert.rejects(all(join(folder, "none.warc")), { code: "ENOENT" });
});

test("a record has its fields, its HTTP and its content", async () => {
  const [info, page] = await all([FILE]);
  assert.equal(info?.http, null);
  assert.equal(Buffer.from(info?.content ?? []).toString(), "software: test\r\n");
  assert.equal(page?.date, "2026-01-02T03:04:05Z");
  assert.equal(page?.field("warc-record-id"), "<urn:uuid:1>");
  assert.equal(page?.fields.length, 7);
  assert.equal(page?.http?.status, 200);
  assert.equal(page?.http?.startLine, "HTTP/1.1 200 OK");
  assert.deepEqual(Buffer.from(page?.http?.payload ?? []), PACKED);
  assert.equal(Buffer.from(page?.content ?? []).toString(), "<p>content");
  assert.deepEqual(page?.verify(), { block: null, payload: "wrong" });
  assert.deepEqual(page?.warnings, []);
  assert.ok(page?.block.length === HEAD.length + PACKED.length);
  // By its place a record can be read without those before it.
  const { offset = 0, lengthBytes = 0 } = page ?? {};
  const [again] = await all([FILE.subarray(offset, offset + lengthBytes)]);
  assert.equal(again?.url, page?.url);
});

test("a request has no status, and content that cannot be decoded is null", async () => {
  const request = record("request", "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n");
  const broken = record("response", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nno gzip");
  const [asked, answered] = await all([request, broken]);
  assert.deepEqual([asked?.http?.startLine, asked?.http?.status], ["GET / HTTP/1.1", null]);
  assert.equal(answered?.content, null);
});

test("damage is told, and the records around it are read", async () => {
  const damage: WarcDamage[] = [];
  const records = await all([INFO, Buffer.from("nonsense\n"), PAGE], (one) => damage.push(one));
  assert.equal(records.length, 2);
  assert.deepEqual([damage[0]?.offset, damage[0]?.lengthBytes], [INFO.length, "nonsense\n".length]);
  assert.equal((await all([Buffer.from("nonsense")])).length, 0);
});
