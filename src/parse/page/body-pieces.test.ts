/** Bodies in memory and on disk give the same page, whatever the pieces and the order of reads. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { hostilePage } from "../../../test/support/formats/hostile-html.ts";
import {
  DiskBody,
  MemoryBody,
  parsed,
  parsedLater,
  parsingWith,
} from "../../../test/support/parse/parse-rig.ts";
import type { ParseSource } from "./index.ts";

const numRuns = process.env["TROBAR_FULL"] === "1" ? 2000 : 200;

const MEDIA = [
  "text/html",
  "text/html; charset=windows-1252",
  "text/html; charset=shift_jis",
  "text/plain",
  "application/xml",
  "application/rss+xml",
  "image/png",
  "",
];

const content = fc.oneof(
  fc.nat(9999).map((number) => Buffer.from(hostilePage(`pieces ${number}`))),
  fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(fc.webUrl(), { maxLength: 20 })
    .map((urls) =>
      Buffer.from(`<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`),
    ),
  fc.lorem({ maxCount: 300 }).map((text) => Buffer.from(text)),
);

const document = fc.record({
  content,
  contentType: fc.constantFrom(...MEDIA),
  isSitemap: fc.boolean(),
});

function sourceOf(one: { contentType: string; isSitemap: boolean }): ParseSource {
  return {
    url: "https://example.org/",
    headers: one.contentType === "" ? [] : [["Content-Type", one.contentType]],
    isSitemap: one.isSitemap,
  };
}

test("a page on disk is the page in memory, also when many are read side by side", async () => {
  const parsing = parsingWith();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(document, fc.integer({ min: 1200, max: 5000 })), {
        minLength: 1,
        maxLength: 5,
      }),
      async (documents) => {
        const pages = documents.map(([one, pieceBytes]) =>
          parsedLater(parsing, sourceOf(one), new DiskBody(one.content, pieceBytes)),
        );
        const expected = documents.map(([one]) =>
          parsed(parsingWith(), sourceOf(one), new MemoryBody(one.content)),
        );
        assert.deepEqual(await Promise.all(pages), expected);
      },
    ),
    { numRuns },
  );
});

test("nothing that a body holds makes parsing fail", () => {
  const parsing = parsingWith({ scripts: true, words: true });
  fc.assert(
    fc.property(document, fc.string(), fc.string(), (one, header, value) => {
      const source = sourceOf(one);
      const headers = [...source.headers, ["Link", value], ["X-Robots-Tag", header]] as const;
      const page = parsed(parsing, { ...source, headers }, new MemoryBody(one.content));
      assert.equal(page.failure, null);
      assert.ok(page.payloadSha1.length === 20);
    }),
    { numRuns },
  );
});

test("where the disk fails, the page is what was read until then, and says so", async () => {
  const html = Buffer.from(`<title>T</title><a href=a>${"x".repeat(5000)}<a href=b>`);
  const source = sourceOf({ contentType: "text/html", isSitemap: false });
  const page = await parsedLater(parsingWith(), source, new DiskBody(html, 1000, 2000));
  assert.equal(page.failure?.code, "STORAGE_FAILED");
  assert.deepEqual([page.title, page.links.length, page.payloadSha1.length], ["T", 1, 0]);
});

test("the payload is what was received, wherever that lies", async () => {
  const html = Buffer.from("<p>x");
  const packed = gzipSync(html);
  const source = sourceOf({ contentType: "text/html", isSitemap: false });
  const inMemory = { ...source, received: new MemoryBody(packed) };
  const onDisk = { ...source, received: new DiskBody(packed, 7) };
  const expected = parsed(parsingWith(), inMemory, new MemoryBody(html));
  assert.notDeepEqual(
    expected.payloadSha1,
    parsed(parsingWith(), source, new MemoryBody(html)).payloadSha1,
  );
  assert.deepEqual(await parsedLater(parsingWith(), onDisk, new MemoryBody(html)), expected);
  assert.deepEqual(await parsedLater(parsingWith(), onDisk, new DiskBody(html, 2)), expected);
});

test("of a long text only the beginning is kept, and the digest is of all of it", async () => {
  const text = Buffer.alloc(3 * 1024 * 1024, "some words ");
  const source = sourceOf({ contentType: "text/plain", isSitemap: false });
  const page = await parsedLater(parsingWith(), source, new DiskBody(text, 50_000));
  assert.equal(page.text.length, 1024 * 1024);
  assert.deepEqual(page.truncated, ["text"]);
  const longer = await parsedLater(
    parsingWith(),
    source,
    new MemoryBody(Buffer.concat([text, text])),
  );
  assert.notDeepEqual(page.stripped, longer.stripped);
});
