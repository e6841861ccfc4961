import assert from "node:assert/strict";
import { test } from "node:test";
import { grownBuffer, grownBytes } from "./index.ts";

const some = Uint8Array.of(1, 2, 3);

test("bytes that are long enough are the same", () => {
  assert.equal(grownBytes(some, 3), some);
});

test("bytes that grow at least double, and keep what they hold", () => {
  assert.deepEqual([...grownBytes(some, 4)], [1, 2, 3, 0, 0, 0]);
  assert.equal(grownBytes(some, 10).length, 10);
});

test("bytes grow no further than asked, unless more is needed", () => {
  assert.equal(grownBytes(some, 4, 5).length, 5);
  assert.equal(grownBytes(some, 7, 5).length, 7);
});

test("a buffer grows in the same way", () => {
  const buffer = Buffer.from(some);
  assert.equal(grownBuffer(buffer, 3, 5), buffer);
  assert.deepEqual(grownBuffer(buffer, 4, 5), Buffer.of(1, 2, 3, 0, 0));
});
