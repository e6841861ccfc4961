import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { srcsetUrls } from "./srcset.ts";

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

test("any text can be searched for pictures", () => {
  const text = fc.string({ unit: fc.constantFrom(..."\"'`/\\ux2f.,:;=() \nahtp"), maxLength: 60 });
  fc.assert(
    fc.property(text, (written) => {
      srcsetUrls(written);
    }),
    { numRuns: 2000 },
  );
  // Each took minutes with a pattern that tries again from every place.
  srcsetUrls(`a${",".repeat(200_000)}b`);
  srcsetUrls("(".repeat(200_000));
});
