import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { BatchPace } from "./batch-pace.ts";

const SETTINGS = { lingerMs: 50, restMs: 1000, burst: 4 };

/** Sends batches, each as soon as it may be, for this long; when each was sent. */
function sendFor(totalMs: number, pace: BatchPace, clock: SimulatedTime): number[] {
  const sentAtMs: number[] = [];
  const beganAtMs = clock.nowMs();
  while (clock.nowMs() - beganAtMs < totalMs) {
    clock.kernel.pass(pace.waitMs);
    pace.sent();
    sentAtMs.push(clock.nowMs() - beganAtMs);
  }
  return sentAtMs;
}

test("the first batches go out soon, and then one in a while, however much is told", () => {
  const clock = new SimulatedTime();
  const pace = new BatchPace(clock, SETTINGS);
  const sentAtMs = sendFor(60_000, pace, clock);
  assert.deepEqual(sentAtMs.slice(0, 4), [50, 100, 150, 200]);
  assert.ok(sentAtMs.length >= 62 && sentAtMs.length <= 65, `${sentAtMs.length} in a minute`);
});

test("after a pause batches go out soon again, no more of them than at the beginning", () => {
  const clock = new SimulatedTime();
  const pace = new BatchPace(clock, SETTINGS);
  sendFor(10_000, pace, clock);
  assert.ok(pace.waitMs > SETTINGS.lingerMs);
  clock.kernel.pass(2000);
  assert.equal(pace.waitMs, SETTINGS.lingerMs);
  clock.kernel.pass(3_600_000);
  assert.deepEqual(sendFor(1100, pace, clock).slice(0, 4), [50, 100, 150, 200]);
  assert.ok(pace.waitMs > SETTINGS.lingerMs);
});
