import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nearestName } from "./index.ts";
import { editDistance } from "./nearest-name.ts";

const NAMES = ["crawl", "agent", "status", "inspect", "politeness.hostDelay", "fetch.maxBody"];

test("a mistyped name leads to the right one", () => {
  assert.equal(nearestName("carwl", NAMES), "crawl");
  assert.equal(nearestName("CRAWL", NAMES), "crawl");
  assert.equal(nearestName("statsu", NAMES), "status");
  assert.equal(nearestName("politness.hostdelay", NAMES), "politeness.hostDelay");
});

test("a name that resembles no other gets no suggestion", () => {
  for (const word of ["", "x", "zebra", "completely.different", "a".repeat(1000)]) {
    assert.equal(nearestName(word, NAMES), null, word);
  }
});

test("edit distance counts letters changed, added, left out and swapped", () => {
  assert.equal(editDistance("crawl", "crawl"), 0);
  assert.equal(editDistance("crawl", "craw"), 1);
  assert.equal(editDistance("crawl", "crwal"), 1);
  assert.equal(editDistance("", "abc"), 3);
});

test("edit distance is symmetric, and zero only between equals", () => {
  const words = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  fc.assert(
    fc.property(words, words, (one, other) => {
      assert.equal(editDistance(one, other), editDistance(other, one));
      assert.equal(editDistance(one, other) === 0, one === other);
    }),
  );
});
