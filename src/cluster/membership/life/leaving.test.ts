import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../../test/support/cluster/members.ts";

test("L1: a leaver owns nothing at once, hands over, and is given up by all before it ends", () => {
  const members = Members.settled(["a", "b", "c"]);
  const leaver = members.at("c");
  leaver.isHolding = true;
  let hasLeft = false;
  leaver.membership.leave(() => {
    hasLeft = true;
  });
  assert.equal(leaver.visits, 0);
  members.pass(3);
  assert.equal(members.at("a").membership.view.ownerOf("h1.test" as never) === "c", false);
  assert.ok(!hasLeft, "not before everything is handed over");
  assert.deepEqual(members.at("a").gaveUp, []);
  leaver.handOver();
  members.until(() => hasLeft, "it has left", 5);
  for (const name of ["a", "b"]) assert.equal(members.at(name).gaveUp.length, 1, name);
  assert.equal(leaver.membership.state, "left");
});

test("L1: that it was given up is durable before the leaver ends", () => {
  const members = Members.settled(["a", "b"]);
  // It has no vote to give back, which would wait for that disk too.
  members.start("c");
  members.until(() => members.areSettled, "it has joined");
  members.machine("a").disk.isFullFor = (name) => name === "cluster/members";
  let hasLeft = false;
  members.at("c").membership.leave(() => {
    hasLeft = true;
  });
  members.pass(15);
  assert.ok(!hasLeft);
  members.machine("a").disk.isFullFor = () => false;
  members.until(() => hasLeft, "there is room again", 5);
});

test("L1, P2: with a fence nobody who has noted that a leaver is gone tells it to join again", () => {
  const members = Members.settled(["a", "b", "d"], { settings: { partition: "fence" } });
  members.start("c");
  members.until(() => members.areSettled, "it has joined");
  members.machine("a").disk.isFullFor = (name) => name === "cluster/members";
  const leaver = members.at("c");
  let hasLeft = false;
  leaver.membership.leave(() => {
    hasLeft = true;
  });
  members.until(() => members.at("b").gaveUp.length > 0, "one of them has noted it", 5);
  for (let beat = 0; beat < 4; beat += 1) {
    members.pass(1);
    assert.equal(leaver.membership.state, "leaving");
  }
  members.machine("a").disk.isFullFor = () => false;
  members.until(() => hasLeft, "there is room again", 5);
});

test("L1: one that dies while it leaves comes back as a member", () => {
  const members = Members.settled(["a", "b", "c"]);
  members.at("c").isHolding = true;
  members.at("c").membership.leave(() => undefined);
  members.pass(3);
  members.stop("c")();
  members.until(() => members.areSettled, "it is a member");
});

test("L1: an agent that is asked to leave while it joins leaves when it has joined", () => {
  const members = Members.settled(["a", "b"]);
  const joiner = members.start("c");
  let hasLeft = false;
  joiner.membership.leave(() => {
    hasLeft = true;
  });
  members.until(() => hasLeft, "it has left", 30);
});

test("L1: the last agent of all leaves without anybody who takes over", () => {
  const members = Members.settled(["a"]);
  members.at("a").isHolding = true;
  let hasLeft = false;
  members.at("a").membership.leave(() => {
    hasLeft = true;
  });
  members.until(() => hasLeft, "it has left", 5);
});

test("L1, G4: a leaver that was given up before it was gone joins, and leaves again", () => {
  const members = Members.settled(["a", "b", "c"]);
  const leaver = members.at("c");
  leaver.isHolding = true;
  let hasLeft = false;
  leaver.membership.leave(() => {
    hasLeft = true;
  });
  members.pass(3);
  const { cluster } = members;
  cluster.strike({ kind: "partition", atMs: 0, nodes: ["c"], durationMs: 15_000, parameters: {} });
  members.until(() => members.at("a").gaveUp.length > 0, "it is given up", 20);
  members.pass(10);
  leaver.handOver();
  members.until(() => hasLeft, "it has left", 60);
  assert.ok(leaver.handedAll > 1, "what it had handed over was not taken");
});

test("L1, G1: a leaver that has handed over does so again if somebody is given up before it is gone", () => {
  const members = Members.settled(["a", "b", "d"]);
  // It has no vote to give back, which would wait for a disk.
  members.start("c");
  members.until(() => members.areSettled, "it has joined");
  // It cannot note that the leaver is gone.
  members.machine("a").disk.isFullFor = (name) => name === "cluster/members";
  let hasLeft = false;
  const leaver = members.at("c");
  leaver.membership.leave(() => {
    hasLeft = true;
  });
  members.pass(5);
  assert.equal(members.at("d").gaveUp.length, 1, "it knows that the leaver is gone");
  members.stop("b");
  members.until(() => leaver.membership.state !== "leaving", "it begins another life", 20);
  members.machine("a").disk.isFullFor = () => false;
  members.until(() => hasLeft, "it leaves again", 60);
  for (const name of ["a", "d"]) {
    const { view } = members.at(name).membership;
    assert.ok(view.isGivenUp(leaver.membership.view.self), `${name} was told again`);
  }
});

test("L1, G1: so does one that hears of another disk of somebody whom it has brought pages", () => {
  const members = Members.settled(["a", "b", "c", "d"]);
  members.machine("a").disk.isFullFor = (name) => name === "cluster/members";
  let hasLeft = false;
  const leaver = members.at("c");
  leaver.membership.leave(() => {
    hasLeft = true;
  });
  members.pass(5);
  assert.equal(leaver.membership.state, "leaving");
  const { self } = members.at("b").membership.view;
  leaver.membership.mention({ id: "b", generation: self.generation + 1 });
  members.until(() => leaver.membership.state !== "leaving", "it begins another life", 2);
  members.machine("a").disk.isFullFor = () => false;
  members.until(() => hasLeft, "it leaves again", 60);
});

test("L1: a leaver does not begin anew because another one is gone", () => {
  const members = Members.settled(["a", "d"]);
  // They have no votes to give back, which would wait for a disk.
  for (const name of ["b", "c"]) members.start(name);
  members.until(() => members.areSettled, "they have joined");
  const gone: string[] = [];
  const lifeOf = (id: string): number | undefined =>
    [...members.at("a").membership.view.members()].find(({ place }) => place.id === id)
      ?.incarnation;
  const life = lifeOf("c");
  members.machine("a").disk.isFullFor = (name) => name === "cluster/members";
  for (const name of ["b", "c"]) members.at(name).membership.leave(() => gone.push(name));
  members.pass(5);
  assert.equal(members.at("c").gaveUp.length, 1, "the other one has told it that it is gone");
  members.machine("a").disk.isFullFor = () => false;
  members.until(() => gone.length === 2, "both have left", 20);
  assert.equal(lifeOf("c"), life);
});
