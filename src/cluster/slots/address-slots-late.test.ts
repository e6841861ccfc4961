/** What is said late, or to somebody who has moved on, does not make two agents fetch at once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, IDS, Rig, SETTINGS } from "./address-slots.fixture.ts";
import { type ForgottenAddresses, SLOT_FORGET, SLOT_USES } from "./slot-messages.ts";

test("A1: a slot that comes after the notice that the address is shared is not used", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.onServe = (what) => (what === "a b slot.request" ? 100 : null);
  rig.acquire("a", address);
  rig.pass(20);
  rig.acquire("c", address);
  rig.pass(60);
  assert.deepEqual(
    rig.flown,
    ["c"],
    "a was alone, was told that it is not, and had nothing in flight",
  );
  rig.onServe = () => null;
  rig.pass(2000);
  assert.deepEqual(rig.flown, ["c"]);
});

test("A1: it is asked for again, and given when the other has ended", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.onServe = (what) => (what === "a b slot.request" ? 100 : null);
  rig.acquire("a", address);
  rig.pass(20);
  const end = rig.acquire("c", address);
  rig.pass(60);
  rig.onServe = () => null;
  end();
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["c", "a"]);
});

test("A1: who gets its slot once more, after it said that it has none, is asked again what it does", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  const { timeoutMs } = SETTINGS;
  rig.onServe = (what) => (what === "a b slot.request" ? 2 * timeoutMs : null);
  rig.acquire("a", address);
  rig.pass(20);
  // What a says comes to b just after a has asked once more.
  rig.onServe = (what) => (what === "b a slot.shared" ? timeoutMs - 10 : null);
  rig.acquire("c", address);
  rig.pass(2 * timeoutMs);
  assert.deepEqual(rig.flown, ["a"]);
});

test("A1: a slot of a granter that is no longer the granter is not used", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b", "c");
  rig.onServe = (what) => {
    if (what === "a b slot.request") rig.peers.view("a").set("b", "dead");
    return null;
  };
  rig.acquire("a", address);
  rig.pass(1000);
  assert.deepEqual(rig.flown, [], "for c, b is still the granter");
  rig.onServe = () => null;
  rig.peers.view("a").set("b", "alive");
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["a"]);
});

test("A1: a slot that was given before the granter has inquired again is not used", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.onServe = (what) => {
    if (what === "a b slot.request") {
      // b gives the slot and forgets it, while its answer is on the way.
      rig.peers.kernel.schedule(1, () => rig.see("c", "dead"));
      rig.peers.kernel.schedule(2, () => rig.see("c", "alive"));
      return 50;
    }
    return null;
  };
  rig.acquire("a", address);
  rig.pass(40);
  rig.onServe = () => null;
  rig.pass(20);
  assert.deepEqual(rig.flown, []);
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["a"]);
});

test("A1: an agent that has slept does not use the slot that it was given in its sleep", () => {
  for (let seed = 0; seed < 12; seed += 1) {
    const rig = new Rig(IDS, `sleep ${seed}`);
    const address = addressOf(rig, "b");
    rig.acquire("c", address)();
    rig.pass(1000);
    rig.onServe = (what) => {
      if (what === "a b slot.request") rig.peers.cluster.node("a").pause();
      return null;
    };
    rig.acquire("a", address);
    rig.pass(100);
    rig.acquire("c", address);
    rig.pass(SETTINGS.totalTimeoutMs + SETTINGS.timeoutMs + SETTINGS.ipDelayMs + 100);
    assert.deepEqual(rig.flown, ["c"]);
    rig.onServe = () => null;
    rig.peers.cluster.node("a").resume();
    rig.pass(1500);
    assert.deepEqual(rig.flown, ["c"], `c still fetches, seed ${seed}`);
  }
});

test("A1: a slot that has expired before its agent knew of it is asked for anew", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.acquire("c", address)();
  rig.pass(1000);
  const { network } = rig.peers.cluster;
  const undo = network.cut("b", "a");
  rig.acquire("a", address);
  rig.pass(100);
  const undoOther = network.cut("a", "b");
  rig.pass(SETTINGS.totalTimeoutMs + SETTINGS.timeoutMs + 100);
  // Whoever comes makes the granter look at it.
  const end = rig.acquire("c", address);
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["c"]);
  end();
  undo();
  undoOther();
  rig.pass(2000);
  assert.deepEqual(rig.flown, ["c", "a"]);
});

test("an agent and a granter that disagree on what was asked begin anew", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  const place = { id: "a", generation: 1 };
  const body = { inquiry: 2 ** 50, part: 0 };
  rig.messenger("b").ask(place, SLOT_USES, { body, timeoutMs: 100 }, () => undefined);
  rig.pass(100);
  rig.acquire("a", address);
  rig.pass(2000);
  assert.deepEqual(rig.flown, ["a"]);
});

test("A1: agents that were both free, by granters that saw others dead, take turns when one knows", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b", "c");
  rig.fetch("a", address);
  // For c alone b is dead: it grants, after it has waited in vain for a to see that too.
  rig.peers.view("c").set("b", "dead");
  rig.pass(SETTINGS.totalTimeoutMs + 1000).fetch("c", address);
  rig.peers.view("c").set("b", "alive");
  rig.pass(2000);
  const { length } = rig.flown;
  rig.acquire("a", address);
  rig.acquire("c", address);
  rig.pass(2000);
  assert.equal(rig.flown.length, length + 1, "b has told both that they are not alone");
});

test("A1: who is free and hears nothing of the granter does not go on for long", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b", "c");
  rig.fetch("a", address);
  for (const [one, other] of [["a", "c"] as const, ["c", "a"] as const]) {
    rig.peers.cluster.network.cut(one, other);
  }
  rig.peers.view("a").set("b", "dead");
  rig.fetch("a", address);
  assert.deepEqual(rig.flown, ["a", "a"], "c would ask before it grants");
  rig.pass(SETTINGS.totalTimeoutMs / 2).fetch("a", address);
  assert.deepEqual(rig.flown, ["a", "a"]);
});

test("A1: who is free and is not heard by the granter stops before that gives slots to others", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  const { totalTimeoutMs } = SETTINGS;
  rig.fetch("a", address);
  // What b says is heard by a, but nothing comes back.
  rig.peers.cluster.network.cut("a", "b");
  rig.pass(totalTimeoutMs - 500).fetch("a", address);
  assert.deepEqual(rig.flown, ["a", "a"], "b waits for longer");
  rig.pass(1000).acquire("a", address);
  rig.pass(totalTimeoutMs);
  assert.deepEqual(rig.flown, ["a", "a"]);
});

test("A1: who is free and cut off from the granter stops before that takes it for dead", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b", "c");
  rig.settings.totalTimeoutMs = 60_000;
  rig.fetch("a", address);
  rig.peers.cluster.network.cut("a", "b");
  rig.peers.cluster.network.cut("b", "a");
  rig.pass(SETTINGS.deadAfterMs - 500);
  rig.peers.view("a").set("b", "dead");
  rig.acquire("a", address);
  rig.pass(3000);
  assert.deepEqual(rig.flown, ["a"], "b may have given slots to others by now");
});

test("A1: who is free asks its granter once in the time that a fetch may take, for all addresses", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.fetch("a", address);
  rig.asked.splice(0);
  for (let fetches = 0; fetches < 20; fetches += 1) {
    const release = rig.acquire("a", address);
    rig.pass(400);
    release();
  }
  assert.equal(rig.flown.length, 21);
  const asked = rig.asked.filter((what) => what === "a b slot.request");
  assert.equal(asked.length, 2, "in twice that time");
});

test("A1: who has not answered is waited for twice as long as who sees the cluster differently", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  const waitMs = SETTINGS.totalTimeoutMs + SETTINGS.ipDelayMs;
  rig.peers.cluster.network.cut("b", "c");
  rig.see("c", "dead");
  rig.pass(100).see("c", "alive");
  rig.acquire("a", address);
  rig.pass(waitMs + 1000);
  assert.deepEqual(rig.flown, [], "c may be free there");
  rig.pass(waitMs);
  assert.deepEqual(rig.flown, ["a"]);
});

test("A1: that an address is forgotten does not count when it comes after another request for it", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  const sent: unknown[] = [];
  rig.onSend = (what, body) => {
    if (what === "a b slot.forget") sent.push(body);
  };
  rig.fetch("a", address);
  rig.pass(2 * SETTINGS.forgetMs);
  const [body] = sent as [ForgottenAddresses];
  assert.deepEqual(body.addresses, [address]);
  rig.acquire("a", address);
  rig.pass(100);
  const place = { id: "b", generation: 1 };
  rig.messenger("a").ask(place, SLOT_FORGET, { body, timeoutMs: 100 }, () => undefined);
  rig.pass(100).acquire("c", address);
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["a", "a"], "a still fetches");
});

test("A1: that an address is forgotten does not count without a session", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.fetch("a", address);
  const end = rig.acquire("a", address);
  rig.pass(100);
  const body = { inquiry: 1, number: 1000, addresses: [address] };
  const place = { id: "b", generation: 1 };
  rig.messenger("a").ask(place, SLOT_FORGET, { body, timeoutMs: 100 }, () => undefined);
  rig.pass(100).acquire("c", address);
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["a", "a"], "a still fetches");
  end();
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["a", "a", "c"]);
});

test("an end that a granter cannot place is told in a new session, and not again and again", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.fetch("c", address);
  const end = rig.acquire("a", address);
  rig.pass(1000).acquire("c", address);
  // For a, b has inquired once more.
  const body = { inquiry: 2 ** 50, part: 0 };
  const question = { body, timeoutMs: 100 };
  rig.messenger("b").ask({ id: "a", generation: 1 }, SLOT_USES, question, () => undefined);
  rig.pass(100).asked.splice(0);
  end();
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["c", "a", "c"]);
  const asked = rig.asked.filter((what) => what.startsWith("a b "));
  assert.deepEqual(asked, ["a b slot.end", "a b slot.invite", "a b slot.end"]);
});
