import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../../test/support/cluster/members.ts";

function standingOf(members: Members, name: string, id: string): string | undefined {
  const known = [...members.at(name).membership.view.members()];
  return known.find(({ place }) => place.id === id)?.standing;
}

test("an agent that is silent is suspected, then dead, then given up, and only that changes the ring", () => {
  const members = Members.settled(["a", "b", "c"]);
  members.stop("c");
  const seen: string[] = [];
  for (let beats = 0; beats < 13; beats += 1) {
    const standing = standingOf(members, "a", "c") ?? "";
    if (seen.at(-1) !== standing) seen.push(standing);
    const known = [...members.at("a").membership.view.members()];
    const isInRing = known.find(({ place }) => place.id === "c")?.isInRing;
    assert.equal(isInRing, standing !== "given-up");
    members.pass(1);
  }
  assert.deepEqual(seen, ["alive", "suspect", "dead", "given-up"]);
});

test("G6: a place that somebody else hears is not given up", () => {
  const members = Members.settled(["a", "b", "c"]);
  members.cluster.network.cut("c", "a");
  members.pass(40);
  assert.equal(standingOf(members, "a", "c"), "dead");
  assert.deepEqual(members.at("a").gaveUp, []);
});

test("G6: who hears it is believed for as long as a silence that is not death", () => {
  const members = Members.settled(["a", "b", "c"]);
  members.cluster.network.cut("c", "a");
  members.pass(8);
  const undo = members.cluster.network.cut("b", "a");
  members.pass(5);
  assert.equal(standingOf(members, "a", "b"), "suspect", "b is not heard any more");
  assert.deepEqual(members.at("a").gaveUp, [], "c is missed for thirteen beats");
  undo();
  members.pass(20);
  assert.deepEqual(members.at("a").gaveUp, []);
});

test("G6: only what was heard directly is vouched for, so that nobody vouches for ever", () => {
  const members = Members.settled(["a", "b", "c", "d"]);
  // The others have heard of it by `c` for a while.
  for (const id of ["a", "b"]) members.cluster.network.cut("d", id);
  members.pass(6);
  members.stop("d");
  const isGivenUp = (name: string): boolean => standingOf(members, name, "d") === "given-up";
  members.until(() => ["a", "b", "c"].every(isGivenUp), "it is given up", 20);
});

test("G6: nobody vouches for an earlier disk of an agent that it hears", () => {
  const members = Members.settled(["a", "b", "c"]);
  const { self } = members.at("c").membership.view;
  members.stop("c", true)();
  members.until(() => members.areSettled, "it is back, and empty");
  assert.ok(members.at("a").gaveUp.includes(`c.${self.generation}`));
});
