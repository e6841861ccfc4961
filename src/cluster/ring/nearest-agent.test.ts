import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { AgentId } from "../../base/transport/index.ts";
import { type Chosen, orderByDefinition, placeAt, pointsOf } from "./circle.fixture.ts";
import { circleOf } from "./circle.ts";
import { agentsOutward, nearestAgent } from "./nearest-agent.ts";

const LAST = (1n << 64n) - 1n;
const HALF = 1n << 63n;

function orderOf(chosen: Chosen, place: bigint): AgentId[] {
  const circle = circleOf(pointsOf(chosen));
  const order = [...agentsOutward(circle, placeAt(place))].map((agent) => circle.ids[agent] ?? "");
  assert.equal(circle.ids[nearestAgent(circle, placeAt(place))], order[0]);
  return order;
}

test("the nearest point has the place, in either direction and across zero", () => {
  const points = { a: [100n], b: [200n], c: [LAST - 9n] };
  assert.deepEqual(orderOf(points, 149n), ["a", "b", "c"]);
  assert.deepEqual(orderOf(points, 151n), ["b", "a", "c"]);
  assert.deepEqual(orderOf(points, 10n), ["c", "a", "b"]);
  assert.deepEqual(orderOf(points, 60n), ["a", "c", "b"]);
  assert.deepEqual(orderOf(points, LAST), ["c", "a", "b"]);
});

test("agents that are equally near come in the order of their ids", () => {
  assert.deepEqual(orderOf({ b: [100n], a: [200n] }, 150n), ["a", "b"]);
  assert.deepEqual(orderOf({ a: [100n], b: [200n] }, 150n), ["a", "b"]);
  assert.deepEqual(orderOf({ b: [LAST], a: [1n] }, 0n), ["a", "b"]);
  assert.deepEqual(orderOf({ d: [100n], c: [100n], b: [200n], a: [200n] }, 150n), [..."abcd"]);
});

test("agents whose points coincide are all there, from every side", () => {
  const points = { b: [100n], a: [100n], c: [100n, 100n] };
  for (const place of [0n, 99n, 100n, 101n, HALF, LAST]) {
    assert.deepEqual(orderOf(points, place), ["a", "b", "c"], `${place}`);
  }
});

test("no agent is locked out by another that has the same points and one more", () => {
  const points = { a: [100n, 5_000n], b: [100n, 5_000n, 9_000n] };
  assert.deepEqual(orderOf(points, 100n), ["a", "b"]);
  assert.deepEqual(orderOf(points, 8_000n), ["b", "a"]);
});

test("the point on the other side of the circle is as far in both directions", () => {
  assert.deepEqual(orderOf({ a: [HALF + 5n] }, 5n), ["a"]);
  assert.deepEqual(orderOf({ b: [HALF + 5n], a: [HALF + 5n], c: [HALF + 4n] }, 5n), [..."cab"]);
});

test("the order is that of the definition, also where points coincide or lie opposite", () => {
  const near = (center: bigint): fc.Arbitrary<bigint> =>
    fc.bigInt(-3n, 3n).map((offset) => BigInt.asUintN(64, center + offset));
  const place = fc.oneof(
    fc.bigInt(0n, LAST),
    near(0n),
    near(HALF),
    near(1n << 32n),
    near(0xffff_ffffn << 32n),
  );
  const own = fc.array(place, { minLength: 1, maxLength: 6 });
  const id = fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom(..."ab0_") });
  fc.assert(
    fc.property(fc.dictionary(id, own, { minKeys: 1, maxKeys: 8 }), place, (points, at) => {
      assert.deepEqual(orderOf(points, at), orderByDefinition(points, at));
    }),
    { numRuns: 2_000 },
  );
});
