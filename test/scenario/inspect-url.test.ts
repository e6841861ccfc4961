import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

test("more lines are inspected than memory could hold", async () => {
  // A thousand rows come to 200 kB. A worker that outgrows its limits is ended with an error.
  const lines = process.env["TROBAR_FULL"] === "1" ? 1_000_000 : 250_000;
  const worker = new Worker(new URL("./inspect-many.ts", import.meta.url), {
    workerData: { lines },
    resourceLimits: { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 8 },
  });
  const rows = await new Promise((resolve, reject) => {
    worker.on("message", resolve);
    worker.on("error", reject);
  });
  assert.equal(rows, lines);
});
