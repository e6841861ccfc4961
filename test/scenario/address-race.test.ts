import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { AddressTable } from "../../src/frontier/front/index.ts";

const LANES = 3;
const ROWS = 4;
const CLAIMS = 30_000;

interface Counts {
  readonly intrusions: number;
  readonly hurried: number;
  readonly taken: number;
}

test("threads that race for the same addresses never visit one at the same time", async () => {
  const table = AddressTable.memory(ROWS);
  const visitors = new SharedArrayBuffer(2 * ROWS * Int32Array.BYTES_PER_ELEMENT);
  const file = new URL("./address-racer.ts", import.meta.url);
  const counts = await Promise.all(
    Array.from({ length: LANES }, (_, lane) => {
      const workerData = { table, visitors, lane, rows: ROWS, claims: CLAIMS };
      const worker = new Worker(file, { workerData });
      return new Promise<Counts>((resolve, reject) => {
        worker.once("message", resolve);
        worker.once("error", reject);
      });
    }),
  );
  for (const { intrusions, hurried } of counts)
    assert.deepEqual({ intrusions, hurried }, { intrusions: 0, hurried: 0 });
  const visits = new Int32Array(visitors).subarray(ROWS).reduce((sum, count) => sum + count, 0);
  assert.equal(visits, LANES * CLAIMS, "no visit was lost: the rows were held by one at a time");
});
