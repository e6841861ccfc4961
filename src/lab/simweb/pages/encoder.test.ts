import assert from "node:assert/strict";
import { test } from "node:test";
import { Chance } from "../model/chance.ts";
import { ByteWriter } from "./byte-writer.ts";
import { encoderFor } from "./encoder.ts";
import { sentences } from "./language-text.ts";
import { ENGLISH, OTHER_LANGUAGES } from "./languages.ts";
import { textPool } from "./text-pool.ts";

for (const language of [ENGLISH, ...OTHER_LANGUAGES]) {
  for (const charset of ["utf-8", ...language.charsets]) {
    test(`text in ${language.code} can be written in ${charset} and read back`, () => {
      const text = sentences(language, 2000, new Chance("text", language.code).at(0, 0));
      const bytes = encoderFor(charset).encode(text);
      assert.ok(bytes !== null);
      assert.equal(new TextDecoder(charset).decode(bytes), text);
    });
  }
}

test("what an encoding has no code for is not written", () => {
  assert.equal(encoderFor("windows-1252").encode("日本"), null);
  assert.equal(encoderFor("koi8-r").encode("é"), null);
  assert.equal(encoderFor("shift_jis").encode("한국"), null);
  assert.deepEqual(encoderFor("euc-kr").encode("plain <ASCII>"), Buffer.from("plain <ASCII>"));
});

test("languages look unlike each other", () => {
  const texts = [ENGLISH, ...OTHER_LANGUAGES].map((language) =>
    sentences(language, 5000, new Chance("x", "y").at(0, 0)),
  );
  const shared = texts.map((text) => texts.filter((other) => likeness(text, other) > 0.7).length);
  assert.ok(
    shared.every((count) => count === 1),
    `${shared}`,
  );
});

/** The cosine between the counts of pairs of letters. */
function likeness(one: string, other: string): number {
  const [first, second] = [pairCounts(one), pairCounts(other)];
  const product = (left: Map<string, number>, right: Map<string, number>) =>
    [...left].reduce((sum, [pair, count]) => sum + count * (right.get(pair) ?? 0), 0);
  return product(first, second) / Math.sqrt(product(first, first) * product(second, second));
}

function pairCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (let at = 1; at < text.length; at += 1) {
    const pair = text.slice(at - 1, at + 1).toLowerCase();
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

test("paragraphs come whole out of the pool, in the encoding asked for", () => {
  const writer = new ByteWriter();
  const japanese = OTHER_LANGUAGES.find(({ code }) => code === "ja") ?? ENGLISH;
  for (let word = 0; word < 100; word += 1) {
    textPool(japanese, "shift_jis").writeParagraphs(word, word * 10, writer);
    const text = new TextDecoder("shift_jis", { fatal: true }).decode(writer.taken());
    assert.match(text, /^(?:<p>[^<]+。<\/p>\n){1,4}$/);
  }
});

test("what was taken from a writer stays as it was", () => {
  const writer = new ByteWriter();
  const taken = Array.from({ length: 3000 }, (_, index) => {
    writer.ascii(`${index} `.repeat(300));
    return writer.taken();
  });
  taken.forEach((bytes, index) => {
    assert.equal(bytes.toString(), `${index} `.repeat(300));
  });
  writer.ascii("x".repeat(5_000_000));
  assert.equal(writer.length, 5_000_000);
  assert.ok(writer.taken().every((byte) => byte === 0x78));
});
