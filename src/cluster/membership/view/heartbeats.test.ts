import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../../test/support/cluster/members.ts";
import { BEAT, type Beat } from "../membership-messages.ts";

const QUIET: Beat = {
  ...{ state: "active", isFull: false, seedsHash: "", configuration: { number: 0, by: "" } },
  ...{ missing: [], heard: [], number: 1_000_000 },
  vote: { isVoter: false, ringHash: "", heard: [], condemned: [] },
};

function member(members: Members, name: string, id: string): { state: string; isFull: boolean } {
  const all = [...members.at(name).membership.view.members()];
  return all.find(({ place }) => place.id === id) ?? assert.fail();
}

test("what an agent is doing is told to all at once, not with the next beat", () => {
  const members = Members.settled(["a", "b", "c"]);
  members.pass(2);
  members.at("b").isHolding = true;
  members.at("b").membership.leave(() => undefined);
  members.kernel.pass(20);
  assert.equal(member(members, "a", "b").state, "leaving");
});

test("a late beat does not undo what a later one has said", () => {
  const members = Members.settled(["a", "b"]);
  members.at("b").messenger.tell(BEAT, { ...QUIET, isFull: true });
  members.kernel.pass(20);
  assert.equal(member(members, "a", "b").isFull, true);
  members.at("b").messenger.tell(BEAT, { ...QUIET, number: 999_999 });
  members.kernel.pass(20);
  assert.equal(member(members, "a", "b").isFull, true);
});

test("the beats of another life count from its first", () => {
  const members = Members.settled(["a", "b"]);
  members.pass(30);
  members.stop("b")();
  members.until(() => members.areSettled, "it lives again");
  members.pass(1);
  assert.equal(member(members, "a", "b").state, "active");
});

test("G1: a heartbeat that names a later disk of an agent ends the earlier one", () => {
  const members = Members.settled(["a", "b", "c"]);
  const { generation } = members.at("c").membership.view.self;
  const place = { id: "c", generation: generation + 1 };
  members.at("b").messenger.tell(BEAT, { ...QUIET, missing: [{ place, incarnation: 1 }] });
  members.kernel.pass(20);
  assert.deepEqual(members.at("a").gaveUp, [`c.${generation}`]);
});

test("P2: an elector that does not know a life which others miss comes to know it", () => {
  const members = Members.settled(["a", "b", "c"], { settings: { partition: "fence" } });
  const place = { id: "z", generation: 5 };
  members.at("b").messenger.tell(BEAT, { ...QUIET, missing: [{ place, incarnation: 3 }] });
  members.kernel.pass(20);
  const { view } = members.at("a").membership;
  assert.equal(view.onProbation, 1);
  assert.equal([...view.members()].find(({ place: { id } }) => id === "z")?.incarnation, 3);
});
