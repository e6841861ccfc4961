import assert from "node:assert/strict";
import { test } from "node:test";
import { addressKey } from "../ring/index.ts";
import { addressOf, IDS, Rig, SETTINGS } from "./address-slots.fixture.ts";
import type { ForgottenAddresses } from "./slot-messages.ts";

test("A1: an agent that is alone at an address asks once, and never again", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.asked.length = 0;
  for (let fetches = 0; fetches < 5; fetches += 1) rig.fetch("a", address);
  assert.equal(rig.flights.length, 5);
  assert.deepEqual(rig.asked, ["a b slot.request"]);
});

test("A1: the granter asks itself too", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.fetch("b", address);
  const release = rig.acquire("a", address);
  rig.pass(300);
  assert.deepEqual(rig.flown, ["b", "a"]);
  release();
});

test("no slots are needed where addresses need not rest", () => {
  const rig = new Rig();
  rig.settings.ipDelayMs = 0;
  rig.asked.length = 0;
  const address = addressOf(rig, "b");
  rig.fetch("a", address);
  const release = rig.acquire("a", address);
  release();
  rig.pass(100);
  assert.deepEqual([rig.flown, rig.asked], [["a"], []]);
});

test("A1: a fetch of an agent that was alone is waited for, and so is the delay after it", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.fetch("a", address);
  const end = rig.acquire("a", address);
  rig.pass(10);
  rig.acquire("c", address);
  rig.pass(2000);
  assert.deepEqual(rig.flown, ["a", "a"], "c waits");
  const endedAtMs = rig.now;
  end();
  rig.pass(SETTINGS.ipDelayMs - 1);
  assert.deepEqual(rig.flown, ["a", "a"], "the address rests");
  rig.pass(50);
  assert.deepEqual(rig.flown, ["a", "a", "c"]);
  assert.ok((rig.flights[2]?.atMs ?? 0) >= endedAtMs + SETTINGS.ipDelayMs);
});

test("A1: agents that share an address take turns, one delay apart", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  let endedAtMs = Number.NEGATIVE_INFINITY;
  let flying = 0;
  const again = (id: string): void => {
    const release = rig.peers.program(id).acquire(address, () => {
      rig.flights.push({ who: id, atMs: rig.now });
      flying += 1;
      assert.equal(flying, 1, "one at a time");
      assert.ok(rig.now >= endedAtMs + SETTINGS.ipDelayMs, "the address has rested");
      rig.peers.kernel.schedule(20, () => {
        flying -= 1;
        endedAtMs = rig.now;
        release();
        // The delay between fetches of one agent is kept by its frontier.
        rig.peers.kernel.schedule(SETTINGS.ipDelayMs, () => again(id));
      });
    });
  };
  for (const id of IDS) again(id);
  rig.pass(1000);
  rig.flights.length = 0;
  rig.pass(20_000);
  const counts = IDS.map((id) => rig.flown.filter((flown) => flown === id).length);
  assert.ok(Math.min(...counts) >= 20, `everybody has its turns: ${counts}`);
  assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, `equally many: ${counts}`);
});

test("a fetch that is withdrawn while it waits never begins, and nobody waits for it", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  const end = rig.acquire("a", address);
  rig.pass(100);
  const withdraw = rig.acquire("c", address);
  rig.pass(600);
  withdraw();
  withdraw();
  end();
  rig.pass(5000);
  assert.deepEqual(rig.flown, ["a"]);
  rig.fetch("a", address);
  assert.deepEqual(rig.flown, ["a", "a"]);
});

test("a slot that was given and withdrawn at the same time is given to the next", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.fetch("a", address);
  rig.acquire("c", address)();
  rig.pass(1000);
  const withdraw = rig.acquire("a", address);
  withdraw();
  rig.acquire("c", address);
  rig.pass(50);
  assert.deepEqual(rig.flown, ["a", "c"]);
});

test("A1: a slot whose answer was lost is given again", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  const heal = rig.peers.cluster.network.cut("b", "a");
  rig.acquire("a", address);
  rig.pass(1000);
  assert.deepEqual(rig.flown, []);
  heal();
  rig.pass(SETTINGS.timeoutMs + 10);
  assert.deepEqual(rig.flown, ["a"]);
});

test("A1: an end whose message was lost is told again", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.fetch("c", address);
  const end = rig.acquire("a", address);
  rig.pass(1000);
  rig.acquire("c", address);
  const heal = rig.peers.cluster.network.cut("a", "b");
  end();
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["c", "a"]);
  heal();
  rig.pass(SETTINGS.timeoutMs + SETTINGS.retryMs + 10);
  assert.deepEqual(rig.flown, ["c", "a", "c"], "the address has rested meanwhile");
});

test("A1: the slot of a silent holder expires when its fetch must have ended, plus one delay", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.fetch("c", address);
  rig.acquire("a", address);
  rig.pass(500);
  const { totalTimeoutMs, ipDelayMs, timeoutMs } = SETTINGS;
  const wayMs = 100;
  const takenAtMs = rig.flights[1]?.atMs ?? 0;
  rig.peers.cluster.node("a").crash();
  rig.acquire("c", address);
  rig.pass(totalTimeoutMs + ipDelayMs - 600);
  assert.deepEqual(rig.flown, ["c", "a"]);
  rig.pass(timeoutMs + 700);
  assert.deepEqual(rig.flown, ["c", "a", "c"]);
  // The fetch may have begun as late as the slot could be taken, and the address rests after it.
  const endedAtMs = takenAtMs - wayMs + timeoutMs + totalTimeoutMs;
  assert.ok((rig.flights[2]?.atMs ?? 0) >= endedAtMs + ipDelayMs);
});

test("A1: a holder that has begun another life holds nothing", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.fetch("c", address);
  rig.acquire("a", address);
  rig.pass(500);
  rig.peers.cluster.node("a").crash();
  rig.acquire("c", address);
  const diedAtMs = rig.now;
  rig.restart("a");
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["c", "a", "c"]);
  assert.ok((rig.flights[2]?.atMs ?? 0) >= diedAtMs + SETTINGS.ipDelayMs);
});

test("A1: when the granter dies the next one learns what is in flight before it gives anything", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b", "c");
  rig.fetch("c", address);
  const end = rig.acquire("a", address);
  rig.pass(500);
  rig.peers.cluster.node("b").crash();
  rig.acquire("c", address);
  rig.pass(100);
  rig.see("b", "dead");
  rig.pass(1500);
  assert.deepEqual(rig.flown, ["c", "a"], "a still fetches");
  end();
  const endedAtMs = rig.now;
  rig.pass(SETTINGS.ipDelayMs + 50);
  assert.deepEqual(rig.flown, ["c", "a", "c"]);
  assert.ok((rig.flights[2]?.atMs ?? 0) >= endedAtMs + SETTINGS.ipDelayMs);
});

test("A1: a new granter waits for every live member, and one delay more", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b", "c");
  rig.peers.cluster.node("b").crash();
  const heal = rig.peers.cluster.network.cut("a", "c");
  rig.see("b", "dead");
  rig.acquire("c", address);
  rig.pass(1500);
  assert.deepEqual(rig.flown, [], "a has not answered");
  heal();
  const healedAtMs = rig.now;
  rig.pass(SETTINGS.timeoutMs + SETTINGS.retryMs + SETTINGS.ipDelayMs + 20);
  assert.deepEqual(rig.flown, ["c"]);
  assert.ok((rig.flights[0]?.atMs ?? 0) >= healedAtMs + SETTINGS.ipDelayMs);
});

test("A1: who is free at an address stays free when the granter dies, until somebody comes", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b", "c");
  rig.fetch("a", address);
  rig.peers.cluster.node("b").crash();
  rig.see("b", "dead");
  rig.pass(1000);
  rig.asked.length = 0;
  const end = rig.acquire("a", address);
  rig.pass(50);
  assert.deepEqual([rig.flown, rig.asked], [["a", "a"], []]);
  rig.acquire("c", address);
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["a", "a"]);
  end();
  rig.pass(SETTINGS.ipDelayMs + 50);
  assert.deepEqual(rig.flown, ["a", "a", "c"]);
});

test("A1: a granter that has begun another life asks what it has forgotten", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.fetch("a", address);
  const end = rig.acquire("a", address);
  rig.pass(50);
  rig.peers.cluster.node("b").crash();
  rig.restart("b");
  rig.acquire("c", address);
  rig.pass(2000);
  assert.deepEqual(rig.flown, ["a", "a"]);
  end();
  rig.pass(SETTINGS.ipDelayMs + 50);
  assert.deepEqual(rig.flown, ["a", "a", "c"]);
});

test("A1: an agent that has taken another for its granter tells the first one all about it", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b", "a");
  // For a moment a believes that all others are dead, and grants to itself.
  for (const id of ["b", "c"]) rig.peers.view("a").set(id, "dead");
  rig.pass(1000);
  rig.acquire("a", address);
  rig.pass(100);
  assert.deepEqual(rig.flown, ["a"]);
  for (const id of ["b", "c"]) rig.peers.view("a").set(id, "alive");
  rig.pass(1500);
  rig.acquire("c", address);
  rig.pass(1500);
  assert.deepEqual(rig.flown, ["a"], "b knows that a fetches");
});

test("nobody waits for ever for an agent that sees the cluster differently", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b", "c");
  rig.peers.cluster.node("b").crash();
  for (const id of ["b", "c"]) rig.peers.view(id).set("b", "dead");
  const release = rig.acquire("c", address);
  rig.pass(2000);
  assert.deepEqual(rig.flown, [], "a believes that b is there");
  rig.pass(SETTINGS.totalTimeoutMs);
  assert.deepEqual(rig.flown, ["c"]);
  release();
});

test("addresses that are not used are forgotten, by users and granters", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.fetch("a", address);
  rig.fetch("c", address);
  rig.pass(1000);
  assert.deepEqual(rig.peers.program("a").sizes, { used: 1, granted: 0 });
  assert.deepEqual(rig.peers.program("b").sizes, { used: 0, granted: 1 });
  rig.pass(2 * SETTINGS.forgetMs);
  assert.deepEqual(rig.peers.program("a").sizes, { used: 0, granted: 0 });
  assert.deepEqual(rig.peers.program("b").sizes, { used: 0, granted: 0 });
  rig.asked.length = 0;
  for (let fetches = 0; fetches < 3; fetches += 1) rig.fetch("a", address);
  assert.deepEqual(rig.asked, ["a b slot.request"], "a is alone again");
});

test("a granter that was not told that an address is forgotten finds out", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.fetch("a", address);
  const heal = rig.peers.cluster.network.cut("a", "b");
  rig.pass(2 * SETTINGS.forgetMs);
  heal();
  assert.equal(rig.peers.program("b").sizes.granted, 1);
  rig.asked.length = 0;
  rig.acquire("c", address);
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["a", "c"]);
  assert.deepEqual(rig.asked, ["c b slot.request", "b a slot.shared"]);
});

test("many addresses are reported in several parts", () => {
  const rig = new Rig(["a", "b"]);
  const addresses = Array.from({ length: 5000 }, (_, at) => `10.0.${at >> 8}.${at & 255}`);
  for (const address of addresses) rig.acquire("a", address);
  rig.pass(2000);
  assert.equal(rig.flights.length, addresses.length);
  rig.peers.cluster.node("b").crash();
  rig.asked.length = 0;
  rig.restart("b");
  rig.pass(2000);
  const parts = rig.asked.filter((asked) => asked === "b a slot.uses").length;
  const granted = rig.peers.program("b").sizes.granted;
  assert.ok(granted > 2000 && parts === Math.ceil(granted / 2000), `${granted} in ${parts} parts`);
});

test("A1: a request of an agent that has died is not granted", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  const end = rig.acquire("b", address);
  rig.pass(100);
  rig.acquire("a", address);
  rig.pass(100);
  rig.peers.cluster.node("a").crash();
  rig.pass(200);
  rig.acquire("c", address);
  rig.pass(2000);
  end();
  rig.pass(SETTINGS.ipDelayMs + 50);
  assert.deepEqual(rig.flown, ["b", "c"]);
});

test("one that is closed does nothing more", () => {
  const rig = new Rig(["a"]);
  rig.acquire("a", "192.0.2.1");
  rig.peers.program("a").close();
  assert.deepEqual(rig.pass(5000).flown, []);
  assert.equal(rig.peers.kernel.waiting, 0);
});

test("an address that is in use for long is not forgotten", () => {
  const rig = new Rig();
  const slots = rig.peers.program("a");
  const end = rig.acquire("a", addressOf(rig, "b"));
  rig.pass(3 * SETTINGS.forgetMs);
  assert.equal(slots.sizes.used, 1);
  end();
  rig.pass(3 * SETTINGS.forgetMs);
  assert.equal(slots.sizes.used, 0);
});

test("A1: a granter that starts again learns all addresses that are used, in parts", () => {
  const rig = new Rig();
  const count = 2100;
  const addresses: string[] = [];
  for (let number = 1; addresses.length < count; number += 1) {
    const address = `192.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
    if (rig.peers.view("a").ownerOf(addressKey(address)) === "b") addresses.push(address);
  }
  for (const address of addresses) rig.acquire("a", address);
  rig.pass(2000);
  rig.peers.cluster.takeDown("b")();
  rig.pass(2000);
  assert.equal(rig.peers.program("b").sizes.granted, count);
});

test("of very many addresses that are forgotten one message names a part", () => {
  const rig = new Rig(["a"]);
  const forgotten: number[] = [];
  rig.onSend = (what, body) => {
    if (what === "a a slot.forget") forgotten.push((body as ForgottenAddresses).addresses.length);
  };
  const ends = Array.from({ length: 5010 }, (_, at) =>
    rig.acquire("a", `10.0.${at >> 8}.${at & 255}`),
  );
  rig.pass(1000);
  for (const end of ends) end();
  rig.pass(2 * SETTINGS.forgetMs);
  assert.deepEqual(forgotten, [5000]);
  assert.deepEqual(rig.peers.program("a").sizes, { used: 0, granted: 10 });
});

test("an address that is looked at again and again has one timer", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.acquire("a", address);
  rig.pass(100).acquire("c", address);
  // Meanwhile c repeats its request.
  rig.pass(3 * SETTINGS.timeoutMs);
  for (const id of ["a", "c"]) rig.peers.cluster.node(id).crash();
  rig.peers.program("b").close();
  rig.pass(SETTINGS.timeoutMs);
  assert.equal(rig.peers.kernel.waiting, 0);
});
