import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { TurnQueue } from "./turn-queue.ts";

test("work is done in order, one piece a turn, and never inside the call", () => {
  const time = new SimulatedTime();
  const queue = new TurnQueue(time);
  const done: string[] = [];
  queue.add(() => {
    done.push("first");
    queue.add(() => done.push("added meanwhile"));
  });
  queue.add(() => done.push("second"));
  assert.deepEqual(done, []);
  time.step();
  assert.deepEqual(done, ["first"]);
  time.settle();
  assert.deepEqual(done, ["first", "second", "added meanwhile"]);
});

test("work that throws does not hold up the work behind it", () => {
  const time = new SimulatedTime();
  const queue = new TurnQueue(time);
  let isDone = false;
  queue.add(() => assert.fail("wrong on purpose"));
  queue.add(() => {
    isDone = true;
  });
  assert.throws(() => time.settle(), /wrong on purpose/);
  time.settle();
  assert.ok(isDone);
});
