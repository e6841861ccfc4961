import assert from "node:assert/strict";
import { test } from "node:test";
import type { Clock } from "../../../base/seams/index.ts";
import { CheckpointClock } from "./checkpoint-clock.ts";

function clockAt(nowMs: number, wallMs: number): Clock {
  return { nowMs: () => nowMs, wallMs: () => wallMs, after: () => assert.fail("no timers") };
}

test("an instant is as far away as before, less the time that has passed", () => {
  const before = CheckpointClock.begin(clockAt(5000, 1_000_000));
  const saved = [7000, 4000, Number.NEGATIVE_INFINITY].map((atMs) => before.save(atMs));
  const after = CheckpointClock.since(clockAt(100, 1_001_501), before.moment);
  assert.deepEqual(
    saved.map((instant) => after.restore(instant)),
    [600, -2400, Number.NEGATIVE_INFINITY],
  );
});

test("a wall clock that was set back makes nobody wait longer than at the checkpoint", () => {
  const before = CheckpointClock.begin(clockAt(5000, 1_000_000));
  const after = CheckpointClock.since(clockAt(100, 5), before.moment);
  assert.equal(after.restore(before.save(7000)), 2100);
});

test("wall times that are cut to milliseconds never shorten a wait", () => {
  const before = CheckpointClock.begin(clockAt(0.9, 1000));
  // One and a tenth milliseconds have passed, and the wall clock shows two.
  const after = CheckpointClock.since(clockAt(2, 1002), before.moment);
  assert.ok(after.restore(before.save(100.9)) >= 100.9);
});

test("what was saved by one process is the same to all that follow", () => {
  const first = CheckpointClock.begin(clockAt(5000, 1_000_000));
  const second = CheckpointClock.since(clockAt(300, 1_002_001), first.moment);
  const saved = first.save(9000);
  assert.equal(second.save(second.restore(saved)), saved);
  const third = CheckpointClock.since(clockAt(70, 1_003_002), second.moment);
  assert.equal(third.restore(saved), 70 + 1000);
});

test("what was left of a pause is waited for again, however the wall clock was set", () => {
  const DAYS_MS = 2 * 24 * 3_600_000;
  const before = CheckpointClock.begin(clockAt(50, 1_000_000));
  const saved = before.save(50 + 700);
  const asked = before.save(50 + 60_000);
  const past = before.save(40);
  for (const wallMs of [1_000_003, 1_000_000 + DAYS_MS, 1_000_000 - DAYS_MS]) {
    const after = CheckpointClock.since(clockAt(9000, wallMs), before.moment);
    assert.equal(after.openedAtMs, 9000);
    assert.ok(Math.abs(after.restoreRest(saved, 1000) - 9700) <= 1, `wall ${wallMs}`);
    assert.ok(after.restoreRest(past, 1000) <= 9000);
    assert.ok(after.restoreRest(asked, 1000) >= 10_000, "a longer rest has at least a pause");
  }
  const after = CheckpointClock.since(clockAt(9000, 1_000_000 + DAYS_MS), before.moment);
  assert.equal(after.restoreRest(asked, 1000), 10_000, "what a server asked for has passed");
  assert.equal(after.restoreRest(null, 1000), Number.NEGATIVE_INFINITY);
});

test("an instant of an earlier process by the wall clock is never one that is still to come", () => {
  const clock = CheckpointClock.begin(clockAt(300, 1_000_000));
  assert.equal(clock.past(999_900), 200);
  assert.equal(clock.past(990_000), -9700);
  assert.equal(clock.past(1_000_500), 300, "the wall clock was set back");
});
