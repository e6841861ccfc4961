import assert from "node:assert/strict";
import { test } from "node:test";
import { visitHomeRig } from "../../../../../test/support/frontier/visit-home-rig.ts";

test("when a visit state is dropped, its host's wish to be left alone is not", () => {
  const { states, lines, kernel, open, offer } = visitHomeRig();
  const state = open(3);
  offer(state, "a");
  lines.acquireUnresolved()?.resolved(["192.0.2.1"], Number.POSITIVE_INFINITY);
  assert.equal(lines.acquire(), state);
  const ticket = state.takeTicket(kernel.nowMs) ?? assert.fail("it has a URL");
  const { host, address } = state;
  state.takeOff({ errand: { kind: "page", ticket, host, address, attempt: 0 }, ticket });
  state.visit.rest(9000);
  state.land();
  const { restsUntilMs } = state;
  assert.equal(restsUntilMs, kernel.nowMs + 9000);
  assert.equal(states.idlest(false), null, "it is not old");
  assert.equal(states.idlest(true), state);
  state.close();
  assert.equal(states.heldBytes, 0);
  assert.equal(open(3).restsUntilMs, restsUntilMs);
});
