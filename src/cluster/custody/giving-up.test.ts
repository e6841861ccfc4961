import assert from "node:assert/strict";
import { test } from "node:test";
import { placeText } from "../messages/index.ts";
import { CustodyRig, entryOf } from "./custody.fixture.ts";

test("G1: what a lost place was ever told is told to the new owner of its host", () => {
  const rig = new CustodyRig();
  const host = rig.hostOf("b", "c");
  const entries = Array.from({ length: 30 }, (_none, number) => entryOf(host, number + 1));
  for (const entry of entries) rig.at("a").custody.found(entry);
  rig.pass();
  assert.equal(rig.at("a").outboxes.pending, 0, "b has acknowledged all of it");
  rig.crash("b").giveUp("b").pass();
  for (const entry of entries) assert.ok(rig.at("c").holdings.isQueued(entry), `${entry.high}`);
});

test("G1: a page that only a lost place had is fetched again by the owner of its host", () => {
  const rig = new CustodyRig();
  const [lost, kept] = [entryOf(rig.hostOf("a"), 1), entryOf(rig.hostOf("a"), 2)];
  for (const entry of [lost, kept]) {
    rig.at("b").custody.found({ ...entry, holders: [rig.place("b")] });
  }
  rig.at("c").custody.found({ ...kept, holders: [rig.place("c")] });
  rig.pass();
  const { holdings } = rig.at("a");
  assert.ok(holdings.isEnded(lost) && holdings.isEnded(kept));
  rig.crash("b").giveUp("b").pass();
  assert.ok(holdings.isQueued(lost));
  assert.ok(!holdings.isQueued(kept), "c has it too");
});

test("G1: claims that a lost place was told of count for the new owner, but for its own", () => {
  const rig = new CustodyRig();
  const host = rig.hostOf("b", "c");
  const [others, own] = [entryOf(host, 1), entryOf(host, 2)];
  rig.at("a").custody.found({ ...others, holders: [rig.place("a"), rig.place("b")] });
  rig.at("a").custody.found({ ...own, holders: [rig.place("b")] });
  rig.pass().crash("b").giveUp("b").pass();
  assert.ok(rig.at("c").holdings.isEnded(others), "a has it");
  assert.ok(rig.at("c").holdings.isQueued(own), "nobody has it");
});

test("G1: claims of places that were lost before are not told to the new owner", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("b", "a"));
  const lost = rig.place("c");
  rig.at("a").custody.found({ ...entry, holders: [lost] });
  rig.pass().crash("c").giveUp("c").pass().crash("b").giveUp("b").pass();
  assert.ok(rig.at("a").holdings.isQueued(entry));
  assert.ok(!rig.at("a").named.includes(placeText(lost)), "nobody waits for it again");
});

test("G1: copies that were hidden for the sake of a lost place are visible again, and told of", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("b", "a"));
  rig.at("c").holdings.pages.add(entry);
  rig.at("c").holdings.hide(entry, rig.place("b"));
  rig.crash("b").giveUp("b").pass();
  assert.equal(rig.at("c").holdings.pages.hiddenBy(entry), null);
  assert.ok(rig.at("a").holdings.isEnded(entry), "the owner knows of it");
});

test("G1, C1: a copy that is shown again is hidden behind the next one in the order of its host", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("b", "c", "a"));
  rig.setOutside("b", true).setOutside("c", true).pass();
  for (const id of ["a", "b", "c"]) rig.at(id).holdings.pages.add(entry);
  rig.at("c").custody.stored(entry, null);
  // It is never told to hide its copy behind b, and so does not tell of it again.
  rig.pass().crash("c");
  rig.at("b").custody.stored(entry, null);
  rig.pass();
  assert.equal(rig.at("a").holdings.pages.hiddenBy(entry), "b");
  rig.crash("b");
  rig.peers.set("b", "given-up");
  rig.at("a").custody.gaveUp(rig.place("b"));
  rig.pass();
  assert.equal(rig.at("a").holdings.pages.hiddenBy(entry), "c", "a owns it, and c comes first");
});

test("D1, G1: what a lost place was told is kept until a checkpoint has what came of it", () => {
  const rig = new CustodyRig();
  const entry = entryOf(rig.hostOf("b", "a"));
  rig.at("a").custody.found(entry);
  rig.pass().save("a").crash("b").giveUp("b").pass();
  assert.ok(rig.at("a").holdings.isQueued(entry));
  assert.ok(!rig.at("a").custody.isIdle, "it is not over before that");
  rig.crash("a").start("a");
  assert.ok(rig.at("a").holdings.isQueued(entry), "it was dispatched anew");
  rig.save("a");
  assert.deepEqual(rig.at("a").outboxes.places(), [], "nobody needs it any more");
  rig.crash("a").start("a");
  assert.ok(rig.at("a").holdings.isQueued(entry), "the checkpoint has it");
});

test("G1: the outbox of a place that is back before the checkpoint stays in use", () => {
  const rig = new CustodyRig();
  const host = rig.hostOf("b", "a");
  rig.at("a").custody.found(entryOf(host));
  rig.pass().giveUp("b").pass();
  rig.peers.set("b", "alive");
  rig.pass().save("a");
  assert.deepEqual(
    rig
      .at("a")
      .outboxes.places()
      .map(({ id }) => id),
    ["b"],
  );
  assert.ok(rig.at("a").custody.isIdle);
});

test("G1, G3: a place that is given up once more, before the first time is over, is given up again", () => {
  const rig = new CustodyRig();
  const host = rig.hostOf("a");
  const entry = entryOf(host);
  const claimed = { ...entry, holders: [rig.place("b")] };
  const { custody, holdings } = rig.at("a");
  custody.arrived([claimed]);
  rig.pass().crash("b").giveUp("b").pass();
  assert.ok(holdings.isQueued(entry));
  // What b had said before reaches us only now, and b is on probation.
  rig.peers.view("a").set("b", "dead");
  custody.arrived([claimed]);
  rig.pass();
  assert.ok(holdings.isEnded(entry));
  rig.giveUp("b").pass().save("a").pass();
  assert.ok(holdings.isQueued(entry));
});
