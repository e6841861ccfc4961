import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../../test/support/cluster/members.ts";

function add(members: Members, name: string, ...seeds: string[]): { heldBy: number } {
  const result = { heldBy: 0 };
  members.at(name).membership.addSeeds(seeds, (heldBy) => {
    result.heldBy = heldBy;
  });
  return result;
}

test("S1: a seed is answered when every member of the view holds it, and how many those are", () => {
  const members = Members.settled(["a", "b", "c"]);
  members.machine("c").disk.isFullFor = (name) => name.startsWith("cluster/seeds");
  const added = add(members, "a", "http://one.test/", "http://two.test/");
  members.pass(5);
  assert.equal(added.heldBy, 0, "one has no room for it");
  assert.equal(members.at("b").seeds.size, 2);
  members.machine("c").disk.isFullFor = () => false;
  members.until(() => added.heldBy === 3, "all hold it", 5);
  assert.equal(members.at("c").seeds.size, 2);
});

test("S1: the dead are not waited for, and get the seeds when they come back", () => {
  const members = Members.settled(["a", "b", "c"], { settings: { giveUpAfterMs: 60_000 } });
  const restart = members.stop("c");
  const added = add(members, "a", "http://one.test/");
  members.pass(3);
  assert.equal(added.heldBy, 0);
  members.until(() => added.heldBy === 2, "it is dead", 8);
  restart();
  members.until(() => members.areSettled, "it is back");
  assert.equal(members.at("c").seeds.size, 1);
});

test("S1: seeds that were added at several agents at once reach all of them", () => {
  const members = Members.settled(["a", "b", "c"]);
  const heal = members.cluster.network.partition(["c"]);
  const all = ["a", "b", "c"].map((name) => add(members, name, `http://${name}.test/`));
  members.pass(2);
  heal();
  members.until(() => all.every(({ heldBy }) => heldBy === 3), "all hold all");
  for (const { seeds } of members.processes) assert.equal(seeds.size, 3);
});

test("S1: many long seeds are sent in parts", () => {
  const members = Members.settled(["a", "b"]);
  const path = "x".repeat(1000);
  const seeds = Array.from({ length: 900 }, (_, n) => `http://s${n}.test/${path}`);
  const added = add(members, "a", ...seeds);
  members.until(() => added.heldBy === 2, "both hold them");
  assert.equal(members.at("b").seeds.size, 900);
});

test("S1: after a restart seeds are told again", () => {
  const members = Members.settled(["a", "b"]);
  const added = add(members, "a", "http://one.test/");
  members.until(() => added.heldBy === 2, "both hold it");
  members.stop("b")();
  members.until(() => members.areSettled, "it is back");
  assert.deepEqual([...members.at("b").seeds], ["http://one.test/"]);
});
