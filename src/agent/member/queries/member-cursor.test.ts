import assert from "node:assert/strict";
import { test } from "node:test";
import {
  positionsIn,
  printMemberCursor,
  queryCursorOf,
  readMemberCursor,
} from "./member-cursor.ts";

const CRAWL = "0123456789abcdef0123456789abcdef";

test("Q3: a cursor has the position of each place, and needs no quotes anywhere", () => {
  const positions = new Map([
    ["rack1-a.1763526000000", "4711"],
    ["b.c_d.2", ""],
  ]);
  const text = printMemberCursor(CRAWL, positions);
  assert.equal(text, "01234567~rack1-a.1763526000000:4711~b.c_d.2:");
  assert.deepEqual(readMemberCursor(CRAWL, text), positions);
  assert.deepEqual(positionsIn(queryCursorOf(positions)), positions);
  assert.deepEqual(positionsIn(""), new Map());
});

test("what is not a cursor of this crawl is refused", () => {
  assert.deepEqual(readMemberCursor(CRAWL, "01234567"), new Map());
  for (const text of ["", "fedcba98~a.1:7", "01234567~a.1", "01234567~a/1:7", "01234567~"]) {
    assert.equal(readMemberCursor(CRAWL, text), null, text);
  }
});
