import assert from "node:assert/strict";
import { test } from "node:test";
import { Members } from "../../../../test/support/cluster/members.ts";
import { GENERATION_MAX } from "../../messages/index.ts";
import { REJOIN, REPLACED } from "../membership-messages.ts";

function lifeOf(members: Members, name: string): { place: never; incarnation: number } {
  const [own] = members.at(name).membership.view.members();
  return { place: own?.place as never, incarnation: own?.incarnation ?? 0 };
}

/** Lets `a` tell `b` to join again. */
function tellToRejoin(members: Members): number {
  const { place, incarnation } = lifeOf(members, "b");
  const question = { body: { place, incarnation }, timeoutMs: 500 };
  members.at("a").messenger.ask(place, REJOIN, question, () => undefined);
  members.until(() => lifeOf(members, "b").incarnation > incarnation, "another life has begun", 2);
  return incarnation;
}

test("G4: whoever is told its own life joins again, when it is active, joining or leaving", () => {
  const members = Members.settled(["a", "b", "c"]);
  members.at("c").isHolding = true;
  tellToRejoin(members);
  assert.equal(members.at("b").membership.mayFetch, false);
  members.pass(4);
  assert.equal(members.at("b").membership.state, "joining");
  tellToRejoin(members);
  members.at("c").handOver();
  members.until(() => members.areSettled, "it is back");
  members.at("b").isHolding = true;
  members.at("b").membership.leave(() => undefined);
  members.pass(2);
  assert.equal(members.at("b").membership.state, "leaving");
  tellToRejoin(members);
});

test("G4: a life that is over is not told anything", () => {
  const members = Members.settled(["a", "b"]);
  const former = { ...lifeOf(members, "b") };
  tellToRejoin(members);
  members.until(() => members.areSettled, "it is back");
  const { incarnation } = lifeOf(members, "b");
  members.at("a").messenger.ask(former.place, REJOIN, { body: former, timeoutMs: 500 }, () => {});
  members.pass(5);
  assert.equal(lifeOf(members, "b").incarnation, incarnation);
});

test("G4: a place that was given up and speaks joins again, on both sides of a partition", () => {
  const members = Members.settled(["a", "b", "c", "d"]);
  const heal = members.cluster.network.partition(["a", "b"]);
  members.pass(30);
  for (const { gaveUp } of members.processes) assert.equal(gaveUp.length, 2);
  heal();
  members.until(() => members.areSettled, "all agree");
});

test("D1: nothing is said in a life whose incarnation is not durable", () => {
  const members = Members.settled(["a", "b", "c"]);
  const { incarnation } = lifeOf(members, "c");
  const restart = members.stop("c");
  members.machine("c").disk.isFullFor = (name) => name === "cluster/members";
  restart();
  members.pass(8);
  const known = [...members.at("a").membership.view.members()];
  assert.equal(known.find(({ place }) => place.id === "c")?.incarnation, incarnation);
  members.machine("c").disk.isFullFor = () => false;
  members.until(() => members.areSettled, "there is room again");
  assert.ok(lifeOf(members, "c").incarnation > incarnation);
});

test("a disk that was set back begins another generation, and gives up what it had", () => {
  const members = Members.settled(["a", "b"]);
  const { disk } = members.machine("b");
  const { place, incarnation } = lifeOf(members, "b");
  const old = disk.contentOf("cluster/members") as Uint8Array;
  members.stop("b")();
  members.until(() => members.areSettled, "it is back");
  assert.ok(lifeOf(members, "b").incarnation > incarnation);
  const restart = members.stop("b");
  const storage = disk.mount(members.kernel.clock);
  storage.replace("cluster/members", old, () => undefined);
  members.kernel.pass(100);
  restart();
  members.until(() => members.areSettled, "it is back with an old disk");
  assert.ok(
    members.at("b").membership.view.self.generation > (place as { generation: number }).generation,
  );
});

test("an agent that is told of the last generation there is ends, and says what to do", () => {
  const members = Members.settled(["a", "b"]);
  const { place } = lifeOf(members, "b");
  const body = { place: { id: "b", generation: GENERATION_MAX }, incarnation: 1 };
  members.at("a").messenger.ask(place, REPLACED, { body, timeoutMs: 500 }, () => undefined);
  members.pass(10);
  assert.equal(members.at("b").membership.state, "closed");
  assert.equal(members.at("b").troubles.at(-1)?.code, "CLUSTER_ID_USED_UP");
});
