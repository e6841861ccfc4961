import assert from "node:assert/strict";
import { test } from "node:test";
import { NodeSeeds } from "./node-seeds.ts";

test("S1: seeds wait in their order until the node is open, and are told once", () => {
  const told: string[][] = [];
  let changes = 0;
  const seeds = new NodeSeeds({
    upTo: 3,
    found: (found) => void told.push([...found]),
    changed: () => {
      changes += 1;
    },
  });
  assert.deepEqual([seeds.upTo, seeds.areTold], [3, true]);
  seeds.arrived(["a", "b"], 5);
  seeds.arrived(["c"], 6);
  assert.deepEqual([told, seeds.upTo, seeds.areTold], [[], 6, false]);
  seeds.open();
  assert.deepEqual([told, seeds.areTold], [[["a", "b", "c"]], true]);
  assert.ok(changes > 0);
  seeds.arrived(["d"], 7);
  assert.deepEqual(told, [["a", "b", "c"], ["d"]]);
});
