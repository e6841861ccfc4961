import { test } from "node:test";
import fc from "fast-check";
import { queuePlan, tryPlan } from "../../../test/support/frontier/queues-plans.ts";

const isFull = process.env["TROBAR_FULL"] === "1";

test("whatever is done and whenever it ends, the queues are as the lists of the model", () => {
  fc.assert(
    fc.property(queuePlan, (plan) => tryPlan(plan)),
    { numRuns: isFull ? 5000 : 400 },
  );
});
