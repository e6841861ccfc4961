import assert from "node:assert/strict";
import { test } from "node:test";
import { Absences } from "./absences.ts";

const PATIENCE_MS = 7000;

/** Agents a and b on one side, c on the other, for so long. */
function parted(forMs: number): Absences {
  const absences = new Absences();
  absences.partGroup(["a", "b"], { fromMs: 1000, toMs: 1000 + forMs });
  return absences;
}

test("agents that were cut off shortly have six seconds to agree on what they hold", () => {
  const absences = parted(3000);
  const areStrange = (atMs: number): boolean => absences.areStrange("a", "c", atMs, PATIENCE_MS);
  assert.deepEqual([3999, 4000, 10_000, 10_001].map(areStrange), [false, true, true, false]);
});

test("agents that were cut off for a moment, so that nobody can seem dead, have no excuse", () => {
  const absences = parted(2999);
  for (const atMs of [1000, 3999, 4000, 9000]) {
    assert.equal(absences.areApart("a", "c", atMs), false);
    assert.equal(absences.areStrange("a", "c", atMs, PATIENCE_MS), false);
  }
  // Once more before they have heard each other: for them it was all one.
  absences.partPair(["a", "c"], { fromMs: 5000, toMs: 5500 });
  assert.deepEqual(
    [absences.areApart("a", "c", 5500), absences.areApart("b", "c", 5500)],
    [true, false],
  );
});

test("agents that may have given each other up have twelve seconds to tell what they hold", () => {
  const absences = parted(PATIENCE_MS);
  const areStrange = (atMs: number): boolean => absences.areStrange("a", "c", atMs, PATIENCE_MS);
  assert.deepEqual([3999, 4000, 20_000, 20_001].map(areStrange), [false, true, true, false]);
  assert.equal(absences.areStrange("a", "b", 5000, PATIENCE_MS), false, "on the same side");
  assert.equal(absences.areApart("a", "c", 14_001), false, "they are polite to each other by then");
});

test("B5: an agent that was stopped is apart from nobody, and away only if it may have been given up", () => {
  const absences = new Absences();
  absences.isStopped("a", { fromMs: 1000, toMs: 4000 });
  absences.isStopped("b", { fromMs: 1000, toMs: 1000 + PATIENCE_MS });
  for (const atMs of [1000, 3000, 9000]) {
    assert.equal(absences.areApart("a", "c", atMs), false, "it is as polite as ever");
    assert.equal(absences.areStrange("a", "c", atMs, PATIENCE_MS), false);
    assert.equal(absences.wasGivenUp("a", atMs, PATIENCE_MS), false, "it was away for too short");
  }
  assert.equal(absences.wasGivenUp("b", 1000 + PATIENCE_MS, PATIENCE_MS), true);
  assert.equal(absences.areCutOff("a", "c", 3000, 2000), true, "nobody can ask it");
  assert.equal(absences.areCutOff("a", "c", 4001, 2000), false);
});

test("an agent that has left and is back with its disk has twelve seconds to tell what it holds", () => {
  const absences = new Absences();
  absences.isGone("a", { fromMs: 1000, toMs: 1500 });
  const wasGivenUp = (atMs: number): boolean => absences.wasGivenUp("a", atMs, PATIENCE_MS);
  assert.deepEqual([999, 1000, 13_500, 13_501].map(wasGivenUp), [false, true, true, false]);
});
