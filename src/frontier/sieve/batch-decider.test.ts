import assert from "node:assert/strict";
import { test } from "node:test";
import { SieveRig } from "../../../test/support/frontier/sieve-rig.ts";
import type { Background } from "../../base/seams/index.ts";

const BATCH_OFFERS = 10_000;
/** Columns, space to sort in: eight bytes and sixteen for each key. */
const KEY_BYTES = 24;

/** Notes how many bytes each decision takes to the background. */
function watched(background: Background): number[] {
  const moved: number[] = [];
  const run = background.run.bind(background);
  background.run = (task, input, done) => {
    const buffers = task.moves?.input?.(input) ?? [];
    if (task.name === "decideBatch")
      moved.push(buffers.reduce((sum, one) => sum + one.byteLength, 0));
    run(task, input, done);
  };
  return moved;
}

function offerAndDecide(rig: SieveRig, from: number, count: number): void {
  for (let key = from; key < from + count; key += 1) {
    while (!rig.tryOffer({ high: key, low: 1, depth: 0, text: `${key}` })) rig.machine.time.step();
  }
  rig.sieve.flush();
  while (rig.sieve.pending > 0) assert.ok(rig.machine.time.step(), "the sieve decides");
}

test("a batch that is decided early takes only its own keys to the background", () => {
  const rig = new SieveRig("early batches", { withDepth: false, batchOffers: BATCH_OFFERS });
  rig.open();
  const moved = watched(rig.background as Background);
  for (let round = 0; round < 5; round += 1) offerAndDecide(rig, 100 * round, 100);
  assert.deepEqual(moved, Array(5).fill(100 * KEY_BYTES));
  assert.equal(rig.sieve.seen, 500);
});

test("after a full batch, which travels in the large memory, small ones are small again", () => {
  const rig = new SieveRig("full batch", { withDepth: false, batchOffers: BATCH_OFFERS });
  rig.open();
  const moved = watched(rig.background as Background);
  offerAndDecide(rig, 0, BATCH_OFFERS);
  const largest = Math.max(...moved);
  assert.ok(largest > (BATCH_OFFERS / 2) * KEY_BYTES);
  moved.length = 0;
  for (let round = 0; round < 3; round += 1) offerAndDecide(rig, 20_000 + 10 * round, 10);
  assert.deepEqual(moved, Array(3).fill(10 * KEY_BYTES));
  assert.equal(rig.sieve.seen, BATCH_OFFERS + 30);
});
