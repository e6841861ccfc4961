import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SimNode } from "../network/sim-node.ts";
import { Kernel } from "./kernel.ts";
import type { Life } from "./life.ts";

const HOUR_MS = 3_600_000;

function newNode(seed = "clock"): { kernel: Kernel; node: SimNode; life: Life } {
  const kernel = new Kernel({ seed });
  const node = new SimNode(kernel, "n1", () => {});
  node.start();
  assert.ok(node.life !== null);
  return { kernel, node, life: node.life };
}

test("a drifting clock gains or loses the given number of millionths", () => {
  for (const ppm of [200, -200, 0]) {
    const { kernel, node, life } = newNode();
    node.drift(ppm);
    const [nowMs, wallMs] = [life.clock.nowMs(), life.clock.wallMs()];
    kernel.pass(HOUR_MS);
    const gainedMs = (HOUR_MS * ppm) / 1_000_000;
    assert.ok(Math.abs(life.clock.nowMs() - nowMs - HOUR_MS - gainedMs) < 0.01);
    assert.ok(Math.abs(life.clock.wallMs() - wallMs - HOUR_MS - gainedMs) < 2);
  }
});

test("the timers of a fast clock fire early by true time, those of a slow one late", () => {
  const { kernel, node, life } = newNode();
  node.drift(100_000);
  let firedAtMs = 0;
  life.clock.after(1100, () => {
    firedAtMs = kernel.nowMs;
  });
  kernel.pass(2000);
  assert.ok(Math.abs(firedAtMs - 1000) < 0.01, `fired at ${firedAtMs}`);
});

test("a timer already set follows the clock when its rate changes", () => {
  const { kernel, node, life } = newNode();
  let firedAtMs = 0;
  life.clock.after(1000, () => {
    firedAtMs = kernel.nowMs;
  });
  kernel.schedule(500, () => node.drift(250_000));
  kernel.pass(2000);
  assert.ok(Math.abs(firedAtMs - 900) < 0.01, `fired at ${firedAtMs}`);
});

test("setting the wall clock moves neither monotonic time nor timers", () => {
  const { kernel, node, life } = newNode();
  const [nowMs, wallMs] = [life.clock.nowMs(), life.clock.wallMs()];
  let firedAtMs = 0;
  life.clock.after(1000, () => {
    firedAtMs = kernel.nowMs;
  });
  node.jumpWall(-2 * HOUR_MS);
  assert.equal(life.clock.wallMs(), wallMs - 2 * HOUR_MS);
  assert.equal(life.clock.nowMs(), nowMs);
  kernel.pass(1000);
  assert.equal(firedAtMs, 1000);
});

test("while the machine sleeps monotonic time stands still, the wall clock goes on", () => {
  const { kernel, node, life } = newNode();
  const [nowMs, wallMs] = [life.clock.nowMs(), life.clock.wallMs()];
  let firedAtMs = 0;
  life.clock.after(100, () => {
    firedAtMs = kernel.nowMs;
  });
  node.pause("machine");
  kernel.schedule(5000, () => node.resume());
  kernel.pass(5000);
  assert.equal(life.clock.nowMs(), nowMs);
  assert.equal(life.clock.wallMs(), wallMs + 5000);
  kernel.pass(1000);
  assert.equal(firedAtMs, 5100);
});

test("while only the process is stopped its clock goes on, and the timer is late", () => {
  const { kernel, node, life } = newNode();
  const nowMs = life.clock.nowMs();
  let firedAtMs = 0;
  life.clock.after(100, () => {
    firedAtMs = kernel.nowMs;
  });
  node.pause();
  kernel.schedule(5000, () => node.resume());
  kernel.pass(5000);
  assert.equal(life.clock.nowMs(), nowMs + 5000);
  assert.equal(firedAtMs, 5000);
});

test("every life counts from another origin", () => {
  const { node, life } = newNode();
  const first = life.clock.nowMs();
  node.crash();
  node.start();
  assert.notEqual(node.life?.clock.nowMs(), first);
});

const deed = fc.oneof(
  fc.record({ kind: fc.constant("drift"), amount: fc.integer({ min: -500_000, max: 500_000 }) }),
  fc.record({ kind: fc.constant("jump"), amount: fc.integer({ min: -1e9, max: 1e9 }) }),
  fc.record({ kind: fc.constant("pause"), amount: fc.constant(0) }),
  fc.record({ kind: fc.constant("sleep"), amount: fc.constant(0) }),
  fc.record({ kind: fc.constant("resume"), amount: fc.constant(0) }),
  fc.record({ kind: fc.constant("timer"), amount: fc.double({ min: 0, max: 50, noNaN: true }) }),
);

test("whatever is done to a clock, it never goes back and no timer fires before its time", () => {
  const deeds = fc.array(fc.tuple(fc.double({ min: 0, max: 30, noNaN: true }), deed));
  fc.assert(
    fc.property(deeds, (list) => {
      const { kernel, node, life } = newNode();
      let lastMs = life.clock.nowMs();
      let [set, fired] = [0, 0];
      const setTimer = (delayMs: number): void => {
        const dueAtMs = life.clock.nowMs() + delayMs;
        set += 1;
        life.clock.after(delayMs, () => {
          fired += 1;
          assert.ok(life.clock.nowMs() >= dueAtMs, `${life.clock.nowMs()} is before ${dueAtMs}`);
        });
      };
      const act = { drift: (ppm: number) => node.drift(ppm), timer: setTimer };
      for (const [waitMs, { kind, amount }] of list) {
        if (kind === "drift" || kind === "timer") act[kind](amount);
        else if (kind === "jump") node.jumpWall(amount);
        else if (kind === "resume") node.resume();
        else node.pause(kind === "sleep" ? "machine" : "process");
        kernel.pass(waitMs);
        assert.ok(life.clock.nowMs() >= lastMs, "monotonic time went back");
        lastMs = life.clock.nowMs();
      }
      node.resume();
      kernel.pass(1000);
      assert.equal(fired, set, "every timer fires in the end");
    }),
  );
});
