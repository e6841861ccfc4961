import assert from "node:assert/strict";
import { test } from "node:test";
import { runsToMerge } from "./merge-policy.ts";

test("runs are merged as the digits of a binary number are carried", () => {
  const merged: readonly [counts: number[], count: number][] = [
    [[], 0],
    [[8], 0],
    [[8, 8], 2],
    [[16, 8], 0],
    [[16, 8, 8], 3],
    [[64, 16, 8], 0],
    [[64, 16, 8, 8], 3],
    [[64, 32, 16, 8, 8], 5],
    [[3, 100], 2],
  ];
  for (const [counts, count] of merged) assert.equal(runsToMerge(counts, 2), count, `${counts}`);
});

test("however many runs come, few stay, and a record is written a few times", () => {
  const runs: number[] = [];
  let written = 0;
  let most = 0;
  for (let count = 1; count <= 10_000; count++) {
    runs.push(1);
    for (let merged = runsToMerge(runs, 4); merged > 0; merged = runsToMerge(runs, 4)) {
      const sum = runs.splice(-merged).reduce((total, size) => total + size, 0);
      written += sum;
      runs.push(sum);
    }
    most = Math.max(most, runs.length);
  }
  assert.ok(most <= 14, `${most} runs`);
  assert.ok(written / 10_000 < 8, `${written / 10_000} times`);
});
