import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SuffixSet } from "./suffix-set.ts";

const word = fc.string({ unit: fc.constantFrom(..."aAbB.1é"), maxLength: 6 });
const suffix = fc.string({ unit: fc.constantFrom(..."aAbB.1"), maxLength: 4 });

test("a set of suffixes ends a text exactly when one of them does", () => {
  fc.assert(
    fc.property(fc.array(suffix, { maxLength: 5 }), word, (suffixes, text) => {
      const isAny = suffixes.some((one) => text.endsWith(one));
      assert.equal(new SuffixSet(suffixes, true).endsText(text), isAny);
      const isAnyInEitherCase = suffixes.some((one) =>
        text.toLowerCase().endsWith(one.toLowerCase()),
      );
      assert.equal(new SuffixSet(suffixes).endsText(text), isAnyInEitherCase);
    }),
    { numRuns: 2000 },
  );
});
