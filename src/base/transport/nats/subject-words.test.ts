import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { idIn, subjectWord } from "./subject-words.ts";

test("every id is one word of a subject, and is read back", () => {
  const id = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.isWellFormed());
  fc.assert(
    fc.property(id, (text) => {
      const word = subjectWord(text);
      assert.match(word, /^[^\s.*>]+$/);
      assert.equal(idIn(word), text);
    }),
  );
});

test("a word that stands for no id is none", () => {
  assert.equal(idIn("%E0%A4%A"), null);
});
