import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { countWords, isBinary } from "./index.ts";
import { refreshUrl } from "./links/refresh.ts";
import { urlStrings } from "./links/script-strings.ts";
import { srcsetUrls } from "./links/srcset.ts";

const REFRESHES: readonly [content: string, url: string | undefined][] = [
  ["0; url=next", "next"],
  ["0;URL='next page'", "next page"],
  ['5 , uRl = "next"x', "next"],
  ["5;next", "next"],
  ["5 next", "next"],
  ["5;'next'", "next"],
  ["5; url next", "url next"],
  ["5; urlnext", "urlnext"],
  ["5;url='next", "next"],
  [".5;url=next", "next"],
  ["5.5.5;url=next", "next"],
  ["5", ""],
  ["5;", ""],
  ["5;url=", ""],
  ["", undefined],
  ["url=next", undefined],
  ["-1;url=next", undefined],
  ["5x;url=next", undefined],
  [" 5 ; url = next ", "next"],
];

for (const [content, url] of REFRESHES) {
  test(`a refresh of ${JSON.stringify(content)} leads to ${url}`, () => {
    assert.equal(refreshUrl(content), url);
  });
}

const SRCSETS: readonly [srcset: string, ...urls: string[]][] = [
  ["a.png", "a.png"],
  ["a.png 1x, b.png 2x", "a.png", "b.png"],
  ["a.png 1x,b.png 2x", "a.png", "b.png"],
  ["a.png,b.png", "a.png,b.png"],
  ["a.png, b.png", "a.png", "b.png"],
  ["a,b.png 100w 50h , c.png", "a,b.png", "c.png"],
  ["a.png (1,2) 3x, b.png", "a.png", "b.png"],
  ["a.png (1,2", "a.png"],
  [",, a.png,,", "a.png"],
  ["\n a.png\t2x\n,\n b.png", "a.png", "b.png"],
  ["data:image/png;base64,AA== 1x, b.png 2x", "data:image/png;base64,AA==", "b.png"],
  [""],
  [" , "],
];

for (const [srcset, ...urls] of SRCSETS) {
  test(`the srcset ${JSON.stringify(srcset)} names ${urls.length} pictures`, () => {
    assert.deepEqual(srcsetUrls(srcset), urls);
  });
}

const SCRIPTS: readonly [script: string, ...urls: string[]][] = [
  ['location.href = "/login?next=1";', "/login?next=1"],
  ["load('https://cdn.example.org/x.js')", "https://cdn.example.org/x.js"],
  ['{"url":"https:\\/\\/example.org\\/a"}', "https://example.org/a"],
  ['"\\u002Fpath\\x2fpage"', "/path/page"],
  ["a = `./part/one`, b = '../up'", "./part/one", "../up"],
  ['go("page.html?x=1"); go("list.php")', "page.html?x=1", "list.php"],
  ['"//example.org/x"', "//example.org/x"],
  ["// don't be fooled\nx('/real')", "/real"],
  ['"/a b" "/<b>" "/{id}" "/" "//" "/$1" "/[a-z]+/"'],
  ['"text/html" "use strict" "a.b.c" "12/34" "and/or"'],
  ["'mixed\" quotes'"],
  ['"/unfinished'],
  [""],
];

for (const [script, ...urls] of SCRIPTS) {
  test(`the script ${JSON.stringify(script)} holds ${urls.length} URL-like strings`, () => {
    assert.deepEqual(urlStrings(script), urls);
  });
}

test("any text can be searched for URLs, pictures and refreshes", () => {
  const text = fc.string({ unit: fc.constantFrom(..."\"'`/\\ux2f.,:;=() \nahtp"), maxLength: 60 });
  fc.assert(
    fc.property(text, (written) => {
      urlStrings(written);
      srcsetUrls(written);
      refreshUrl(written);
    }),
    { numRuns: 2000 },
  );
  // Each took minutes with a pattern that tries again from every place.
  urlStrings('"/'.repeat(200_000));
  urlStrings(`"/${"a".repeat(200_000)}é"`);
  srcsetUrls(`a${",".repeat(200_000)}b`);
  srcsetUrls("(".repeat(200_000));
  refreshUrl(`1${" ".repeat(200_000)}x`);
});

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

test("a text with NUL bytes is binary, unless it is UTF-16 with a mark", () => {
  assert.ok(isBinary(Buffer.from("GIF89a\0")));
  assert.ok(!isBinary(Buffer.from("<p>text")));
  assert.ok(!isBinary(Buffer.from("\ufefftext", "utf16le")));
  assert.ok(!isBinary(Buffer.from(`${"a".repeat(1000)}\0`)), "only the first bytes count");
  assert.ok(!isBinary(new Uint8Array(0)));
});
