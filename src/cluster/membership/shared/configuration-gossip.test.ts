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

/** Adds a word to what this agent knows; whoever replaces that later keeps or drops the word. */
function add(
  members: Members,
  name: string,
  word: string,
): { word: string; answer: string | number } {
  const { configuration } = members.at(name).membership;
  return Object.assign(set(members, name, `${configuration?.text} ${word}`), { word });
}

test("S2: of changes at one moment, and those that follow at once, each is told whether it counts", () => {
  let lost = 0;
  for (let seed = 0; seed < 60; seed += 1) {
    const conditions = { delayMsMin: 1, delayMsMax: 900, lossRatio: 0.1 };
    const members = Members.settled(["a", "b", "c"], { seed: `changes ${seed}`, conditions });
    const all = ["a", "b", "c"].map((name) => add(members, name, `${name}1`));
    // Whoever hears of another's change makes one more from that.
    const heard = new Set<string>();
    members.configured = ({ id }) => {
      if (heard.has(id)) return;
      heard.add(id);
      members.kernel.clock.after(0, () => all.push(add(members, id, `${id}2`)));
    };
    members.until(() => all.every(({ answer }) => answer !== ""), `all are answered (${seed})`, 60);
    members.until(() => new Set(texts(members)).size === 1, `all agree (${seed})`, 60);
    const words = texts(members)[0]?.split(" ") ?? [];
    for (const { word, answer } of all) {
      const told = answer === "CLUSTER_SETTING_LOST" ? false : answer === 3;
      assert.equal(told, words.includes(word), `seed ${seed}: ${word} is told ${answer}`);
      if (!told) lost += 1;
    }
  }
  assert.ok(lost > 0, "no change was ever lost");
});

test("of two changes that wait until their agent is there the later does not undo the first", () => {
  const members = Members.settled(["a", "b"]);
  const restart = members.stop("b");
  members.pass(1);
  restart();
  members.until(() => members.at("b").membership.configuration !== null, "it knows its crawl");
  assert.equal(members.at("b").membership.state, "asking");
  const [one, other] = [set(members, "b", "one"), set(members, "b", "other")];
  members.until(() => one.answer !== "" && other.answer !== "", "both are answered");
  assert.deepEqual([one.answer, other.answer], [2, "CLUSTER_SETTING_LOST"]);
  assert.deepEqual(texts(members), ["one", "one"]);
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
