import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodingOfLabel } from "./encoding-name.ts";
import { type EncodingName, encodeQuery } from "./index.ts";

/** Link, label, what becomes of it. */
const CASES: readonly [link: string, label: string, expected: string][] = [
  ["/a?q=é", "latin1", "/a?q=%E9"],
  ["/é?q=é#é", "latin1", "/é?q=%E9#é"],
  ["/é", "latin1", "/é"],
  ["/a#?é", "latin1", "/a#?é"],
  ["?é?é", "latin1", "?%E9?%E9"],
  ["?q=é&p=%20 x", "latin1", "?q=%E9&p=%20%20x"],
  ["?q='é\"", "latin1", "?q=%27%E9%22"],
  ["?q=日", "latin1", "?q=%26%2326085%3B"],
  ["?q=😀", "latin1", "?q=%26%23128512%3B"],
  ["?q=é\n\té", "latin1", "?q=%E9%E9"],
  ["?q=日本", "shift_jis", "?q=%93%FA%96{"],
  ["?q=日本", "euc-jp", "?q=%C6%FC%CB%DC"],
  ["?q=日本", "iso-2022-jp", "?q=%1B$BF|K\\%1B(B"],
  ["?q=中文", "gbk", "?q=%D6%D0%CE%C4"],
  ["?q=中文", "big5", "?q=%A4%A4%A4%E5"],
  ["?q=한글", "euc-kr", "?q=%C7%D1%B1%DB"],
  ["?q=При", "koi8-r", "?q=%F0%D2%C9"],
  ["?q=é", "koi8-r", "?q=%26%23233%3B"],
  ["?q=é", "utf-8", "?q=é"],
  ["?q=é", "utf-16le", "?q=é"],
  ["?q=é", "iso-2022-kr", "?q=é"],
  ["http://x/?é", "latin1", "http://x/?%E9"],
  ["HTTPS://x/?é", "latin1", "HTTPS://x/?%E9"],
  ["mailto:x?é", "latin1", "mailto:x?é"],
  ["ws://x/?é", "latin1", "ws://x/?é"],
  ["javascript:a?é:b", "latin1", "javascript:a?é:b"],
];

for (const [link, label, expected] of CASES) {
  test(`${JSON.stringify(link)} on a page in ${label} is ${expected}`, () => {
    assert.equal(encodeQuery(link, encodingOfLabel(label) as EncodingName), expected);
  });
}

test("on a UTF-8 page the platform's URL parser gives the same with and without", () => {
  const utf8 = encodingOfLabel("utf-8") as EncodingName;
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (link) => {
      assert.equal(encodeQuery(link, utf8), link);
    }),
  );
});

test("any link can be encoded for any page, and its query is then ASCII", () => {
  const labels = ["latin1", "shift_jis", "gbk", "big5", "euc-kr", "iso-2022-jp", "koi8-r"];
  const link = fc.string({ unit: fc.constantFrom("?", "#", "é", "日", "😀", "\ud800", "a", "%") });
  fc.assert(
    fc.property(link, fc.constantFrom(...labels), (text, label) => {
      const encoded = encodeQuery(text, encodingOfLabel(label) as EncodingName);
      const query = /^[^#?]*\?([^#]*)/.exec(encoded)?.[1] ?? "";
      assert.match(query, /^\p{ASCII}*$/u);
    }),
  );
});
