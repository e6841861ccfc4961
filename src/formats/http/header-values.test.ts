import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Header } from "../../base/seams/index.ts";
import { headerValue, headerValues } from "./index.ts";

const HEADERS: readonly Header[] = [
  ["Content-Type", "text/html"],
  ["X-ROBOTS-TAG", "noindex"],
  ["content-type", "text/plain"],
  ["x-robots-tag", ""],
];

suite("a header", () => {
  test("is found whatever the case of its name", () => {
    assert.equal(headerValue(HEADERS, "x-robots-tag"), "noindex");
  });

  test("that occurs twice has the value of the first, or all values in order", () => {
    assert.equal(headerValue(HEADERS, "content-type"), "text/html");
    assert.deepEqual(headerValues(HEADERS, "x-robots-tag"), ["noindex", ""]);
  });

  test("that is absent has no value, even if another name has its length", () => {
    assert.equal(headerValue(HEADERS, "location"), undefined);
    assert.equal(headerValue(HEADERS, "content-typo"), undefined);
    assert.deepEqual(headerValues(HEADERS, "content-typo"), []);
  });
});
