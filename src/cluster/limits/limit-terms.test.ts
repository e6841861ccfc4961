import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Place } from "../messages/index.ts";
import { changedTerms, foundingTerms, issuedBy } from "./limit-terms.ts";

const bounds = fc.record({
  pages: fc.option(fc.nat(100)),
  bytes: fc.option(fc.nat(100)),
  timeMs: fc.option(fc.nat(100)),
});
const place = fc.record<Place>({
  id: fc.constantFrom("a", "b"),
  generation: fc.constantFrom(1, 2),
});

test("M7: what all have issued is the limit, whoever has changed it how often", () => {
  fc.assert(
    fc.property(bounds, fc.array(fc.tuple(place, bounds)), (first, changes) => {
      let terms = foundingTerms(first);
      for (const [by, change] of changes) {
        terms = changedTerms(terms, by, change);
        const issued = issuedBy(terms, () => true);
        for (const currency of ["pages", "bytes"] as const) {
          assert.equal(terms[currency], change[currency]);
          if (change[currency] === null) continue;
          assert.equal(terms.founded[currency] + issued[currency], change[currency]);
        }
        assert.equal(terms.timeMs, change.timeMs);
      }
      assert.ok(terms.issues.length <= 4, "one for each place");
    }),
  );
});
