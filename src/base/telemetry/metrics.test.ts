import assert from "node:assert/strict";
import { test } from "node:test";
import { counter, gauge, histogram, openMetrics, readMetrics } from "./index.ts";

test("metrics are declared as data, written one by one and read all at once", () => {
  const metrics = openMetrics({
    pages: counter("pages parsed"),
    queued: gauge("pages that wait"),
    size: histogram("size of a page", "bytes"),
  });
  metrics.pages.add();
  metrics.pages.add(4);
  metrics.queued.set(7);
  metrics.queued.set(3);
  for (const bytes of [0, 1, 1.5, 2, 1000, 1024]) metrics.size.record(bytes);
  assert.deepEqual(readMetrics(metrics), {
    pages: 5,
    queued: 3,
    size: {
      count: 6,
      sum: 2028.5,
      buckets: [
        { below: 1, count: 1 },
        { below: 2, count: 2 },
        { below: 4, count: 1 },
        { below: 1024, count: 1 },
        { below: 2048, count: 1 },
      ],
    },
  });
});

test("values beyond the last bucket are counted in it", () => {
  const { size } = openMetrics({ size: histogram("size") });
  size.record(Number.MAX_VALUE);
  assert.deepEqual(size.read().buckets, [{ below: 2 ** 53, count: 1 }]);
});
