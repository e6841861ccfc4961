import assert from "node:assert/strict";
import { test } from "node:test";
import { type MemberProcess, Members } from "../../../../test/support/cluster/members.ts";
import { placeText } from "../../messages/index.ts";

/** A joiner that has become active while `c` is dead, and how to start that again. */
function joinedWithout(giveUpAfterMs: number): [Members, MemberProcess, () => void] {
  const members = Members.settled(["a", "b", "c"], { settings: { giveUpAfterMs } });
  const restart = members.stop("c");
  members.pass(7);
  const joiner = members.start("d");
  members.until(() => joiner.membership.mayFetch, "it is active", 15);
  return [members, joiner, restart];
}

function absentOf({ absences }: MemberProcess): string[] {
  const places = absences.flatMap((absence) => absence.places);
  return places.map((place) => placeText(place).split(".")[0] as string);
}

test("B1: the dead are absent until they are back and have handed over", () => {
  const [members, joiner, restart] = joinedWithout(60_000);
  assert.deepEqual(absentOf(joiner), ["c"]);
  for (const id of ["a", "b"]) assert.deepEqual(absentOf(members.at(id)), [], id);
  restart();
  const back = members.at("c");
  back.isHolding = true;
  members.pass(8);
  assert.deepEqual(absentOf(joiner), ["c"], "it is heard, and has handed over nothing");
  back.handOver();
  members.until(() => joiner.absences.length === 0, "it has handed over", 3);
  assert.ok(back.handedTo.some((place) => place.startsWith("d.")));
});

test("B1, B3: the dead are absent until they are given up and their hosts are taken over", () => {
  const [members, joiner] = joinedWithout(30_000);
  members.at("b").isHolding = true;
  members.until(() => joiner.gaveUp.length > 0, "it is given up", 60);
  assert.ok(joiner.membership.isTakingOver);
  members.pass(4);
  assert.deepEqual(absentOf(joiner), ["c"], "others have not handed over");
  members.at("b").handOver();
  members.until(() => joiner.absences.length === 0, "its hosts are taken over", 6);
});

test("B1, B3: who is given up while an agent joins is absent until its hosts are taken over", () => {
  const settings = { giveUpAfterMs: 20_000 };
  const members = Members.settled(["a", "b", "c"], { settings });
  members.stop("c");
  members.pass(7);
  const joiner = members.start("d");
  const [a, b] = [members.at("a"), members.at("b")];
  a.isHolding = true;
  const hasHandedOver = (): boolean => b.handedTo.some((place) => place.startsWith("d."));
  members.until(hasHandedOver, "one of two has handed over to the joiner", 15);
  members.pass(1);
  b.isHolding = true;
  members.until(() => joiner.gaveUp.length > 0, "the dead one is given up", 60);
  assert.ok(!joiner.membership.mayFetch && joiner.membership.isTakingOver);
  a.handOver();
  members.until(() => joiner.membership.mayFetch, "the joiner is active", 5);
  assert.deepEqual(absentOf(joiner), ["c"], "the other has not handed over what was told to c");
  assert.deepEqual(
    joiner.absences.map(({ ring }) => [...ring].sort().join("")),
    ["abc"],
  );
  b.handOver();
  members.until(() => joiner.absences.length === 0, "its hosts are taken over", 6);
});

test("B1: a restart has absentees too, and the next life has its own", () => {
  const members = Members.settled(["a", "b", "c"], { settings: { giveUpAfterMs: 60_000 } });
  const restartC = members.stop("c");
  members.pass(7);
  members.stop("b")();
  members.until(() => members.at("b").membership.mayFetch, "it is active", 15);
  assert.deepEqual(absentOf(members.at("b")), ["c"]);
  members.stop("b")();
  restartC();
  members.until(() => members.areSettled, "all are there");
  assert.deepEqual(absentOf(members.at("b")), []);
});

test("B1: another disk of an absent agent is not waited for", () => {
  const [members, joiner] = joinedWithout(60_000);
  members.stop("c", true)();
  members.until(() => joiner.absences.length === 0, "the disk is lost");
  members.until(() => members.areSettled, "all are there");
});

test("B1: who joins after another waits for the absent whom that one waits for, in its ring too", () => {
  const [members, , restart] = joinedWithout(60_000);
  const second = members.start("e");
  members.until(() => second.membership.mayFetch, "it is active", 15);
  const rings = second.absences.map(({ ring }) => [...ring].sort().join(""));
  assert.deepEqual(rings.sort(), ["abc", "abcd"]);
  assert.deepEqual(absentOf(second), ["c", "c"]);
  restart();
  members.until(() => second.absences.length === 0, "it is back and has handed over", 20);
});

test("B1: hosts of an absent agent that is back, or lost, may have been another absent one's", () => {
  for (const isLost of [false, true]) {
    const [members] = joinedWithout(60_000);
    const restart = members.stop("d", isLost);
    members.pass(7);
    const second = members.start("e");
    members.until(() => second.membership.mayFetch, "it is active", 15);
    const ringOf = (): string =>
      second.absences.map(({ ring }) => [...ring].sort().join("")).join();
    assert.equal(ringOf(), "abcd");
    restart();
    members.until(() => absentOf(second).join() === "c", "d is back, and c is not", 20);
    assert.equal(ringOf(), "abc");
  }
});
