import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseContentType } from "./index.ts";

const CASES: readonly [header: string | undefined, media: string, charset: string | undefined][] = [
  [undefined, "", undefined],
  ["", "", undefined],
  ["text/html", "text/html", undefined],
  [" Text/HTML ; CharSet=UTF-8 ", "text/html", "UTF-8"],
  ['text/html;charset="utf-8"', "text/html", "utf-8"],
  ['text/html;charset="ut\\f-8"', "text/html", "utf-8"],
  ['text/html;charset="utf-8', "text/html", "utf-8"],
  ["text/html;charset='utf-8'", "text/html", "'utf-8'"],
  ["text/html;charset=no-such", "text/html", "no-such"],
  ["text/html;charset=;charset=utf-8", "text/html", "utf-8"],
  ["text/html;charset=koi8-r;charset=utf-8", "text/html", "koi8-r"],
  ["text/html;x=y;charset=koi8-r", "text/html", "koi8-r"],
  ['text/html;x=";charset=utf-8";charset=koi8-r', "text/html", "koi8-r"],
  ["text/html;;;charset=koi8-r", "text/html", "koi8-r"],
  ["text/html; charset = koi8-r", "text/html", undefined],
  ["text/html;charset", "text/html", undefined],
  ["text", "", undefined],
  ["text/", "", undefined],
  ["text/html, text/plain", "", undefined],
  ["application/xhtml+xml;charset=utf-16", "application/xhtml+xml", "utf-16"],
];

for (const [header, media, charset] of CASES) {
  test(`Content-Type ${JSON.stringify(header)} is ${media || "nothing"}, ${charset}`, () => {
    assert.deepEqual(parseContentType(header), { media, charset });
  });
}

test("any header is parsed, in linear time", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'text/html;charset="= \\\\,') }), (header) => {
      parseContentType(header);
    }),
  );
  parseContentType(`text/html;${'a="\\'.repeat(100_000)}`);
  parseContentType(`text/html${" ".repeat(100_000)}x`);
  parseContentType(`text/html${";".repeat(100_000)}`);
});
