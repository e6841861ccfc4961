import assert from "node:assert/strict";
import { test } from "node:test";
import { Kernel } from "../../lab/simulator/index.ts";
import { TurnBudget } from "./turn-budget.ts";

/** A clock that moves on when work is done, and says which turn it is. */
function rig() {
  const kernel = new Kernel({ seed: "turns" });
  let spentMs = 0;
  let turn = 0;
  const budget = new TurnBudget({
    nowMs: () => kernel.nowMs + spentMs,
    wallMs: () => 0,
    after: (delayMs, callback) =>
      kernel.clock.after(delayMs, () => {
        turn += 1;
        callback();
      }),
  });
  const ran: string[] = [];
  const work = (name: string, ms: number) => (): void => {
    spentMs += ms;
    ran.push(`${turn}${name}`);
  };
  const settle = (): void => {
    kernel.runUntil(() => false, { stepsMax: 1000, virtualMsMax: 1000 });
  };
  return { budget, ran, work, settle };
}

test("a turn does as much as its time allows, the rest waits for the next", () => {
  const { budget, ran, work, settle } = rig();
  for (const name of ["a", "b", "c", "d", "e"]) budget.later(work(name, 3));
  assert.deepEqual(ran, [], "nothing is done inside the call");
  settle();
  assert.deepEqual(ran, ["1a", "1b", "1c", "2d", "2e"]);
});

test("long tasks have a turn each, and small work that comes meanwhile is not passed", () => {
  const { budget, ran, work, settle } = rig();
  const again = (left: number): void => {
    work("x", 20)();
    if (left > 1) budget.later(() => again(left - 1));
  };
  budget.later(() => again(3));
  budget.later(work("y", 1));
  settle();
  assert.deepEqual(ran, ["1x", "2y", "2x", "3x"]);
});

test("a task that throws costs the others nothing", () => {
  const { budget, ran, work, settle } = rig();
  budget.later(() => {
    throw new Error("a fault");
  });
  budget.later(work("a", 1));
  assert.throws(settle, /a fault/);
  settle();
  assert.deepEqual(ran, ["2a"]);
});
