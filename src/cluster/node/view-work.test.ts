import assert from "node:assert/strict";
import { test } from "node:test";
import { hasLeavers, ViewWork } from "./view-work.ts";

test("T1: a view counts when its ring, its lives or its seeds are others, or somebody is on probation", () => {
  const work = new ViewWork();
  const seen = [
    { hash: "one", onProbation: 0 },
    { hash: "one", onProbation: 1 },
    { hash: "two", onProbation: 1 },
  ];
  for (const view of seen) work.changed(view);
  assert.equal(work.changes, 3);
});

test("T1: a view in which only suspicions differ does not count", () => {
  const work = new ViewWork();
  work.changed({ hash: "one", onProbation: 0 });
  work.changed({ hash: "one", onProbation: 0 });
  assert.equal(work.changes, 1);
});

const SELF = { id: "a", generation: 1 };
const OTHER = { id: "b", generation: 1 };

/** Whether the end waits for a member, which is in the ring unless it leaves. */
function isAwaited(id: string, state: string, standing: string, told = [OTHER]): boolean {
  const member = { place: { id, generation: 1 }, state, standing, isInRing: state === "active" };
  return hasLeavers({ self: SELF, members: () => [member] } as never, () => told);
}

test("T1, L1: nothing has ended while another agent leaves, until it is noted that it is gone", () => {
  assert.equal(isAwaited("b", "leaving", "alive"), true);
  assert.equal(isAwaited("b", "leaving", "dead"), true);
  assert.equal(isAwaited("b", "leaving", "given-up"), false);
  assert.equal(isAwaited("b", "active", "alive"), false);
  assert.equal(isAwaited("a", "leaving", "alive"), false);
});

test("T1, L1: nothing has ended while one joins again that was told something before it was to leave", () => {
  assert.equal(isAwaited("b", "joining", "alive"), true);
  assert.equal(isAwaited("b", "joining", "given-up"), false, "that has come back");
  assert.equal(isAwaited("b", "joining", "alive", []), false, "nobody waits for newcomers");
  assert.equal(isAwaited("b", "joining", "alive", [{ ...OTHER, generation: 0 }]), false);
});
