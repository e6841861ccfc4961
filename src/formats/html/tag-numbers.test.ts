import assert from "node:assert/strict";
import { test } from "node:test";
import { TAG_NUMBERS, tagNumber, UNKNOWN_TAG } from "./tag-numbers.ts";

test("numbers of tags fit a byte and do not change", () => {
  assert.ok(TAG_NUMBERS <= 256);
  const pinned = { a: 1, body: 19, div: 37, h1: 50, p: 94, table: 124, xmp: 142 };
  for (const [name, number] of Object.entries(pinned)) assert.equal(tagNumber(name), number, name);
  assert.equal(tagNumber("x-made-up"), UNKNOWN_TAG);
});
