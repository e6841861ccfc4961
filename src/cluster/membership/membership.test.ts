import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../test/support/cluster/members.ts";
import { BEAT } from "./membership-messages.ts";

function isFullAt(members: Members, name: string, id: string): boolean | undefined {
  const known = [...members.at(name).membership.view.members()];
  return known.find(({ place }) => place.id === id)?.isFull;
}

test("an agent without room says so, and with `fullDisk: wait` stays", () => {
  const members = Members.settled(["a", "b"]);
  members.at("b").membership.setFull(true);
  members.pass(2);
  assert.equal(isFullAt(members, "a", "b"), true);
  members.pass(20);
  assert.equal(members.at("b").membership.state, "active");
  members.at("b").membership.setFull(false);
  members.pass(2);
  assert.equal(isFullAt(members, "a", "b"), false);
});

test("with `fullDisk: leave` it leaves, if there is room elsewhere", () => {
  const members = Members.settled(["a", "b"], { settings: { fullDisk: "leave" } });
  members.at("a").membership.setFull(true);
  members.until(() => members.at("a").membership.state === "left", "it has left", 10);
  members.stop("a");
  members.at("b").membership.setFull(true);
  members.pass(10);
  assert.equal(members.at("b").membership.state, "active", "nobody is left who could take over");
});

test("an agent that finds no room at its start waits for it, and says so once", () => {
  const members = Members.settled(["a", "b"]);
  const machine = members.machine("b");
  const restart = members.stop("b", true);
  machine.disk.capacityBytes = 0;
  restart();
  members.pass(20);
  assert.deepEqual(
    members.at("b").troubles.map(({ code }) => code),
    ["STORAGE_FULL"],
  );
  machine.disk.capacityBytes = 2 ** 30;
  members.until(() => members.areSettled, "there is room");
});

test("an agent whose cluster file is damaged ends, and says what to do", () => {
  const members = Members.settled(["a", "b"]);
  const restart = members.stop("b");
  members.machine("b").disk.flipBit("cluster/members", 900);
  restart();
  members.pass(5);
  assert.equal(members.at("b").membership.state, "closed");
  assert.equal(members.at("b").troubles[0]?.code, "CLUSTER_STATE_DAMAGED");
});

test("B5: nothing is handled before an agent that slept has begun another life", () => {
  const members = Members.settled(["a", "b", "c"]);
  const node = members.cluster.node("c");
  const heard: string[] = [];
  node.pause("process");
  members.pass(3);
  members.at("a").messenger.tell(BEAT, {
    ...{ state: "active", isFull: false, seedsHash: "", configuration: { number: 0, by: "" } },
    ...{ missing: [], heard: [], number: 1_000_000 },
    vote: { isVoter: false, ringHash: "", heard: [], condemned: [] },
  });
  members.pass(10);
  node.resume();
  members.kernel.runUntil(
    () => {
      heard.push(members.at("c").membership.state);
      return heard.at(-1) === "raising";
    },
    { stepsMax: 50, virtualMsMax: 10 },
  );
  assert.equal(heard.at(-1), "raising");
  assert.equal(members.at("c").membership.mayFetch, false);
});

test("an agent that is closed when it learns of the configuration stays closed, from whomever", () => {
  const members = Members.settled(["a", "b"]);
  const restart = members.stop("b");
  members.configured = ({ membership }) => membership.close(() => undefined);
  restart();
  members.start("c");
  members.pass(20);
  for (const id of ["b", "c"]) assert.equal(members.at(id).membership.state, "closed", id);
});

test("what was asked for before an agent had a place is done once it has one", () => {
  const members = new Members();
  const founder = members.start("a");
  let heldBy = 0;
  founder.membership.addSeeds(["http://one.test/"], (by) => {
    heldBy = by;
  });
  founder.membership.mention({ id: "z", generation: 3 });
  members.until(() => heldBy === 1, "the seed is held");
  members.until(() => founder.gaveUp.includes("z.3"), "the place is given up");
});
