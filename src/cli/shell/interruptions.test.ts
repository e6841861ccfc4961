import assert from "node:assert/strict";
import { test } from "node:test";
import { Interruptions, type Way } from "./interruptions.ts";

/** What was wished for after these arrivals; "settle" lets everything sent together have arrived. */
function wishes(...arrivals: readonly (Way | "settle")[]): number[] {
  const wished: number[] = [];
  let settling: (() => void)[] = [];
  const interruptions = new Interruptions({
    settle: (then) => void settling.push(then),
    wished: (count) => void wished.push(count),
  });
  for (const arrival of arrivals) {
    if (arrival !== "settle") interruptions.arrived(arrival);
    else {
      for (const then of settling) then();
      settling = [];
    }
  }
  return wished;
}

test("a signal to the whole group counts once, in whichever order it arrives", () => {
  assert.deepEqual(wishes("signal", "launcher"), [1]);
  assert.deepEqual(wishes("launcher", "settle", "signal"), [1]);
});

test("a signal that one sender sends twice counts once", () => {
  assert.deepEqual(wishes("signal", "signal"), [1]);
  assert.deepEqual(wishes("launcher", "launcher", "signal"), [1]);
});

test("a user who asks again is heard, whichever process is asked", () => {
  assert.deepEqual(wishes("signal", "settle", "signal"), [1, 2]);
  assert.deepEqual(wishes("launcher", "settle", "launcher"), [1, 2]);
  assert.deepEqual(wishes("signal", "launcher", "settle", "launcher", "signal"), [1, 2]);
});

test("the end of the launcher asks once, and not again when it was asked before", () => {
  assert.deepEqual(wishes("launcher-gone"), [1]);
  assert.deepEqual(wishes("signal", "settle", "launcher-gone"), [1]);
});
