import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { distanceOf, flipped, stranger } from "../../../test/support/parse/near-rig.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { NearBatch } from "./near-batch.ts";

test("a batch finds an entry exactly when one is near enough", () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = new SeededRandom(seed);
      const batch = new NearBatch(200);
      const centre = stranger(random);
      const near = () =>
        flipped(random.below(2) === 0 ? centre : stranger(random), random.below(6), random);
      for (let id = 0; id < 100; id++) {
        const { high, low } = near();
        batch.add(high, low, id);
      }
      const entries = Array.from({ length: batch.count }, (_, entry) => ({
        high: batch.highs[entry] ?? 0,
        low: batch.lows[entry] ?? 0,
      }));
      for (let query = 0; query < 50; query++) {
        const { high, low } = near();
        const distance = random.below(4);
        const entry = batch.find(high, low, distance);
        const isThere = entries.some((each) => distanceOf(each, high, low) <= distance);
        assert.equal(entry >= 0, isThere);
        const found = entries[entry];
        if (found !== undefined) assert.ok(distanceOf(found, high, low) <= distance);
      }
    }),
    { numRuns: 50 },
  );
});

test("of equal hashes a batch keeps the first", () => {
  const batch = new NearBatch(4);
  for (let id = 10; id < 100; id++) batch.add(1, 2, id);
  assert.equal(batch.count, 1);
  assert.equal(batch.idOf(batch.find(1, 2, 0)), 10);
});

test("a chain that grows too long is not walked to its end, and that is counted", () => {
  const batch = new NearBatch(5000);
  const random = new SeededRandom("chain");
  for (let id = 0; id < 5000; id++) batch.add(random.u32(), (random.u32() & 0xffff0000) >>> 0, id);
  assert.equal(batch.find(0x12345678, 0, 3), -1);
  assert.ok(batch.overflows > 0);
});
