import assert from "node:assert/strict";
import { test } from "node:test";
import type { Clock } from "../../../base/seams/index.ts";
import { CheckpointClock } from "./checkpoint-clock.ts";

function clockAt(nowMs: number, wallMs: number): Clock {
  return { nowMs: () => nowMs, wallMs: () => wallMs, after: () => assert.fail("no timers") };
}

test("an instant is as far away as before, less the time that has passed", () => {
  const before = CheckpointClock.now(clockAt(5000, 1_000_000));
  const saved = [7000, 4000, Number.NEGATIVE_INFINITY].map((atMs) => before.save(atMs));
  const after = CheckpointClock.since(clockAt(100, 1_001_501), 1_000_000);
  assert.deepEqual(
    saved.map((instant) => after.restore(instant)),
    [600, -2400, Number.NEGATIVE_INFINITY],
  );
});

test("a wall clock that was set back makes nobody wait longer than at the checkpoint", () => {
  const saved = CheckpointClock.now(clockAt(5000, 1_000_000)).save(7000);
  assert.equal(CheckpointClock.since(clockAt(100, 5), 1_000_000).restore(saved), 2100);
});

test("wall times that are cut to milliseconds never shorten a wait", () => {
  const saved = CheckpointClock.now(clockAt(0.9, 1000)).save(100.9);
  // One and a tenth milliseconds have passed, and the wall clock shows two.
  assert.ok(CheckpointClock.since(clockAt(2, 1002), 1000).restore(saved) >= 100.9);
});
