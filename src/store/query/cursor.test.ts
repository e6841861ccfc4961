import assert from "node:assert/strict";
import { test } from "node:test";
import { printCursor, readCursor } from "./cursor.ts";

test("a cursor is read for its own crawl, and for no other", () => {
  const cursor = printCursor("0123456789abcdef", 4711);
  assert.equal(readCursor("0123456789abcdef", cursor), 4711);
  assert.equal(readCursor("1123456789abcdef", cursor), null);
  for (const wrong of ["", "4711", "01234567", "01234567-", "01234567--1", `${cursor} `, "x"]) {
    assert.equal(readCursor("0123456789abcdef", wrong), null, wrong);
  }
});
