import assert from "node:assert/strict";
import { test } from "node:test";
import { CustodyRig, entryOf } from "./custody.fixture.ts";

/** Three agents, of which c has not joined yet. */
function beforeJoin(): CustodyRig {
  return new CustodyRig().setOutside("c", true).pass();
}

test("U2: a host goes to its new owner with every URL that waits, and with what belongs to it", () => {
  const rig = beforeJoin();
  const host = rig.hostOf("c", "a");
  const entries = [1, 2, 3].map((number) => entryOf(host, number));
  for (const entry of entries) rig.at("a").custody.found(entry);
  rig.at("a").holdings.adopted.set(host, "its delays");
  rig.setOutside("c", false).pass();
  for (const entry of entries) {
    assert.ok(rig.at("c").holdings.isQueued(entry));
    assert.ok(!rig.at("a").holdings.isQueued(entry));
  }
  assert.equal(rig.at("c").holdings.adopted.get(host), "its delays");
});

test("U2, G1: what was handed over comes back if the new owner is lost", () => {
  const rig = beforeJoin();
  const entry = entryOf(rig.hostOf("c", "a"));
  rig.at("a").custody.found(entry);
  rig.setOutside("c", false).pass().crash("c").giveUp("c").pass();
  assert.ok(rig.at("a").holdings.isQueued(entry));
});

test("U2: hosts leave, however many of them have another owner at once", () => {
  const rig = beforeJoin();
  const { view, custody, holdings } = rig.at("a");
  const entries = Array.from({ length: 600 }, (_none, number) => entryOf(`h${number}.example`));
  const leaving = entries.filter(({ host }) => view.ownerAmong(host as never, () => true) === "c");
  for (const entry of leaving) if (custody.isHere(entry.host)) custody.found(entry);
  const here = leaving.filter((entry) => holdings.isQueued(entry));
  assert.ok(here.length > 64, `${here.length} hosts`);
  rig.setOutside("c", false).pass();
  assert.deepEqual(
    here.filter((entry) => holdings.isQueued(entry)),
    [],
  );
});

test("U2, G1: what leaves for a place that is given up meanwhile comes back", () => {
  const rig = beforeJoin();
  const entry = entryOf(rig.hostOf("c", "a"));
  const { holdings, custody } = rig.at("a");
  custody.found(entry);
  holdings.visitMs = 500;
  rig.setOutside("c", false).pass(200).crash("c").giveUp("c").pass();
  assert.ok(holdings.isQueued(entry));
});

test("U5: pages of a host are told to its new owner when its visits have ended, those too", () => {
  const rig = beforeJoin();
  const host = rig.hostOf("c", "a");
  const [had, late] = [entryOf(host, 1), entryOf(host, 2)];
  const { holdings, custody } = rig.at("a");
  custody.found(late);
  holdings.pages.add(had);
  holdings.visitMs = 500;
  rig.setOutside("c", false).pass(200);
  // The visit that was under way when the host began to leave ends with a page.
  holdings.pages.add(late);
  rig.pass();
  assert.ok(rig.at("c").holdings.isEnded(had));
  assert.ok(rig.at("c").holdings.isEnded(late));
});

test("U2: claims go with their hosts", () => {
  const rig = beforeJoin();
  const entry = entryOf(rig.hostOf("c", "a"));
  rig.at("b").custody.found({ ...entry, holders: [rig.place("b")] });
  rig.pass().setOutside("c", false).pass();
  assert.ok(rig.at("c").holdings.isEnded(entry));
  assert.equal(rig.at("c").custody.claims, 1);
  assert.equal(rig.at("a").custody.claims, 0);
});

test("U2: entries of a host that is ours again wait until it has left, and are taken then", () => {
  const rig = beforeJoin();
  const host = rig.hostOf("c", "a");
  const { holdings, custody } = rig.at("a");
  custody.found(entryOf(host, 1));
  holdings.visitMs = 500;
  rig.setOutside("c", false).pass(100);
  assert.ok(!custody.isForeign(host), "what is found of it has to wait");
  rig.setOutside("c", true);
  assert.ok(!custody.isHere(host));
  custody.arrived([entryOf(host, 2)]);
  assert.equal(custody.held, 1, "no checkpoint may begin");
  assert.ok(!holdings.isQueued(entryOf(host, 2)));
  rig.pass();
  assert.equal(custody.held, 0);
  assert.ok(holdings.isQueued(entryOf(host, 2)));
  assert.ok(holdings.isQueued(entryOf(host, 1)), "what had left came back");
});

test("B2: what is pending for a place that cannot be reached is told to the new owner of its host", () => {
  const rig = beforeJoin();
  const entry = entryOf(rig.hostOf("c", "b", "a"));
  rig.crash("b").peers.set("b", "dead");
  rig.at("a").custody.found(entry);
  rig.pass().setOutside("c", false);
  let isOver = false;
  rig.at("a").custody.handOver(rig.place("c"), () => {
    isOver = true;
  });
  rig.pass();
  assert.ok(isOver);
  assert.ok(rig.at("c").holdings.isQueued(entry));
});

test("D1: pages of a host that had left before a crash are told after it", () => {
  const rig = beforeJoin();
  const host = rig.hostOf("c", "a");
  const { holdings, custody } = rig.at("a");
  custody.found(entryOf(host, 2));
  holdings.pages.add(entryOf(host));
  holdings.isStoreStalled = true;
  rig.setOutside("c", false).pass();
  assert.ok(!rig.at("c").holdings.isEnded(entryOf(host)));
  rig.save("a");
  // Nothing but its pages is left of the host: only the checkpoint names it.
  rig.crash("a").start("a");
  assert.ok(rig.at("c").holdings.isEnded(entryOf(host)));
});

test("U2, L1: a page that was brought is told of when its host leaves, though no URL of it ever came", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("a", "b"));
  rig.setOutside("a", true).pass();
  rig.at("b").holdings.pages.add(entry);
  rig.at("b").custody.stored(entry, null);
  rig.pass().setOutside("a", false).pass();
  const holders: string[] = [];
  rig.at("a").custody.holdersOf(entry, (places) => holders.push(...places.map(({ id }) => id)));
  rig.pass();
  assert.deepEqual(holders, ["b"]);
});
