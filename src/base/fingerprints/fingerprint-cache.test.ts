import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BUCKET_SLOTS, FingerprintCache, NO_SLOT } from "./fingerprint-cache.ts";

const half = fc.oneof(fc.nat(3), fc.constantFrom(0x80000000, 0xffffffff), fc.nat(0xffffffff));

test("a cache finds what was put last into each slot, and nothing else", () => {
  const puts = fc.array(fc.tuple(half, half, fc.nat(BUCKET_SLOTS - 1)), { maxLength: 200 });
  fc.assert(
    fc.property(fc.constantFrom(8, 16, 64), puts, (slots, made) => {
      const cache = new FingerprintCache(slots);
      const isUsed = new Set<number>();
      const model = new Map<string, number>();
      for (const [high, low, way] of made) {
        const key = `${high}/${low}`;
        const found = cache.find(high, low);
        const known = found !== NO_SLOT && isUsed.has(found) ? found : undefined;
        assert.equal(known, model.get(key));
        if (found !== NO_SLOT) {
          // A slot that was never used has the fingerprint 0.
          isUsed.add(found);
          model.set(key, found);
          continue;
        }
        const slot = cache.bucketOf(high, low) + way;
        for (const [other, at] of model) if (at === slot) model.delete(other);
        cache.put(slot, high, low);
        isUsed.add(slot);
        model.set(key, slot);
      }
      assert.ok([...model.values()].every((slot) => slot >= 0 && slot < slots));
    }),
  );
});

test("a bucket is eight consecutive slots", () => {
  const cache = new FingerprintCache(64);
  for (let low = 0; low < 64; low += 1) {
    const from = cache.bucketOf(0, low);
    assert.equal(from, low - (low % BUCKET_SLOTS));
  }
});
