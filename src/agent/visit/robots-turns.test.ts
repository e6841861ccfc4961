import assert from "node:assert/strict";
import { test } from "node:test";
import { TurnBudget } from "../../base/time/index.ts";
import { Kernel } from "../../lab/simulator/index.ts";
import { type RobotsTurn, RobotsTurns } from "./robots-turns.ts";

const LARGE = 500_000;

/** Large files that take this long each; `begun` is when each was read. */
function rig(tookMs: number) {
  const kernel = new Kernel({ seed: "robots" });
  const { clock } = kernel;
  const turns = new RobotsTurns(clock, new TurnBudget(clock));
  const begun: number[] = [];
  const ask = (): RobotsTurn | null => {
    const turn = turns.take(LARGE, () => {
      begun.push(clock.nowMs());
      // In reality reading blocks the event loop; here other work goes on meanwhile.
      clock.after(tookMs, () => turn !== null && turns.end(turn, tookMs));
    });
    return turn;
  };
  const settle = (): void => {
    kernel.runUntil(() => false, { stepsMax: 1000, virtualMsMax: 100_000 });
  };
  return { kernel, turns, begun, ask, settle };
}

test("large files are read one at a time, and take a quarter of the time", () => {
  const { kernel, begun, ask, settle } = rig(100);
  for (let count = 0; count < 4; count += 1) ask();
  assert.deepEqual(begun, [], "nothing is read inside the call");
  settle();
  const [first = kernel.nowMs] = begun;
  assert.deepEqual(
    begun.map((atMs) => atMs - first),
    [0, 400, 800, 1200],
  );
});

test("files of ordinary size are read at once, also while large ones wait", () => {
  const { turns, ask } = rig(100);
  ask();
  ask();
  let count = 0;
  const turn = turns.take(65_536, () => {
    count += 1;
  });
  assert.deepEqual([turn, count], [null, 1]);
});

test("a file that was given up does not hold up the next one", () => {
  const { turns, begun, ask, settle } = rig(100);
  const given = [ask(), ask(), ask()];
  for (const turn of given) turns.end(turn ?? assert.fail("it is large"), 0);
  ask();
  settle();
  assert.equal(begun.length, 1);
});

test("at the end of a crawl no file waits for a turn", () => {
  const { kernel, turns, begun, ask } = rig(1000);
  for (let count = 0; count < 20; count += 1) ask();
  kernel.runUntil(() => begun.length === 1, { stepsMax: 100, virtualMsMax: 100 });
  const stoppedAtMs = kernel.nowMs;
  turns.stop();
  kernel.runUntil(() => begun.length === 20, { stepsMax: 100, virtualMsMax: 100 });
  assert.equal(begun.length, 20);
  assert.equal(begun.at(-1), stoppedAtMs);
});
