import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RunSize, runsToMerge } from "./merge-policy.ts";

/** Merges until nothing is due; answers with the runs and the bytes that were copied. */
function settle(runs: readonly RunSize[]): { runs: readonly RunSize[]; copiedBytes: number } {
  let [left, copiedBytes] = [runs, 0];
  for (let range = runsToMerge(left, 10); range !== null; range = runsToMerge(left, 10)) {
    const { from, to } = range;
    const liveBytes = left.slice(from, to).reduce((sum, run) => sum + run.liveBytes, 0);
    copiedBytes += liveBytes;
    left = left.toSpliced(from, to - from, { liveBytes, dataBytes: liveBytes });
  }
  return { runs: left, copiedBytes };
}

const run = fc
  .tuple(fc.nat(1000), fc.nat(1000))
  .map(([liveBytes, goneBytes]) => ({ liveBytes, dataBytes: liveBytes + goneBytes }));

test("merging comes to an end: runs are few, and none that is large is mostly empty", () => {
  fc.assert(
    fc.property(fc.array(run, { maxLength: 40 }), (before) => {
      const { runs } = settle(before);
      const total = before.reduce((sum, { liveBytes }) => sum + liveBytes, 0);
      assert.equal(
        runs.reduce((sum, { liveBytes }) => sum + liveBytes, 0),
        total,
      );
      assert.ok(runs.length <= 2 + Math.log2(total + 1));
      for (const { liveBytes, dataBytes } of runs) {
        assert.ok(dataBytes <= 10 || liveBytes >= dataBytes / 2);
      }
    }),
  );
});

test("a buffer after the other makes few runs, and a record is copied about log2(n) times", () => {
  let runs: readonly RunSize[] = [];
  let copiedBytes = 0;
  for (let count = 1; count <= 1024; count += 1) {
    const settled = settle([...runs, { liveBytes: 100, dataBytes: 100 }]);
    ({ runs } = settled);
    copiedBytes += settled.copiedBytes;
    assert.ok(runs.length <= 1 + Math.log2(count), `${runs.length} runs of ${count} buffers`);
  }
  assert.ok(copiedBytes / (1024 * 100) <= 10);
});

test("a single run that is full is left alone", () => {
  assert.equal(runsToMerge([{ liveBytes: 100, dataBytes: 120 }], 10), null);
  assert.equal(runsToMerge([], 10), null);
});
