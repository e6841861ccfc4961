import assert from "node:assert/strict";
import { test } from "node:test";
import { linkedData } from "./linked-data.ts";

const NOTHING = { types: [], published: "", modified: "" };

test("what is not JSON, or no thing, says nothing", () => {
  for (const text of ["", "{", "null", "5", '"@type"', '[[[[[[{"@type":"A"}]]]]]]']) {
    assert.deepEqual(linkedData(text), NOTHING, text);
  }
  assert.deepEqual(linkedData("[".repeat(100_000)), NOTHING);
  assert.deepEqual(linkedData(`${"[".repeat(50_000)}${"]".repeat(50_000)}`), NOTHING);
});

test("the first date of any thing counts, whatever else is there", () => {
  const data = [{ datePublished: 5 }, { "@type": "x".repeat(101), datePublished: "a" }];
  assert.deepEqual(linkedData(JSON.stringify(data)), { ...NOTHING, published: "a" });
});
