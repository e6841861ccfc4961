import assert from "node:assert/strict";
import { test } from "node:test";
import { Interruptions, type Way } from "./interruptions.ts";

/** What was requested after these arrivals; "settle" lets everything sent together arrive. */
function requests(...arrivals: readonly (Way | "settle")[]): number[] {
  const requested: number[] = [];
  let settling: (() => void)[] = [];
  const interruptions = new Interruptions({
    settle: (then) => void settling.push(then),
    requested: (count) => void requested.push(count),
  });
  for (const arrival of arrivals) {
    if (arrival !== "settle") interruptions.arrived(arrival);
    else {
      for (const then of settling) then();
      settling = [];
    }
  }
  return requested;
}

test("a signal to the whole group counts once, in whichever order it arrives", () => {
  assert.deepEqual(requests("signal", "launcher"), [1]);
  assert.deepEqual(requests("launcher", "settle", "signal"), [1]);
});

test("a signal that one sender sends twice counts once", () => {
  assert.deepEqual(requests("signal", "signal"), [1]);
  assert.deepEqual(requests("launcher", "launcher", "signal"), [1]);
});

test("a second request of the user counts, whichever process receives it", () => {
  assert.deepEqual(requests("signal", "settle", "signal"), [1, 2]);
  assert.deepEqual(requests("launcher", "settle", "launcher"), [1, 2]);
  assert.deepEqual(requests("signal", "launcher", "settle", "launcher", "signal"), [1, 2]);
});

test("the end of the launcher counts as one request, and not as another after one", () => {
  assert.deepEqual(requests("launcher-gone"), [1]);
  assert.deepEqual(requests("signal", "settle", "launcher-gone"), [1]);
});
