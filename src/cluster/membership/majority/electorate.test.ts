import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../../test/support/cluster/members.ts";
import type { ClusterConfiguration } from "../shared/shared-configuration.ts";

const FENCE = { settings: { partition: "fence" } } as const;

function electors(members: Members, name: string): string {
  const configuration = members.at(name).membership.configuration as ClusterConfiguration;
  return configuration.electors
    .map(({ id }) => id)
    .toSorted()
    .join("");
}

test("P2: electors are those who were there when the crawl was founded", () => {
  const members = Members.settled(["a", "b", "c"], FENCE);
  members.start("d");
  members.until(() => members.areSettled, "another one has joined");
  assert.deepEqual(
    members.processes.map(({ id }) => electors(members, id)),
    ["abc", "abc", "abc", "abc"],
  );
});

test("P2: an elector that leaves gives its vote back, the last one to those who are there", () => {
  const members = Members.settled(["a", "b"], { ...FENCE, expect: 1 });
  members.start("c");
  members.until(() => members.areSettled, "three are there");
  const left: string[] = [];
  for (const id of ["a", "b"]) {
    members.at(id).membership.leave(() => {
      left.push(id);
      members.stop(id);
    });
    members.until(() => left.includes(id), `${id} has left`);
    members.until(() => members.areSettled, "the others go on");
  }
  assert.equal(electors(members, "c"), "c");
});

test("P2, L1: the last elector waits for a member that is away, and hands over to it", () => {
  const members = Members.settled(["a"], FENCE);
  members.start("b");
  members.until(() => members.areSettled, "two are there");
  const restart = members.stop("b");
  members.pass(6.3);
  let hasLeft = false;
  members.at("a").membership.leave(() => {
    hasLeft = true;
    members.stop("a");
  });
  members.pass(0.7);
  assert.ok(!hasLeft, "nobody would vote");
  assert.equal(members.at("a").handedAll, 0, "there is nobody to hand over to");
  const leaver = members.at("a");
  restart();
  members.until(() => hasLeft, "it has left");
  assert.equal(leaver.handedAll, 1);
  members.until(() => members.areSettled, "the other one goes on");
  assert.equal(electors(members, "b"), "b");
});

test("P2, L1: the last elector waits for nobody who was given up", () => {
  const members = Members.settled(["a"], FENCE);
  members.start("b");
  members.until(() => members.areSettled, "two are there");
  members.stop("b");
  let hasLeft = false;
  members.at("a").membership.leave(() => {
    hasLeft = true;
  });
  members.until(() => hasLeft, "it has left", 20);
});

test("P2: an elector stays until the others can go on without its vote", () => {
  const members = Members.settled(["a", "b", "c"], FENCE);
  const restart = members.stop("c", true);
  members.pass(3);
  let hasLeft = false;
  members.at("a").membership.leave(() => {
    hasLeft = true;
    members.stop("a");
  });
  members.pass(20);
  assert.ok(!hasLeft, "of the other two one remembers its votes");
  restart();
  members.until(() => hasLeft, "both do");
  members.until(() => members.areSettled, "they go on");
  assert.equal(electors(members, "b"), "bc");
});

test("P2: a person can end the wait for electors that are lost", () => {
  const members = Members.settled(["a", "b", "c"], FENCE);
  members.stop("b");
  members.stop("c");
  members.pass(20);
  assert.equal(members.at("a").why, "fenced");
  const answers: unknown[] = [];
  for (const id of ["b", "c"]) {
    members.at("a").membership.forget(id, (...answer) => answers.push(answer));
  }
  members.until(() => answers.length === 2, "both are forgotten");
  members.until(() => members.areSettled, "it goes on alone");
  assert.deepEqual(answers, [
    [null, 1],
    [null, 1],
  ]);
  assert.equal(electors(members, "a"), "a");
});

test("P2: if too many disks were lost, forgetting their votes helps, although they are there", () => {
  const members = Members.settled(["a", "b", "c"], FENCE);
  for (const id of ["b", "c"]) members.stop(id, true)();
  members.pass(30);
  assert.equal(members.at("a").why, "fenced");
  for (const id of ["b", "c"]) members.at("a").membership.forget(id, () => undefined);
  members.until(() => members.areSettled, "they take part again");
  assert.equal(electors(members, "b"), "a");
});
