import assert from "node:assert/strict";
import { test } from "node:test";
import { CustodyRig, entryOf } from "./custody.fixture.ts";

test("G5: a place that was given up and is back tells again what it holds", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("a"));
  rig.at("b").holdings.pages.add(entry);
  rig.giveUp("b").pass();
  rig.peers.set("b", "alive");
  rig.at("a").custody.returned(rig.place("b"));
  assert.ok(!rig.at("a").custody.isIdle, "it is asked");
  rig.pass().save("a");
  assert.ok(rig.at("a").holdings.isEnded(entry));
  assert.ok(rig.at("a").custody.isIdle);
});

test("G5: it is asked until it has answered", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("a"));
  rig.at("b").holdings.pages.add(entry);
  rig.crash("b");
  rig.at("a").custody.returned(rig.place("b"));
  rig.pass();
  assert.ok(!rig.at("a").custody.isIdle);
  rig.start("b");
  assert.ok(rig.at("a").holdings.isEnded(entry));
  assert.ok(rig.at("a").custody.isIdle);
});

test("D1, G5: who has announced answers when all of it is durable", () => {
  const rig = new CustodyRig();
  rig.at("b").holdings.pages.add(entryOf(rig.hostOf("a")));
  rig.at("b").holdings.isStoreStalled = true;
  rig.at("a").custody.returned(rig.place("b"));
  rig.pass();
  assert.ok(!rig.at("b").custody.isIdle && !rig.at("a").custody.isIdle);
});

test("G5: that it has told what it holds is noted, also if it was given up while it was asked", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("a"));
  rig.at("b").holdings.pages.add(entry);
  rig.crash("b");
  rig.at("a").custody.returned(rig.place("b"));
  rig.pass(100).giveUp("b").pass().save("a");
  assert.ok(rig.at("a").custody.isIdle, "who is given up is not asked");
  rig.peers.set("b", "alive");
  rig.at("a").custody.returned(rig.place("b"));
  rig.pass();
  assert.deepEqual(rig.at("a").announced, []);
  rig.start("b");
  assert.deepEqual(rig.at("a").announced, ["b.1"]);
  assert.ok(rig.at("a").holdings.isEnded(entry));
});

test("G5: who is asked while it announces tells everything once more", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("a"));
  const { holdings, outboxes } = rig.at("b");
  holdings.pages.add(entry);
  const held: (() => void)[] = [];
  outboxes.whenDurable = (done) => void held.push(done);
  rig.at("c").custody.returned(rig.place("b"));
  rig.pass(1000);
  assert.ok(rig.at("a").holdings.isEnded(entry), "a was told, and b is not done");
  rig.giveUp("b").pass(100);
  rig.peers.set("b", "alive");
  rig.at("a").custody.returned(rig.place("b"));
  rig.pass(100);
  Reflect.deleteProperty(outboxes, "whenDurable");
  for (const done of held) done();
  rig.pass();
  assert.deepEqual(rig.at("a").announced, ["b.1"]);
  assert.ok(rig.at("a").holdings.isEnded(entry));
});

test("G5: who is asked again because its answer was lost, or late, tells nothing again", () => {
  const rig = new CustodyRig();
  const { holdings, outboxes } = rig.at("b");
  holdings.pages.add(entryOf(rig.hostOf("c")));
  let told = 0;
  const pagesOf = holdings.pagesOf.bind(holdings);
  holdings.pagesOf = (...asked) => {
    told += 1;
    pagesOf(...asked);
  };
  const held: (() => void)[] = [];
  outboxes.whenDurable = (done) => void held.push(done);
  const heal = rig.peers.cluster.network.cut("b", "a");
  rig.at("a").custody.returned(rig.place("b"));
  rig.pass(2000);
  for (const done of held) done();
  Reflect.deleteProperty(outboxes, "whenDurable");
  rig.pass(2000);
  assert.equal(held.length, 1, "once, though it was asked again while it announced");
  assert.deepEqual(rig.at("a").announced, []);
  heal();
  rig.pass();
  assert.deepEqual(rig.at("a").announced, ["b.1"]);
  assert.equal(told, 1);
});

test("G5: who is asked by another life, or by another disk of an agent, tells everything again", () => {
  const rig = new CustodyRig();
  const { holdings } = rig.at("b");
  let told = 0;
  const pagesOf = holdings.pagesOf.bind(holdings);
  holdings.pagesOf = (...asked) => {
    told += 1;
    pagesOf(...asked);
  };
  const asks = (): void => {
    rig.at("a").custody.returned(rig.place("b"));
    rig.at("a").custody.returned(rig.place("b"));
    rig.pass();
  };
  asks();
  assert.equal(told, 1, "it is asked once");
  rig.crash("a").start("a");
  asks();
  assert.equal(told, 2, "the numbers of questions begin anew with a life");
  const { incarnation } = rig.peers.view("b").of("a");
  rig.crash("a");
  for (const view of rig.peers.views) view.of("a").place = { id: "a", generation: 2 };
  rig.start("a");
  for (const view of rig.peers.views) view.of("a").incarnation = incarnation;
  asks();
  assert.equal(told, 3);
});

test("G5: a disk that has another name tells all owners what it holds", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("a"));
  const { view, holdings } = rig.at("b");
  holdings.pages.add(entry);
  for (const one of rig.peers.views) one.of("b").place = { id: "b", generation: 2 };
  view.changed();
  rig.pass();
  assert.equal(rig.at("a").custody.claims, 1);
});
