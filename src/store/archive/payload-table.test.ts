import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SeededRandom } from "../../base/random/index.ts";
import { sha1 } from "../../formats/warc/index.ts";
import { PayloadTable } from "./payload-table.ts";

const MEBIBYTE = 1024 * 1024;

function digestOf(number: number): Uint8Array {
  return sha1(Buffer.from(String(number)));
}

test("the table answers like a map that keeps the first", () => {
  const entry = fc.record({
    number: fc.nat(40),
    url: fc.oneof(fc.webUrl(), fc.string({ unit: "grapheme", maxLength: 40 })),
    dateMs: fc.nat(2 ** 40),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 120 }), (entries) => {
      const table = new PayloadTable(new SeededRandom(1));
      const model = new Map<number, { url: string; dateMs: number }>();
      for (const { number, url, dateMs } of entries) {
        table.add(digestOf(number), url, dateMs);
        if (!model.has(number)) model.set(number, { url, dateMs });
      }
      for (let number = 0; number <= 41; number += 1) {
        assert.deepEqual(table.find(digestOf(number)), model.get(number) ?? null);
      }
      assert.equal(table.count, model.size);
    }),
  );
});

test("digests that differ in a single byte, whichever it is, are different", () => {
  const table = new PayloadTable(new SeededRandom(1));
  const digest = digestOf(1);
  table.add(digest, "https://example.org/", 1);
  for (let at = 0; at < digest.length; at += 1) {
    const other = Uint8Array.from(digest);
    other[at] = (other[at] ?? 0) ^ 1;
    assert.equal(table.find(other), null, `byte ${at}`);
  }
});

test("a page costs less than a hundred bytes", () => {
  const table = new PayloadTable(new SeededRandom(1));
  const count = 60_000;
  for (let number = 0; number < count; number += 1) {
    const path = `section-${number % 50}/article-${number}/index.html`;
    table.add(digestOf(number), `https://www.host${number % 900}.example/${path}`, 1.7e12 + number);
  }
  assert.ok(table.bytes / count < 100, `${table.bytes / count} bytes`);
  for (let number = 0; number < count; number += 997) {
    assert.equal(table.find(digestOf(number))?.dateMs, 1.7e12 + number);
    assert.match(table.find(digestOf(number))?.url ?? "", new RegExp(`article-${number}/`));
  }
});

test("memory is bounded: what does not fit is not remembered", () => {
  const table = new PayloadTable(new SeededRandom(1), 3 * MEBIBYTE);
  for (let number = 0; number < 60_000; number += 1) {
    table.add(digestOf(number), `https://example.org/${"x".repeat(60)}${number}`, number);
  }
  assert.ok(table.count > 10_000 && table.count < 60_000);
  assert.ok(table.bytes <= 4 * MEBIBYTE);
  assert.equal(table.find(digestOf(0))?.dateMs, 0);
  assert.equal(table.find(digestOf(59_999)), null);
});

test("a URL too long for the table is not remembered", () => {
  const table = new PayloadTable(new SeededRandom(1));
  table.add(digestOf(1), `https://example.org/${"x".repeat(70_000)}`, 1);
  assert.equal(table.find(digestOf(1)), null);
});
