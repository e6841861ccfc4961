import assert from "node:assert/strict";
import { test } from "node:test";
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import type { PageRecord } from "./export-source.ts";
import { contentOf } from "./page-content.ts";

const TEXT = Buffer.from("a page ".repeat(1000));

function decoded(encoding: string, payload: Uint8Array): Buffer | string {
  const headers = [["Content-Encoding", encoding]] as const;
  const outcome = contentOf({ headers, payload } as unknown as PageRecord);
  return outcome.kind === "content" ? Buffer.from(outcome.bytes) : outcome.reason;
}

test("every content encoding is undone, several in the right order", () => {
  assert.deepEqual(decoded("gzip", gzipSync(TEXT)), TEXT);
  assert.deepEqual(decoded("x-gzip", gzipSync(TEXT)), TEXT);
  assert.deepEqual(decoded("deflate", deflateSync(TEXT)), TEXT);
  assert.deepEqual(decoded("deflate", deflateRawSync(TEXT)), TEXT);
  assert.deepEqual(decoded("br", brotliCompressSync(TEXT)), TEXT);
  assert.deepEqual(decoded("zstd", zstdCompressSync(TEXT)), TEXT);
  assert.deepEqual(decoded("GZIP , br", brotliCompressSync(gzipSync(TEXT))), TEXT);
  assert.deepEqual(decoded("identity", TEXT), TEXT);
});

test("what was cut off is decoded as far as it goes", () => {
  const cut = gzipSync(TEXT).subarray(0, 30);
  const got = decoded("gzip", cut);
  assert.ok(Buffer.isBuffer(got) && TEXT.subarray(0, got.length).equals(got));
});

test("damage, unknown encodings and bombs have a reason", () => {
  assert.match(String(decoded("gzip", TEXT)), /gzip is damaged/);
  assert.match(String(decoded("pack200", TEXT)), /pack200 is not known/);
  assert.match(String(decoded("a,b,c,d,e", TEXT)), /5 content encodings/);
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024));
  assert.match(String(decoded("gzip", bomb)), /larger than 64 MiB/);
});
