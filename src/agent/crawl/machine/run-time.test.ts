import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { RunTime } from "./run-time.ts";

interface Rig {
  readonly time: RunTime;
  /** When it was told that the time is up. */
  readonly ups: number[];
  readonly advance: (ms: number) => void;
}

function rig(): Rig {
  const clock = new SimulatedTime();
  const ups: number[] = [];
  const startMs = clock.nowMs();
  const time = new RunTime(clock, () => void ups.push(clock.nowMs() - startMs));
  const advance = (ms: number): void => {
    let isOver = false;
    clock.after(ms, () => {
      isOver = true;
    });
    while (!isOver) clock.step();
  };
  return { time, ups, advance };
}

test("the time of earlier runs counts, and so does a limit that is set later", () => {
  const { advance, time, ups } = rig();
  time.start(400);
  time.limit(1000);
  advance(500);
  assert.deepEqual([time.elapsedMs, ups], [900, []]);
  time.limit(2000);
  advance(500);
  assert.deepEqual([time.elapsedMs, ups], [1400, []]);
  advance(600);
  assert.deepEqual(ups, [1600]);
});

test("the time of a pause does not count", () => {
  const { advance, time, ups } = rig();
  time.start(0);
  time.limit(1000);
  advance(600);
  time.pause();
  time.pause();
  advance(5000);
  assert.deepEqual([time.elapsedMs, ups], [600, []]);
  time.resume();
  time.resume();
  advance(399);
  assert.deepEqual([time.elapsedMs, ups], [999, []]);
  advance(1);
  assert.deepEqual(ups, [6000]);
});

test("a limit that has passed already is told at once, but not during a pause", () => {
  const { advance, time, ups } = rig();
  time.start(0);
  advance(100);
  time.pause();
  time.limit(50);
  advance(10);
  assert.deepEqual(ups, []);
  time.resume();
  advance(1);
  assert.deepEqual(ups, [110]);
});
