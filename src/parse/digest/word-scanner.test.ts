import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { WordScanner } from "./word-scanner.ts";

/** Words as pairs of hash and half words. */
function wordsOf(text: string | Uint8Array, cut: number = Number.POSITIVE_INFINITY): string[] {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  const scanner = new WordScanner(42);
  const words: string[] = [];
  const taker = {
    word: (hash: number, halfWords: number) => words.push(`${hash}/${halfWords}`),
    wholeWords: (hashes: Int32Array, count: number) => {
      for (const hash of hashes.subarray(0, count)) words.push(`${hash}/2`);
    },
  };
  for (let at = 0; at < bytes.length; at += cut) {
    scanner.scan(bytes, at, Math.min(bytes.length, at + cut), taker);
  }
  scanner.end(taker);
  return words;
}

const same: readonly [what: string, one: string, other: string][] = [
  ["case", "The Council", "the council"],
  ["punctuation", "one, two; (three)", "one two three"],
  ["numbers", "on 12 May 2024", "on May"],
  ["digits inside", "x200 b2b", "x b b"],
  ["references", "fish&nbsp;&amp;&#160;chips", "fish chips"],
  ["dashes, quotes and hard spaces", "“one”—two…\u00a0three", "one two three"],
  ["the commas of Chinese", "你好，世界！", "你好 世界"],
];

for (const [what, one, other] of same) {
  test(`${what} make no words`, () => assert.deepEqual(wordsOf(one), wordsOf(other)));
}

test("words of any alphabet are told apart", () => {
  for (const text of ["river bridge", "río puente", "река мост", "ποταμός γέφυρα", "नदी पुल"]) {
    const words = wordsOf(text);
    assert.equal(words.length, 2, text);
    assert.notEqual(words[0], words[1]);
  }
  assert.notDeepEqual(wordsOf("pôle"), wordsOf("pole"));
});

test("a character of Chinese or Japanese is half a word, together with the one before it", () => {
  const [first, second, third] = wordsOf("博物館");
  assert.ok([first, second, third].every((word) => word?.endsWith("/1")));
  assert.equal(wordsOf("博物館").length, 3);
  assert.notEqual(wordsOf("動物")[1], second);
  assert.equal(wordsOf("博物館").at(0), wordsOf("博")[0]);
  assert.equal(wordsOf("x物館").at(-1), wordsOf("物館").at(-1));
});

test("other encodings that extend ASCII make words too", () => {
  const latin1 = Buffer.from("le château hôtel", "latin1");
  assert.equal(new Set(wordsOf(latin1)).size, wordsOf(latin1).length);
  assert.deepEqual(wordsOf(latin1), wordsOf(Buffer.from("LE château hôtel", "latin1")));
});

test("the words of any bytes do not depend on where they were cut", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: "grapheme", maxLength: 80 }).map((text) => new Uint8Array(Buffer.from(text))),
  );
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 20 }), (text, cut) => {
      assert.deepEqual(wordsOf(text, cut), wordsOf(text));
    }),
  );
});
