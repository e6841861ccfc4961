import assert from "node:assert/strict";
import { test } from "node:test";
import { listed, pointsOf } from "./circle.fixture.ts";
import { joined, joinedAll, withoutAgent } from "./circle.ts";

test("points ascend, and those that coincide are in the order of their agents' ids", () => {
  const points = pointsOf({ b: [7n, 1n << 63n, 9n], c: [7n], a: [7n, (1n << 32n) + 1n] });
  assert.deepEqual(points.ids, ["a", "b", "c"]);
  assert.deepEqual(listed(points), [
    "a:7",
    "b:7",
    "c:7",
    "b:9",
    "a:100000001",
    `b:8${"0".repeat(15)}`,
  ]);
});

test("joining is the same whichever circle comes first", () => {
  const one = pointsOf({ d: [5n, 20n], a: [5n, 6n] });
  const other = pointsOf({ c: [5n, 4n], b: [6n] });
  assert.deepEqual(listed(joined(one, other)), listed(joined(other, one)));
  assert.deepEqual(joined(one, other), joined(other, one));
});

test("an agent that is taken off leaves the others as if it had never come", () => {
  const chosen = { a: [5n, 6n], b: [5n, 9n], c: [1n, 5n, 9n] };
  for (const [gone, rest] of [
    ["a", { b: chosen.b, c: chosen.c }],
    ["b", { a: chosen.a, c: chosen.c }],
    ["c", { a: chosen.a, b: chosen.b }],
  ] as const) {
    assert.deepEqual(withoutAgent(pointsOf(chosen), gone), pointsOf(rest));
  }
  assert.deepEqual(withoutAgent(pointsOf({ a: [1n] }), "a"), joinedAll([]));
});

test("an agent is on a circle once, and only one that is there can be taken off", () => {
  const points = pointsOf({ a: [1n] });
  assert.throws(() => joined(points, pointsOf({ a: [2n] })), /on a circle once/);
  assert.throws(() => withoutAgent(points, "b"), /is on it/);
});
