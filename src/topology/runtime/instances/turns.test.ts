import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../../test/support/lab/simulated-world.ts";
import { type Runnable, Turns } from "./turns.ts";

function runnable(run: () => void): Runnable {
  return { isWoken: false, run };
}

test("who is woken several times before its turn has one", () => {
  const time = new SimulatedTime();
  const turns = new Turns(time);
  const journal: string[] = [];
  const [one, other] = [runnable(() => journal.push("one")), runnable(() => journal.push("other"))];
  for (const who of [one, other, one, one, other]) turns.wake(who);
  assert.ok(!turns.isIdle);
  time.settle();
  assert.deepEqual(journal, ["one", "other"]);
  assert.ok(turns.isIdle);
});

test("who wakes itself comes after all who wait", () => {
  const time = new SimulatedTime();
  const turns = new Turns(time);
  const journal: string[] = [];
  let left = 2;
  const greedy = runnable(() => {
    journal.push("greedy");
    left -= 1;
    if (left > 0) turns.wake(greedy);
  });
  turns.wake(greedy);
  for (const name of ["b", "c"]) turns.wake(runnable(() => journal.push(name)));
  time.settle();
  assert.deepEqual(journal, ["greedy", "b", "c", "greedy"]);
});

test("those who keep each other busy leave room for timers", () => {
  const time = new SimulatedTime();
  const turns = new Turns(time);
  let [runs, isStopped] = [0, false];
  const endless = runnable(() => {
    runs += 1;
    if (!isStopped) turns.wake(endless);
  });
  turns.wake(endless);
  time.after(0, () => {
    isStopped = true;
  });
  time.settle();
  assert.ok(isStopped && runs > 1);
});

test("one that throws keeps nobody else from having its turn", () => {
  const time = new SimulatedTime();
  const turns = new Turns(time);
  const journal: string[] = [];
  turns.wake(
    runnable(() => {
      throw new Error("no");
    }),
  );
  turns.wake(runnable(() => journal.push("next")));
  assert.throws(() => time.settle(), /no/);
  time.settle();
  assert.deepEqual(journal, ["next"]);
});
