import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { BatchPace } from "./batch-pace.ts";

const SETTINGS = { lingerMs: 50, restMs: 1000, burst: 4, waitMsMax: 10_000 };

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

/** Batches of as many senders with one pace that are told something all the time, in a minute. */
function sentBy(senders: number): readonly number[] {
  const clock = new SimulatedTime();
  const pace = new BatchPace(clock, SETTINGS);
  const sent = Array.from({ length: senders }, () => 0);
  const sendNext = (sender: number): void =>
    void clock.after(pace.waitMs, () => {
      pace.sent();
      sent[sender] = (sent[sender] ?? 0) + 1;
      sendNext(sender);
    });
  for (const sender of sent.keys()) sendNext(sender);
  clock.kernel.pass(60_000);
  return sent;
}

test("outboxes that share a pace send no more batches the more they are", () => {
  for (const senders of [1, 3, 8]) {
    const sent = sentBy(senders).reduce((sum, count) => sum + count, 0);
    assert.ok(sent >= 55 && sent <= 75, `${senders} senders: ${sent} in a minute`);
  }
});

test("nothing waits for longer than it may, however many share a pace", () => {
  const sent = sentBy(100);
  assert.ok(Math.min(...sent) >= 5 && Math.max(...sent) <= 9, sent.join(" "));
});
