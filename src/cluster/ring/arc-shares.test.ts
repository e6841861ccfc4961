import assert from "node:assert/strict";
import { test } from "node:test";
import type { KeyHost } from "../../formats/url/index.ts";
import { type Chosen, pointsOf } from "./circle.fixture.ts";
import { arcShares, type IsIn, Ring } from "./index.ts";

const MEMBERS = Array.from({ length: 12 }, (_, index) => ({
  id: `agent-${index}`,
  capacity: index < 6 ? 1 : 2,
}));

test("the shares of all members are 1 together, and go by capacity", () => {
  const shares = arcShares(Ring.of(MEMBERS, 2_000));
  assert.deepEqual([...shares.keys()], MEMBERS.map(({ id }) => id).sort());
  const sum = [...shares.values()].reduce((one, other) => one + other, 0);
  assert.ok(Math.abs(sum - 1) < 1e-9, `${sum}`);
  for (const { id, capacity } of MEMBERS) {
    const share = (shares.get(id) ?? 0) * 18;
    assert.ok(Math.abs(share / capacity - 1) < 0.1, `${id} has ${share} of ${capacity}`);
  }
});

test("a view shares the circle as a ring of its members does", () => {
  const ring = Ring.of(MEMBERS, 50);
  const isIn: IsIn = (id) => id !== "agent-3" && id !== "agent-11";
  const smaller = ring.without("agent-3").without("agent-11");
  assert.deepEqual(arcShares(ring, isIn), arcShares(smaller));
  const alone = arcShares(ring, (id) => id === "agent-5");
  assert.deepEqual([...alone.keys()], ["agent-5"]);
  assert.ok(Math.abs((alone.get("agent-5") ?? 0) - 1) < 1e-9);
  assert.equal(arcShares(ring, () => false).size, 0);
  assert.equal(arcShares(Ring.of([], 50)).size, 0);
});

test("where points coincide the arcs beside them belong to the smaller id", () => {
  const quarter = 1n << 62n;
  const sharesOf = (chosen: Chosen): [string, number][] => {
    return [...arcShares({ circle: pointsOf(chosen) } as Ring)];
  };
  assert.deepEqual(sharesOf({ b: [0n, quarter], a: [0n] }), [
    ["a", 0.5],
    ["b", 0.5],
  ]);
  assert.deepEqual(sharesOf({ a: [quarter] }), [["a", 1]]);
  assert.deepEqual(sharesOf({ b: [0n], a: [0n, quarter] }), [
    ["a", 1],
    ["b", 0],
  ]);
});

test("many hosts are divided as the circle is", () => {
  const ring = Ring.of(MEMBERS, 20);
  const hosts = 50_000;
  const counts = new Map<string | null, number>();
  for (let index = 0; index < hosts; index += 1) {
    const owner = ring.ownerOf(`host-${index}.example` as KeyHost);
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  for (const [id, share] of arcShares(ring)) {
    const expected = share * hosts;
    const difference = Math.abs((counts.get(id) ?? 0) - expected);
    // Six standard deviations of a fair draw.
    assert.ok(difference < 6 * Math.sqrt(expected), `${id}: ${difference} of ${expected}`);
  }
});
