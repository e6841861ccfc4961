import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Kernel, onGrid } from "./kernel.ts";

const LIMITS = { stepsMax: 10_000, virtualMsMax: 1e9 };
const never = (): boolean => false;

test("events happen in the order of their instants, and of scheduling at one instant", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 50 }), (delays) => {
      const kernel = new Kernel({ seed: "order" });
      const happened: { delayMs: number; index: number; nowMs: number }[] = [];
      delays.forEach((delayMs, index) => {
        kernel.schedule(delayMs, () => happened.push({ delayMs, index, nowMs: kernel.nowMs }));
      });
      assert.equal(kernel.runUntil(never, LIMITS), "silent");
      const expected = delays
        .map((delayMs, index) => ({ delayMs, index, nowMs: delayMs }))
        .toSorted((one, other) => one.delayMs - other.delayMs);
      assert.deepEqual(happened, expected);
    }),
  );
});

test("an event may schedule others, also for the same instant, and these come last there", () => {
  const kernel = new Kernel({ seed: "nested" });
  const order: string[] = [];
  kernel.schedule(5, () => {
    order.push("first");
    kernel.schedule(0, () => order.push("child"));
  });
  kernel.schedule(5, () => order.push("second"));
  kernel.runUntil(never, LIMITS);
  assert.deepEqual(order, ["first", "second", "child"]);
  assert.equal(kernel.nowMs, 5);
});

test("a cancelled event does not happen and leaves nothing behind", () => {
  const kernel = new Kernel({ seed: "cancel" });
  const event = kernel.schedule(5, assert.fail);
  event.cancel();
  event.cancel();
  assert.equal(kernel.waiting, 0);
  assert.equal(kernel.step(), false);
  assert.equal(kernel.nowMs, 0);
});

test("a run ends in one of four ways, and never hangs", () => {
  const kernel = new Kernel({ seed: "ends" });
  let ticks = 0;
  const tick = (): void => {
    ticks += 1;
    kernel.schedule(10, tick);
  };
  assert.equal(kernel.runUntil(never, LIMITS), "silent");
  tick();
  assert.equal(
    kernel.runUntil(() => ticks === 4, LIMITS),
    "done",
  );
  assert.equal(kernel.nowMs, 30);
  assert.equal(kernel.runUntil(never, { stepsMax: 3, virtualMsMax: 1e9 }), "out-of-steps");
  assert.equal(kernel.nowMs, 60);
  assert.equal(kernel.runUntil(never, { stepsMax: 1e9, virtualMsMax: 25 }), "out-of-time");
  assert.equal(kernel.nowMs, 85, "time stands at the limit");
  assert.equal(kernel.steps, 8);
});

test("a chain of events without delay is ended by the limit of steps", () => {
  const kernel = new Kernel({ seed: "chain" });
  const again = (): void => void kernel.schedule(0, again);
  again();
  assert.equal(kernel.runUntil(never, LIMITS), "out-of-steps");
  assert.equal(kernel.nowMs, 0);
});

test("time can pass, with or without events in it", () => {
  const kernel = new Kernel({ seed: "pass" });
  const happened: number[] = [];
  kernel.schedule(10, () => kernel.schedule(0, () => happened.push(kernel.nowMs)));
  kernel.schedule(10.5, () => happened.push(kernel.nowMs));
  kernel.pass(10);
  assert.deepEqual(happened, [10]);
  kernel.pass(90);
  assert.deepEqual(happened, [10, 10.5]);
  assert.equal(kernel.nowMs, 100);
});

test("when the condition holds already, nothing happens", () => {
  const kernel = new Kernel({ seed: "already" });
  kernel.schedule(0, assert.fail);
  assert.equal(
    kernel.runUntil(() => true, LIMITS),
    "done",
  );
});

test("a delay is never cut short by rounding", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      (firstMs, secondMs) => {
        const kernel = new Kernel({ seed: "grid" });
        kernel.schedule(firstMs, () => {
          const dueAtMs = kernel.nowMs + secondMs;
          kernel.schedule(secondMs, () => assert.ok(kernel.nowMs >= dueAtMs));
        });
        kernel.runUntil(never, LIMITS);
        assert.equal(kernel.nowMs, onGrid(kernel.nowMs));
        assert.equal(kernel.steps, 2);
      },
    ),
  );
});

test("nothing can be scheduled in the past, nor for an instant that never comes", () => {
  const kernel = new Kernel({ seed: "past" });
  assert.throws(() => kernel.schedule(-1, assert.fail), /not scheduled in the past/);
  assert.throws(() => kernel.schedule(Number.NaN, assert.fail));
  assert.throws(() => kernel.schedule(Number.POSITIVE_INFINITY, assert.fail));
});

test("an error in an event comes out of the run", () => {
  const kernel = new Kernel({ seed: "error" });
  kernel.schedule(1, () => {
    throw new Error("planted");
  });
  assert.throws(() => kernel.runUntil(never, LIMITS), /planted/);
});
