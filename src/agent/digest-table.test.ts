import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DigestTable } from "./digest-table.ts";

test("a table of digests is a map, also for zeros and through every growth", () => {
  const half = fc.oneof(fc.constantFrom(0, 1, 1024, 0xffffffff), fc.nat(0xffffffff));
  const entry = fc.tuple(half, half, fc.nat(2 ** 31));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 3000 }), (entries) => {
      const table = new DigestTable();
      const model = new Map<string, number>();
      for (const [high, low, value] of entries) {
        assert.equal(table.get(high, low), model.get(`${high}/${low}`) ?? null);
        table.set(high, low, value);
        model.set(`${high}/${low}`, value);
      }
      assert.equal(table.size, model.size);
      for (const [high, low] of entries) {
        assert.equal(table.get(high, low), model.get(`${high}/${low}`));
      }
    }),
    { numRuns: 50 },
  );
});
