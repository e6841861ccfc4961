/**
 * One of several threads that claim the same few addresses as fast as they can, and notice when two
 * hold one at the same time. Takes the shared memories and its lane's number; answers with its
 * counts.
 */
import { parentPort, workerData } from "node:worker_threads";
import { AddressTable } from "../../src/frontier/front/index.ts";

interface Race {
  readonly table: SharedArrayBuffer;
  readonly visitors: SharedArrayBuffer;
  readonly lane: number;
  readonly rows: number;
  readonly claims: number;
}

const { table, visitors, lane, rows, claims } = workerData as Race;
const addresses = new AddressTable({ memory: table, lane });
const present = new Int32Array(visitors);
let intrusions = 0;
let taken = 0;
let hurried = 0;
for (let turn = 0; taken < claims; turn += 1) {
  const row = turn % rows;
  // Time is a count of visits of the row: each must come after the one before has rested.
  const visits = rows + row;
  const nowMs = present[visits] as number;
  const restedMs = addresses.tryClaim(row, nowMs);
  if (restedMs > nowMs) continue;
  taken += 1;
  if (Atomics.add(present, row, 1) !== 0) intrusions += 1;
  const before = present[visits] as number;
  if (restedMs > before) hurried += 1;
  present[visits] = before + 1;
  Atomics.sub(present, row, 1);
  addresses.release(row, before + 1);
}
parentPort?.postMessage({ intrusions, hurried, taken });
