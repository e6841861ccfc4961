import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostName } from "../../../formats/url/index.ts";
import { DEFAULT_FRONTIER_SETTINGS } from "../frontier-settings.ts";
import { VisitStates } from "./visit-states.ts";

test("when a visit state is dropped, its host's wish to be left alone is not", () => {
  const states = new VisitStates(DEFAULT_FRONTIER_SETTINGS);
  const state = states.open(3, "a.example" as HostName, 0);
  state.nextVisitAtMs = 9000;
  assert.equal(states.idlest(1000, false), null, "it is not old");
  assert.equal(states.idlest(1000, true), state);
  states.close(state, 1000);
  assert.equal(states.heldBytes, 0);
  assert.equal(states.open(3, "a.example" as HostName, 2000).nextVisitAtMs, 9000);
});
