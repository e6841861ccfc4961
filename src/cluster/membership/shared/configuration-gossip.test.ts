import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../../test/support/cluster/members.ts";

function set(members: Members, name: string, text: string): { answer: string | number } {
  const result: { answer: string | number } = { answer: "" };
  members.at(name).membership.setConfiguration(text, (error, heldBy) => {
    result.answer = error === null ? heldBy : error.code;
  });
  return result;
}

function texts(members: Members): (string | undefined)[] {
  return members.processes.map(({ membership }) => membership.configuration?.text);
}

test("a change of the configuration is answered when every member has it", () => {
  const members = Members.settled(["a", "b", "c"]);
  const changed = set(members, "b", "second");
  members.until(() => changed.answer !== "", "it is answered", 5);
  assert.equal(changed.answer, 3);
  assert.deepEqual(texts(members), ["second", "second", "second"]);
});

test("D1: a version is told to others when it is durable, and not before", () => {
  const members = Members.settled(["a", "b"]);
  members.machine("b").disk.isFullFor = (name) => name === "cluster/members";
  const changed = set(members, "a", "second");
  members.pass(5);
  assert.equal(changed.answer, "", "one that cannot keep it does not have it");
  members.machine("b").disk.isFullFor = () => false;
  members.until(() => changed.answer === 2, "it has", 5);
});

test("of two changes at one moment one counts everywhere, and the other is told so", () => {
  const members = Members.settled(["a", "b", "c"]);
  const [one, other] = [set(members, "a", "of a"), set(members, "c", "of c")];
  members.until(() => one.answer !== "" && other.answer !== "", "both are answered", 10);
  assert.deepEqual([one.answer, other.answer], ["CLUSTER_SETTING_LOST", 3]);
  assert.deepEqual(texts(members), ["of c", "of c", "of c"]);
});

test("a change that comes before the crawl is founded does not undo who founds it", () => {
  const members = new Members({ expect: 3, settings: { partition: "fence" } });
  for (const id of ["a", "b"]) members.start(id);
  members.pass(8);
  const heal = members.cluster.network.partition(["b"]);
  const changed = set(members, "b", "early");
  for (const id of ["c", "d"]) members.start(id);
  members.until(() => members.at("c").membership.mayFetch, "the crawl is founded");
  heal();
  members.until(() => members.areSettled && changed.answer !== "", "all are active");
  assert.deepEqual(texts(members), ["early", "early", "early", "early"]);
});

test("a joiner takes the configuration over, and a restart keeps it", () => {
  const members = Members.settled(["a", "b"]);
  const changed = set(members, "a", "second");
  members.until(() => changed.answer === 2, "both have it");
  const joiner = members.start("c");
  members.until(() => joiner.membership.mayFetch, "it has joined");
  assert.equal(joiner.membership.configuration?.text, "second");
  members.stop("b")();
  members.pass(1);
  assert.equal(members.at("b").membership.configuration?.text, "second");
});

test("a configuration that cannot be read is not taken from others", () => {
  const members = Members.settled(["a", "b"]);
  set(members, "b", "nonsense");
  members.pass(10);
  assert.deepEqual(texts(members), ["first", "nonsense"]);
  assert.equal(members.at("a").membership.state, "active");
});
