/** Any bytes, in any chunks: the same page, no throw, whatever was read before. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodingOfLabel } from "../charset/index.ts";
import { LINK_KINDS } from "../link/index.ts";
import { type Page, PageParser, type PageSource } from "./index.ts";

const OPTIONS = { kinds: LINK_KINDS, text: true, linksMax: 50, textBytesMax: 300 };
const numRuns = process.env["TROBAR_FULL"] === "1" ? 20_000 : 1500;

/** Words of the language and splinters of them, so that random pages get somewhere. */
const WORDS =
  "< > </ /> ' \" = & ; # <a href= <a> </a> <svg> </svg> <math> <mi> <title> </title> <script> </script> <style> </style> <!-- --> --!> <!-- <!doctype html> <![CDATA[ ]]> <template> </template> <col> <p> </p> <div> </div> <table> <td> </table> <b> </b> <frameset> <frame src= <base href= <meta charset= <meta http-equiv=refresh content='0;x'> <foreignObject> <desc> </desc> <textarea> </textarea> <plaintext> <noscript> <li> <select> <option> &amp; &eacute &#x41; &#0; href src=x utf-8 shift_jis é 日 \0 \r \n \t x /"
    .split(" ")
    .concat(" ");

const markup = fc
  .array(fc.constantFrom(...WORDS), { maxLength: 60 })
  .map((words) => Buffer.from(words.join("")));
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
const page = fc.oneof(
  { weight: 4, arbitrary: markup },
  { weight: 1, arbitrary: bytes },
  { weight: 1, arbitrary: fc.tuple(markup, bytes, markup).map((parts) => Buffer.concat(parts)) },
);
const charset = fc.constantFrom(
  undefined,
  "utf-8",
  "windows-1252",
  "shift_jis",
  "utf-16le",
  "iso-2022-jp",
  "gb18030",
  "replacement",
  "no-such",
);

function sourceOf(name: string | undefined): PageSource {
  return { headerEncoding: encodingOfLabel(name) };
}

function inChunks(
  parser: PageParser,
  whole: Buffer,
  cuts: readonly number[],
  source: PageSource,
): Page {
  const reader = parser.open(source);
  let at = 0;
  for (const cut of [...cuts.map((one) => one % (whole.length + 1))].sort((a, b) => a - b)) {
    reader.write(whole.subarray(at, cut));
    at = cut;
  }
  reader.write(whole.subarray(at));
  return reader.end();
}

test("a page is the same however it is cut into chunks", () => {
  const parser = new PageParser(OPTIONS);
  fc.assert(
    fc.property(page, charset, fc.array(fc.nat(1000), { maxLength: 8 }), (whole, name, cuts) => {
      const source = sourceOf(name);
      const expected = new PageParser(OPTIONS).read(whole, source);
      assert.deepEqual(inChunks(parser, whole, cuts, source), expected);
    }),
    { numRuns },
  );
});

test("a page is the same in single bytes", () => {
  const parser = new PageParser(OPTIONS);
  fc.assert(
    fc.property(page, charset, (whole, name) => {
      const source = sourceOf(name);
      const everywhere = Array.from(whole, (_, index) => index);
      const expected = parser.read(whole, source);
      assert.deepEqual(inChunks(parser, whole, everywhere, source), expected);
    }),
    { numRuns: numRuns / 5 },
  );
});

test("a chunk may be reused after the call", () => {
  const parser = new PageParser(OPTIONS);
  fc.assert(
    fc.property(page, fc.integer({ min: 1, max: 9 }), (whole, size) => {
      const reader = parser.open({});
      const chunk = Buffer.alloc(size);
      for (let at = 0; at < whole.length; at += size) {
        const length = whole.copy(chunk, 0, at, at + size);
        reader.write(chunk.subarray(0, length));
        chunk.fill(0x58);
      }
      assert.deepEqual(reader.end(), parser.read(whole));
    }),
    { numRuns: numRuns / 5 },
  );
});

test("pages that are read concurrently do not affect one another", () => {
  const parser = new PageParser(OPTIONS);
  fc.assert(
    fc.property(page, page, (first, second) => {
      const [one, two] = [parser.open({}), parser.open({})];
      for (let at = 0; at < Math.max(first.length, second.length); at += 5) {
        one.write(first.subarray(at, at + 5));
        two.write(second.subarray(at, at + 5));
      }
      assert.deepEqual(one.end(), new PageParser(OPTIONS).read(first));
      assert.deepEqual(two.end(), new PageParser(OPTIONS).read(second));
    }),
    { numRuns: numRuns / 5 },
  );
});

test("what is found in a page is within its limits and well formed", () => {
  const parser = new PageParser(OPTIONS);
  fc.assert(
    fc.property(page, (whole) => {
      const { links, text, title } = parser.read(whole);
      assert.ok(links.length <= 50);
      assert.ok(Buffer.byteLength(text) <= 300 * 3, "a byte that is no text becomes three");
      for (const part of [text, title, ...links.map((link) => link.text)]) {
        assert.doesNotMatch(part, /^[ \n]|[ \n]{2}|[ \n]$|[\t\r\f\0]/);
      }
    }),
    { numRuns },
  );
});
