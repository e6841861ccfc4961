/** The log beside a simple model, in schedules drawn at random. */
import { test } from "node:test";
import fc from "fast-check";
import { openLog } from "../../src/base/log/index.ts";
import { logPlan } from "../support/base/log/log-plans.ts";
import { schedule } from "../support/base/log/log-trials.ts";

const numRuns = process.env["TROBAR_FULL"] === "1" ? 200_000 : 3_000;

test("whatever is done to a log, and whatever fails, it holds what it has acknowledged", (context) => {
  const startedAtMs = performance.now();
  fc.assert(
    fc.property(logPlan, (plan) => schedule(openLog, plan)),
    { numRuns },
  );
  const perSecond = numRuns / ((performance.now() - startedAtMs) / 1000);
  context.diagnostic(`${Math.round(perSecond)} schedules per second`);
});
