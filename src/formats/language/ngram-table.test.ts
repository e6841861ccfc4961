import assert from "node:assert/strict";
import { test } from "node:test";
import { NgramTable, packNgrams } from "./ngram-table.ts";

const DATA = {
  languages: { 0: "aa", 1: "bb", 2: "cc" },
  ngrams: { " a": { 0: 1 }, abcd: { 1: 2, 2: 100 }, " abcd ": { 0: 3 }, abcdefg: { 0: 1 } },
  dictionary: Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)),
  separators: /[^a-z\u00e4]+(?<!['])/gu,
};
const table = new NgramTable(packNgrams(DATA));

/** The n-gram as the table has it: its first four bytes and its last two, the first one lowest. */
function scoresOf(text: string): number[] {
  const bytes = Buffer.alloc(8);
  bytes.write(text, "latin1");
  const sums = new Int32Array(3);
  table.addScores(bytes.readInt32LE(0), bytes.readUInt16LE(4), sums);
  return [...sums];
}

test("each n-gram has the scores of its languages, with what the package leaves out of them", () => {
  assert.deepEqual(table.languages, ["aa", "bb", "cc"]);
  assert.deepEqual(scoresOf(" a"), [54, 0, 0]);
  assert.deepEqual(scoresOf("abcd"), [0, 55, 153]);
  assert.deepEqual(scoresOf(" abcd "), [56, 0, 0]);
});

test("an n-gram that is not there, or is too long to be looked for, says nothing", () => {
  for (const text of ["a", "abce", "abcd ", "abcdef"]) assert.deepEqual(scoresOf(text), [0, 0, 0]);
});

test("letters are what does not separate words; an apostrophe is none", () => {
  const isLetter = (text: string): boolean => table.isLetter(text.charCodeAt(0));
  assert.deepEqual(["a", "z", "ä", "A", " ", "'", "\u{1d49c}", "\uffff"].map(isLetter), [
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
