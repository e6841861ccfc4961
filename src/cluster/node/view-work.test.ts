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

test("T1, L1: nothing has ended while another agent leaves, until it is noted that it is gone", () => {
  const self = { id: "a", generation: 1 };
  const seen = (id: string, state: string, standing: string): boolean =>
    hasLeavers({
      self,
      members: () => [{ place: { id, generation: 1 }, state, standing }],
    } as never);
  assert.equal(seen("b", "leaving", "alive"), true);
  assert.equal(seen("b", "leaving", "dead"), true);
  assert.equal(seen("b", "leaving", "given-up"), false);
  assert.equal(seen("b", "active", "alive"), false);
  assert.equal(seen("a", "leaving", "alive"), false);
});
