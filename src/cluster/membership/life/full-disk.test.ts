import assert from "node:assert/strict";
import { test } from "node:test";
import { Members, SETTINGS } from "../../../../test/support/cluster/members.ts";

function leavers(names: readonly string[]): Members {
  return Members.settled(names, { settings: { ...SETTINGS, fullDisk: "leave" } });
}

function fill(members: Members, names: readonly string[]): void {
  for (const name of names) members.at(name).membership.setFull(true);
}

test("an agent whose disk is full says so, and waits", () => {
  const members = Members.settled(["a", "b"]);
  fill(members, ["a"]);
  members.pass(10);
  const [, seen] = [...members.at("b").membership.view.members()];
  assert.equal(seen?.isFull, true);
  assert.equal(members.at("a").membership.state, "active");
});

test("with `leave` it leaves if the disk stays full and somebody has room", () => {
  const members = leavers(["a", "b"]);
  fill(members, ["a"]);
  members.pass(1);
  assert.equal(members.at("a").membership.state, "active", "it may have room again in a moment");
  members.until(() => members.at("a").membership.state === "left", "it has left");
});

test("nobody leaves whose disk has room again soon", () => {
  const members = leavers(["a", "b"]);
  fill(members, ["a"]);
  members.pass(1);
  members.at("a").membership.setFull(false);
  members.pass(10);
  assert.equal(members.at("a").membership.state, "active");
});

test("nobody leaves while all disks are full, and one does when another has room", () => {
  const members = leavers(["a", "b"]);
  fill(members, ["a", "b"]);
  members.pass(10);
  assert.ok(members.areSettled);
  members.at("b").membership.setFull(false);
  members.until(() => members.at("a").membership.state === "left", "it has left");
  assert.equal(members.at("b").membership.state, "active");
});

test("an agent that leaves because its disk is full stays if the others leave too", () => {
  const members = leavers(["a", "b"]);
  members.at("a").isHolding = true;
  fill(members, ["a"]);
  members.until(() => members.at("a").membership.state === "leaving", "the first leaves");
  members.at("b").membership.leave(() => undefined);
  members.until(() => members.at("a").membership.state === "active", "nobody else is left");
  assert.equal(members.at("b").membership.state, "left");
});
