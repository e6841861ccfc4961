import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { queuePlan, tryPlan } from "../../../test/support/frontier/queues-plans.ts";
import { QueuesRig } from "../../../test/support/frontier/queues-rig.ts";

const isFull = process.env["TROBAR_FULL"] === "1";

test("whatever is done and whenever it ends, the queues are as the lists of the model", () => {
  fc.assert(
    fc.property(queuePlan, (plan) => tryPlan(plan)),
    { numRuns: isFull ? 5000 : 400 },
  );
});

test("queues can be closed inside the answer to a pull, and answer that once", () => {
  const rig = new QueuesRig({ seed: "closed inside", order: "fifo" });
  rig.open();
  const { queues } = rig;
  for (const host of [0, 1]) rig.push(host, 10, 0);
  let closed = 0;
  queues.pull(0, 1, () =>
    queues.close((error) => {
      assert.equal(error, null);
      closed += 1;
    }),
  );
  rig.settle();
  assert.equal(closed, 1);
});
