import assert from "node:assert/strict";
import { test } from "node:test";
import { isOfLeaver } from "./cluster-link.ts";

test("the silence of an address is told unless an agent has left and no other is missed", () => {
  assert.equal(isOfLeaver(["alive", "given-up"]), true);
  for (const standings of [[], ["alive"], ["given-up", "dead"], ["given-up", "suspect"]]) {
    assert.equal(isOfLeaver(standings), false, standings.join());
  }
});
