import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../../test/support/cluster/members.ts";
import type { Member } from "../membership-listener.ts";

function knows(members: Members, name: string, id: string): boolean {
  return [...members.at(name).membership.view.members()].some(({ place }) => place.id === id);
}

function memberOf(members: Members, name: string, id: string): Member {
  const found = [...members.at(name).membership.view.members()].find(
    ({ place }) => place.id === id,
  );
  return found ?? assert.fail(`${name} does not know ${id}`);
}

/** Lets an agent end; when it may stop, it does. */
function end(members: Members, name: string): { isOver: boolean } {
  const told = { isOver: false };
  members.at(name).membership.end(() => {
    told.isOver = true;
    members.stop(name);
  });
  return told;
}

test("T2: agents that end stop as soon as all have the word of all", () => {
  const members = Members.settled(["a", "b", "c"]);
  const ends = ["a", "b", "c"].map((name) => end(members, name));
  members.pass(1);
  assert.deepEqual(
    ends.map(({ isOver }) => isOver),
    [true, true, true],
  );
});

test("T2: an agent that ends alone stops after some beats, and has ended for the others", () => {
  const members = Members.settled(["a", "b"]);
  const ending = end(members, "a");
  members.pass(2);
  assert.equal(ending.isOver, false, "b might end too");
  members.until(() => ending.isOver, "it stops", 4);
  assert.equal(memberOf(members, "b", "a").hasEnded, true);
  members.at("b").membership.addSeeds(["http://s.test/"], () => undefined);
  members.pass(1);
  assert.equal(memberOf(members, "b", "a").hasEnded, false, "that would be work for it");
});

test("T2: an agent that ends alone stays until a silent one would be suspected, if that is longer", () => {
  const members = Members.settled(["a", "b"], { settings: { suspectAfterMs: 5500 } });
  const ending = end(members, "a");
  members.pass(5);
  assert.equal(ending.isOver, false, "b may be slow");
  members.until(() => ending.isOver, "it stops", 2);
});

test("T2: who was told something since has not ended, nor has one that had not all of it", () => {
  const members = Members.settled(["a", "b", "c"]);
  members.at("c").isTaken = false;
  const ending = end(members, "a");
  members.until(() => ending.isOver, "it stops", 6);
  assert.equal(memberOf(members, "b", "a").hasEnded, true);
  members.at("b").told += 1;
  assert.equal(memberOf(members, "b", "a").hasEnded, false);
  assert.equal(memberOf(members, "c", "a").hasEnded, false);
});

test("T2: a member that stops without a word has not ended", () => {
  const members = Members.settled(["a", "b"]);
  members.stop("a");
  members.pass(9);
  assert.deepEqual(
    [memberOf(members, "b", "a").standing, memberOf(members, "b", "a").hasEnded],
    ["dead", false],
  );
});

test("T2, B1: a joiner does not wait for who has ended, though that has not answered it", () => {
  const members = Members.settled(["a", "b"]);
  members.at("a").isHolding = true;
  const joiner = members.start("c");
  members.until(() => knows(members, "a", "c"), "a hears it");
  const ending = end(members, "a");
  members.until(() => ending.isOver, "a stops", 6);
  members.until(() => joiner.membership.mayFetch, "it is not waited for", 3);
  assert.deepEqual(
    joiner.absences.flatMap(({ places }) => places.map(({ id }) => id)),
    ["a"],
    "its hosts may have pages",
  );
});

test("T2, B1: an empty disk whose crawl has ended with all agents is told so, and does not begin alone", () => {
  const members = Members.settled(["a"]);
  members.at("a").isHolding = true;
  const joiner = members.start("b");
  members.until(() => joiner.membership.state === "joining", "it asks");
  members.pass(2);
  assert.equal(joiner.isTooLate, false);
  end(members, "a");
  members.pass(30);
  assert.deepEqual([joiner.isTooLate, joiner.membership.state], [true, "joining"]);
  const codes = joiner.troubles.map(({ code }) => code);
  assert.equal(codes.filter((code) => code === "CLUSTER_ENDED").length, 1);
});

test("T2: after a restart those that ended are waited for, and then have ended before they are given up", () => {
  const members = Members.settled(["a", "b"]);
  const restarts = new Map<string, () => void>();
  for (const name of ["a", "b"]) {
    members.at(name).membership.end(() => restarts.set(name, members.stop(name)));
  }
  members.pass(2);
  restarts.get("b")?.();
  members.pass(9);
  assert.deepEqual(
    [memberOf(members, "b", "a").standing, memberOf(members, "b", "a").hasEnded],
    ["dead", false],
    "it may be started again, too",
  );
  members.pass(3);
  assert.equal(memberOf(members, "b", "a").hasEnded, true);
  members.pass(20);
  assert.deepEqual(members.at("b").gaveUp, [], "there is time to end without it");
  members.until(() => members.at("b").gaveUp.length > 0, "b has not ended", 6);
});

test("T2: whoever starts again takes part again", () => {
  const members = Members.settled(["a", "b"]);
  let restart = (): void => assert.fail("a has not stopped");
  members.at("a").membership.end(() => {
    restart = members.stop("a");
  });
  members.pass(6);
  assert.equal(memberOf(members, "b", "a").hasEnded, true);
  restart();
  members.until(() => members.areSettled, "it is back");
  assert.equal(memberOf(members, "b", "a").hasEnded, false);
});
