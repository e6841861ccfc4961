import assert from "node:assert/strict";
import { test } from "node:test";
import { isBinary } from "./index.ts";

test("a text with NUL bytes is binary, unless it is UTF-16 with a mark", () => {
  assert.ok(isBinary(Buffer.from("GIF89a\0")));
  assert.ok(!isBinary(Buffer.from("<p>text")));
  assert.ok(!isBinary(Buffer.from("\ufefftext", "utf16le")));
  assert.ok(!isBinary(Buffer.from(`${"a".repeat(1000)}\0`)), "only the first bytes count");
  assert.ok(!isBinary(new Uint8Array(0)));
});
