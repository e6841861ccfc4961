import assert from "node:assert/strict";
import { test } from "node:test";
import { CustodyRig, entryOf } from "./custody.fixture.ts";

test("C1: of several copies the one whose place comes first in the order of the host is shown", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("a", "b", "c"));
  for (const id of ["c", "b"]) {
    rig.at(id).holdings.pages.add(entry);
    rig.at(id).custody.stored(entry, null);
  }
  rig.pass();
  assert.equal(rig.at("b").holdings.pages.hiddenBy(entry), null);
  assert.equal(rig.at("c").holdings.pages.hiddenBy(entry), "b");
});

test("C1: an owner that has a copy too shows its own, and hides it if it is not the first", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("b", "a"));
  rig.setOutside("b", true).pass();
  for (const id of ["a", "b"]) rig.at(id).holdings.pages.add(entry);
  rig.at("b").custody.stored(entry, null);
  rig.pass();
  assert.equal(
    rig.at("a").holdings.pages.hiddenBy(entry),
    "b",
    "b comes first, in the ring or not",
  );
  assert.equal(rig.at("b").holdings.pages.hiddenBy(entry), null);
});

test("C1, G1: when the place of the visible copy is lost, the hidden one is shown", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("a", "b", "c"));
  for (const id of ["b", "c"]) {
    rig.at(id).holdings.pages.add(entry);
    rig.at(id).custody.stored(entry, null);
  }
  rig.pass().crash("b").giveUp("b").pass();
  assert.equal(rig.at("c").holdings.pages.hiddenBy(entry), null);
  assert.ok(!rig.at("a").holdings.isQueued(entry), "it is not fetched again");
});

test("C1, G1: a copy is not hidden behind that of a place which is lost while it is decided", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("a", "b", "c"));
  for (const id of ["b", "c"]) rig.at(id).holdings.pages.add(entry);
  rig.at("a").custody.arrived([{ ...entry, holders: [rig.place("b"), rig.place("c")] }]);
  rig.peers.view("a").set("b", "given-up");
  rig.pass();
  assert.equal(rig.at("c").holdings.pages.hiddenBy(entry), null);
});

test("C1: nobody is told to hide its copy who has no place in the order yet", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("a", "b", "c"));
  const stranger = { id: "z", generation: 1 };
  for (const id of ["a", "b"]) rig.at(id).holdings.pages.add(entry);
  rig.at("a").custody.arrived([{ ...entry, holders: [stranger, rig.place("b")] }]);
  rig.pass();
  assert.equal(rig.at("a").outboxes.pendingAt(stranger), 0, "it may be the first");
  assert.equal(
    rig.at("b").holdings.pages.hiddenBy(entry),
    "a",
    "of the others, one shows its copy",
  );
});
