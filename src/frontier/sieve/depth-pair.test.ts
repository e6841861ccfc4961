import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  bestDepth,
  depthsOfPair,
  PAIRED_DEPTH_MAX,
  PAIRED_HOST_DEPTH_MAX,
  pairOfDepths,
  SINGLE_DEPTH_MAX,
} from "./depth-pair.ts";

const pairs = fc.tuple(fc.nat(PAIRED_DEPTH_MAX), fc.nat(PAIRED_HOST_DEPTH_MAX));

test("a pair keeps both of its numbers, and is neither a single depth nor that of a requisite", () => {
  fc.assert(
    fc.property(pairs, ([depth, hostDepth]) => {
      const pair = pairOfDepths(depth, hostDepth);
      assert.deepEqual(depthsOfPair(pair), { depth, hostDepth });
      assert.ok(pair > SINGLE_DEPTH_MAX && pair < 0x8000);
    }),
  );
  assert.deepEqual(depthsOfPair(pairOfDepths(1e6, 1e6)), {
    ...{ depth: PAIRED_DEPTH_MAX, hostDepth: PAIRED_HOST_DEPTH_MAX },
  });
});

test("of pairs each number is the best of its own, and what is better is smaller", () => {
  fc.assert(
    fc.property(pairs, pairs, ([d1, h1], [d2, h2]) => {
      const [one, other] = [pairOfDepths(d1, h1), pairOfDepths(d2, h2)];
      const best = bestDepth(one, other);
      assert.equal(best, pairOfDepths(Math.min(d1, d2), Math.min(h1, h2)));
      assert.equal(best, bestDepth(other, one));
      assert.ok(best <= one && best <= other);
      assert.equal(best === one, d1 <= d2 && h1 <= h2);
    }),
  );
});

test("of single depths the smaller is the best, and a page is better than a requisite", () => {
  assert.equal(bestDepth(3, 7), 3);
  assert.equal(bestDepth(0x8001, pairOfDepths(200, 60)), pairOfDepths(200, 60));
  assert.equal(bestDepth(0x8002, 0x8001), 0x8001);
});
