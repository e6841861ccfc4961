import assert from "node:assert/strict";
import { test } from "node:test";
import { PeerView } from "../../../test/support/cluster/peers.ts";
import { Roll } from "./roll.ts";

const STANDINGS = ["alive", "suspect", "dead", "given-up"] as const;

test("a member that is suspected is on the roll, until it is taken for dead", () => {
  const view = new PeerView("a", ["a", "b", "c"]);
  const full = new Roll(view).text;
  const told = STANDINGS.map((standing) => {
    view.set("b", standing);
    const roll = new Roll(view);
    return [standing, roll.has({ id: "b", generation: 1 }), roll.text === full];
  });
  assert.deepEqual(told, [
    ["alive", true, true],
    ["suspect", true, true],
    ["dead", false, false],
    ["given-up", false, false],
  ]);
});
