import assert from "node:assert/strict";
import { test } from "node:test";
import { archiveName } from "./archive-files.ts";

test("a name that is cut never begins with a dot, under which it would not be read", () => {
  const name = archiveName(`${"a".repeat(50)}.${"b".repeat(179)}`, new Set());
  assert.match(name, /^_b+$/);
  assert.equal(archiveName("/x/..warc", new Set()), "_warc");
  assert.equal(archiveName("one.warc", new Set(["one.warc"])), "2-one.warc");
});
