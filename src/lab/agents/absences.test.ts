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
  assert.deepEqual([999, 1000, 10_000, 10_001].map(areStrange), [false, true, true, false]);
});

test("agents that may have given each other up have twelve seconds to tell what they hold", () => {
  const absences = parted(PATIENCE_MS);
  const areStrange = (atMs: number): boolean => absences.areStrange("a", "c", atMs, PATIENCE_MS);
  assert.deepEqual([999, 1000, 20_000, 20_001].map(areStrange), [false, true, true, false]);
  assert.equal(absences.areStrange("a", "b", 2000, PATIENCE_MS), false, "on the same side");
  assert.equal(absences.areApart("a", "c", 14_001), false, "they are polite to each other by then");
});
