import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { refreshUrl } from "./refresh.ts";

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

test("any text can be searched for a refresh", () => {
  const text = fc.string({ unit: fc.constantFrom(..."\"'`/\\ux2f.,:;=() \nahtp"), maxLength: 60 });
  fc.assert(
    fc.property(text, (written) => {
      refreshUrl(written);
    }),
    { numRuns: 2000 },
  );
  // This took minutes with a pattern that tries again from every place.
  refreshUrl(`1${" ".repeat(200_000)}x`);
});
