import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type BundleSize, bundlesToMerge } from "./merge-policy.ts";

/** Merges until nothing is due; answers with the bundles and the bytes that were copied. */
function settle(bundles: readonly BundleSize[]): {
  bundles: readonly BundleSize[];
  copiedBytes: number;
} {
  let [left, copiedBytes] = [bundles, 0];
  for (let range = bundlesToMerge(left, 10); range !== null; range = bundlesToMerge(left, 10)) {
    const { from, to } = range;
    const liveBytes = left.slice(from, to).reduce((sum, bundle) => sum + bundle.liveBytes, 0);
    copiedBytes += liveBytes;
    left = left.toSpliced(from, to - from, { liveBytes, dataBytes: liveBytes });
  }
  return { bundles: left, copiedBytes };
}

const bundle = fc
  .tuple(fc.nat(1000), fc.nat(1000))
  .map(([liveBytes, goneBytes]) => ({ liveBytes, dataBytes: liveBytes + goneBytes }));

test("merging comes to an end: bundles are few, and none that is large is mostly empty", () => {
  fc.assert(
    fc.property(fc.array(bundle, { maxLength: 40 }), (before) => {
      const { bundles } = settle(before);
      const total = before.reduce((sum, { liveBytes }) => sum + liveBytes, 0);
      assert.equal(
        bundles.reduce((sum, { liveBytes }) => sum + liveBytes, 0),
        total,
      );
      assert.ok(bundles.length <= 2 + Math.log2(total + 1));
      for (const { liveBytes, dataBytes } of bundles) {
        assert.ok(dataBytes <= 10 || liveBytes >= dataBytes / 2);
      }
    }),
  );
});

test("one buffer after another makes few bundles, and a record is copied about log2(n) times", () => {
  let bundles: readonly BundleSize[] = [];
  let copiedBytes = 0;
  for (let count = 1; count <= 1024; count += 1) {
    const settled = settle([...bundles, { liveBytes: 100, dataBytes: 100 }]);
    ({ bundles } = settled);
    copiedBytes += settled.copiedBytes;
    assert.ok(
      bundles.length <= 1 + Math.log2(count),
      `${bundles.length} bundles of ${count} buffers`,
    );
  }
  assert.ok(copiedBytes / (1024 * 100) <= 10);
});

test("a single bundle that is full is left alone", () => {
  assert.equal(bundlesToMerge([{ liveBytes: 100, dataBytes: 120 }], 10), null);
  assert.equal(bundlesToMerge([], 10), null);
});
