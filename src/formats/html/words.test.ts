import assert from "node:assert/strict";
import { test } from "node:test";
import { countWords } from "./index.ts";

test("words are counted in lower case, whatever the script", () => {
  const counts = countWords("The cat and THE dog: 2 cats, été ÉTÉ, кот Кот — 猫");
  assert.deepEqual(Object.fromEntries(counts), {
    the: 2,
    cat: 1,
    and: 1,
    dog: 1,
    2: 1,
    cats: 1,
    été: 2,
    кот: 2,
    猫: 1,
  });
});

test("no more words are kept than asked for, and no endless one", () => {
  assert.deepEqual(
    [...countWords("a b c a", 2)],
    [
      ["a", 2],
      ["b", 1],
    ],
  );
  assert.equal(countWords("x".repeat(65)).size, 0);
});
