import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../../test/support/cluster/members.ts";

interface Told {
  answer: string | number | null;
  message: string;
}

function forget(members: Members, by: string, id: string): Told {
  const result: Told = { answer: null, message: "" };
  members.at(by).membership.forget(id, (error, heldBy) => {
    result.answer = error === null ? heldBy : error.code;
    result.message = error?.message ?? "";
  });
  return result;
}

const SLOW = { settings: { giveUpAfterMs: 600_000 } } as const;

test("G7: an agent that is dead everywhere is given up by all at once, durably", () => {
  const members = Members.settled(["a", "b", "c", "d"], SLOW);
  members.stop("d");
  members.pass(8);
  const result = forget(members, "a", "d");
  members.until(() => result.answer !== null, "it is answered", 5);
  assert.equal(result.answer, 3);
  for (const { gaveUp } of members.processes) assert.equal(gaveUp.length, 1);
  members.stop("b")();
  members.until(() => members.areSettled, "a restart knows it too");
  const known = [...members.at("b").membership.view.members()];
  assert.equal(known.find(({ place }) => place.id === "d")?.standing, "given-up");
});

test("G7: one that is not dead is not forgotten, nor one that somebody else hears", () => {
  const members = Members.settled(["a", "b", "c"], SLOW);
  const alive = forget(members, "a", "c");
  members.pass(2);
  assert.equal(alive.answer, "CLUSTER_FORGET_REFUSED");
  assert.match(
    alive.message,
    /it was heard [\d.]+ s ago, and is not dead before it .* for [\d.]+ s\./,
  );
  members.cluster.network.cut("c", "a");
  // Nor does `a` hear of those who hear it.
  members.pass(7);
  const heard = forget(members, "a", "c");
  members.pass(2);
  assert.equal(heard.answer, "CLUSTER_FORGET_REFUSED");
  assert.match(heard.message, /it is heard by another agent\..*: wait, and try again\./);
  assert.deepEqual(members.at("a").gaveUp, []);
});

test("G7: everybody is asked before anybody gives up", () => {
  const members = Members.settled(["a", "b", "c", "d"], SLOW);
  const { network } = members.cluster;
  // `d` is heard by `c` alone, whose heartbeats do not say so to the others: they are cut at the moment.
  for (const id of ["a", "b"]) network.cut("d", id);
  members.pass(3);
  const heal = [network.cut("c", "a"), network.cut("c", "b")];
  members.pass(3.5);
  for (const undo of heal) undo();
  const result = forget(members, "a", "d");
  members.until(() => result.answer !== null, "it is answered", 10);
  assert.equal(result.answer, "CLUSTER_FORGET_REFUSED");
  for (const { gaveUp } of members.processes) assert.deepEqual(gaveUp, []);
});

test("G7: an id that nobody knows cannot be forgotten, nor the agent that is asked to", () => {
  const members = Members.settled(["a", "b"]);
  const [nobody, self] = [forget(members, "a", "nobody"), forget(members, "a", "a")];
  members.pass(1);
  assert.deepEqual([nobody.answer, self.answer], Array(2).fill("CLUSTER_FORGET_REFUSED"));
  assert.match(nobody.message, /it is not known\. `trobar peers`/);
  assert.match(self.message, /it is the one that was asked\. `trobar leave`/);
});

test("G7, G4: one that was forgotten and comes back joins again", () => {
  const members = Members.settled(["a", "b", "c"], SLOW);
  const restart = members.stop("c");
  members.pass(8);
  const result = forget(members, "a", "c");
  members.until(() => result.answer === 2, "it is forgotten", 5);
  restart();
  members.until(() => members.areSettled, "it is back");
  assert.equal(members.at("a").returned.length, 1);
});
