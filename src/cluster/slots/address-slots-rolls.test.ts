/** How much is asked when rolls change, and that nobody fetches too early for it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, Rig, SETTINGS } from "./address-slots.fixture.ts";

/** Who has inquired of whom. */
function inquiries(rig: Rig): string[] {
  const asked = rig.asked.filter((what) => what.endsWith(" slot.uses"));
  return [...new Set(asked.map((what) => what.slice(0, 3)))].toSorted();
}

test("A1: who comes to the roll asks all, and is asked by all; the others ask each other nothing", () => {
  const rig = new Rig();
  rig.see("c", "dead");
  rig.pass(1000).fetch("a", addressOf(rig, "b"));
  rig.asked.splice(0);
  rig.see("c", "alive");
  rig.pass(1000);
  assert.deepEqual(inquiries(rig), ["a c", "b c", "c a", "c b", "c c"]);
  assert.equal(rig.asked.length, 5);
});

test("A1: when somebody has gone from the roll all ask all others at once, and nobody has to invite them", () => {
  const rig = new Rig();
  rig.fetch("a", addressOf(rig, "b"));
  rig.asked.splice(0);
  rig.see("c", "dead");
  rig.pass(SETTINGS.retryMs / 2);
  const others = inquiries(rig).filter((pair) => !pair.includes("c"));
  assert.deepEqual(others, ["a a", "a b", "b a", "b b"]);
  rig.pass(1000);
  assert.deepEqual(
    rig.asked.filter((what) => what.endsWith(" slot.invite")),
    [],
  );
});

test("A1: whoever comes to the roll and may fetch is waited for before anybody gets another slot", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.see("c", "dead");
  rig.pass(2000).fetch("a", address);
  rig.peers.cluster.network.cut("b", "c");
  rig.see("c", "alive");
  rig.acquire("b", address);
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["a"], "c may have been free there");
  rig.pass(2 * (SETTINGS.totalTimeoutMs + SETTINGS.ipDelayMs));
  assert.deepEqual(rig.flown, ["a", "b"]);
});

test("A1: whoever seemed to join, and is seen to fetch, is waited for before anybody gets another slot", () => {
  const rig = new Rig(["a", "b", "c", "d"]);
  const address = addressOf(rig, "b");
  const view = rig.peers.view("b");
  const { state } = view.of("c");
  rig.peers.cluster.node("b").crash();
  rig.peers.cluster.network.cut("b", "c");
  view.of("c").state = "joining";
  rig.restart("b");
  rig.pass(1000).fetch("a", address);
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["a"], "who joins is not waited for");
  view.of("c").state = state;
  rig.peers.program("b").viewChanged();
  rig.acquire("d", address);
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["a"], "c may be free there");
  rig.pass(2 * (SETTINGS.totalTimeoutMs + SETTINGS.ipDelayMs));
  assert.deepEqual(rig.flown, ["a", "d"]);
});

test("A1: a slot of a granter is not used if another has come who grants the address", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b", "c");
  rig.see("b", "dead");
  rig.pass(1000);
  rig.onServe = (what) => {
    if (what !== "a c slot.request") return null;
    rig.peers.kernel.schedule(10, () => rig.see("b", "alive"));
    return 50;
  };
  rig.acquire("a", address);
  rig.pass(100);
  assert.deepEqual(rig.flown, []);
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["a"]);
});

test("A1: a former granter gives no slot to those who wait, when another has come who grants", () => {
  const rig = new Rig(["a", "b", "c", "d"]);
  const address = addressOf(rig, "b", "c");
  rig.see("b", "dead");
  rig.pass(1000).fetch("a", address);
  const end = rig.acquire("d", address);
  rig.pass(1000).acquire("a", address);
  rig.pass(100);
  // For a and d nothing changes; c grants no longer.
  rig.peers.view("c").set("b", "alive");
  end();
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["a", "d"]);
});

test("A1: who goes on as it was while others come keeps its slots, and what is in flight is waited for", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.see("c", "dead");
  rig.pass(1000).fetch("b", address);
  const end = rig.acquire("a", address);
  rig.pass(1000);
  rig.see("c", "alive");
  rig.pass(1000).acquire("c", address);
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["b", "a"], "a still fetches");
  end();
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["b", "a", "c"]);
});

test("A1: a roll that changes again and again is asked about no more often than requests are repeated", () => {
  const rig = new Rig(["a", "b", "c", "d", "e"]);
  const address = addressOf(rig, "a");
  rig.acquire("b", address)();
  rig.pass(1000).asked.splice(0);
  const changes = 100;
  const changeMs = SETTINGS.retryMs / 5;
  for (let change = 0; change < changes; change += 1) {
    rig.see(change % 2 === 0 ? "d" : "e", change % 4 < 2 ? "dead" : "alive");
    rig.pass(changeMs);
  }
  const asked = rig.asked.filter((what) => what === "a b slot.uses").length;
  const often = (changes * changeMs) / SETTINGS.retryMs;
  assert.ok(asked <= often + 1, `${asked} times in ${changes} changes`);
  assert.ok(asked >= often / 2, `${asked} times: to wait for the end of changes might be for ever`);
  rig.acquire("c", address);
  rig.pass(SETTINGS.retryMs + SETTINGS.timeoutMs + 2 * SETTINGS.ipDelayMs);
  assert.deepEqual(rig.flown, ["c"]);
});

test("a granter that sees the cluster differently for a moment is invited, however often rolls change", () => {
  const rig = new Rig(["a", "b", "c", "d"]);
  const address = addressOf(rig, "b", "c");
  rig.fetch("a", address);
  rig.asked.splice(0);
  for (let change = 0; change < 20; change += 1) {
    rig.peers.view("a").set("d", change % 2 === 0 ? "dead" : "alive");
    rig.pass(SETTINGS.retryMs);
  }
  const invited = rig.asked.filter((what) => what === "a b slot.invite").length;
  assert.ok(invited > 0 && invited <= 10, `${invited} times`);
  const others = rig.asked.filter((what) => what === "a c slot.invite");
  assert.deepEqual(others, [], "a uses nothing of c");
});

test("a granter that had inquired before it was on the roll is invited to do so again", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b", "c");
  const view = rig.peers.view("a");
  view.set("b", "dead");
  rig.acquire("a", address);
  rig.restart("b");
  rig.pass(SETTINGS.timeoutMs - 100).asked.splice(0);
  rig.onServe = (what) => (what === "b a slot.uses" ? 10_000 : null);
  view.set("b", "alive");
  rig.pass(2 * SETTINGS.retryMs + 10);
  assert.ok(rig.asked.includes("a b slot.invite"));
});

test("where addresses need not rest nothing is asked, and as soon as they must, slots are given", () => {
  for (const seen of ["by all", "by the granter"]) {
    const rig = new Rig();
    const address = addressOf(rig, "b");
    rig.settings.ipDelayMs = 0;
    rig.asked.splice(0);
    const views = seen === "by all" ? [...rig.peers.views] : [rig.peers.view("b")];
    for (const standing of ["dead", "alive"] as const) {
      for (const view of views) view.set("c", standing);
      rig.pass(2000);
    }
    rig.peers.cluster.node("c").crash();
    rig.restart("c");
    rig.pass(2000);
    assert.deepEqual(rig.asked, [], seen);
    rig.settings.ipDelayMs = SETTINGS.ipDelayMs;
    rig.acquire("a", address);
    rig.pass(2000);
    assert.deepEqual(rig.flown, ["a"], seen);
  }
});

test("a granter that has forgotten all, and is told of an end, asks, so that it is told once", () => {
  const rig = new Rig();
  const address = addressOf(rig, "b");
  rig.acquire("c", address);
  rig.pass(100);
  const withdraw = rig.acquire("a", address);
  rig.pass(100);
  rig.settings.ipDelayMs = 0;
  for (const standing of ["dead", "alive"] as const) rig.peers.view("b").set("c", standing);
  withdraw();
  rig.pass(2000).asked.splice(0);
  rig.pass(2000);
  assert.deepEqual(rig.asked, []);
});

test("a granter keeps nothing of addresses that another has come to grant", () => {
  const rig = new Rig(["a", "b", "c", "d"]);
  const address = addressOf(rig, "b", "c");
  rig.see("b", "dead");
  rig.pass(1000).fetch("a", address);
  assert.equal(rig.peers.program("c").sizes.granted, 1);
  rig.peers.view("c").set("b", "alive");
  assert.equal(rig.peers.program("c").sizes.granted, 0);
  // For a while a saw d dead, so that c asks it again, under the smaller roll.
  for (const standing of ["dead", "alive"] as const) rig.peers.view("a").set("d", standing);
  rig.pass(1000);
  assert.equal(rig.peers.program("c").sizes.granted, 0);
});

test("who sees later that somebody has gone is asked again, and all others need not wait for long", () => {
  const rig = new Rig(["a", "b", "c", "d"]);
  const address = addressOf(rig, "b");
  rig.peers.view("b").set("d", "dead");
  rig.pass(300).see("d", "dead");
  rig.acquire("a", address);
  rig.pass(1500);
  assert.deepEqual(rig.flown, ["a"]);
});

test("who has seen all the time what the granter sees again is not asked once more", () => {
  const rig = new Rig(["a", "b", "c", "d"]);
  rig.asked.splice(0);
  rig.peers.view("b").set("d", "dead");
  rig.pass(100).peers.view("b").set("d", "alive");
  rig.pass(2000);
  assert.equal(rig.asked.filter((what) => what === "b a slot.uses").length, 1);
});

test("A1: who joins is not waited for, and makes answers count that were given in its presence", () => {
  const rig = new Rig(["a", "b", "c", "d"]);
  const address = addressOf(rig, "b");
  const view = rig.peers.view("b");
  view.of("d").state = "joining";
  view.set("d", "dead");
  rig.pass(100).peers.cluster.network.cut("b", "d");
  view.set("d", "alive");
  rig.acquire("a", address);
  rig.pass(1000);
  assert.deepEqual(rig.flown, ["a"]);
});

test("A1: who sees the cluster differently is waited for again when somebody has come", () => {
  const rig = new Rig(["a", "b", "c", "d", "e"]);
  const address = addressOf(rig, "b");
  const waitMs = SETTINGS.totalTimeoutMs + SETTINGS.ipDelayMs;
  rig.see("e", "dead");
  rig.peers.view("c").set("d", "dead");
  rig.pass(waitMs + 1000).see("e", "alive");
  rig.acquire("a", address);
  rig.pass(waitMs - 1000);
  assert.deepEqual(rig.flown, []);
  rig.pass(2000);
  assert.deepEqual(rig.flown, ["a"]);
});

test("one that is closed while it waits to ask does not", () => {
  const rig = new Rig();
  rig.see("b", "dead");
  rig.see("c", "dead");
  for (const slots of rig.peers.programs) slots.close();
  rig.asked.splice(0);
  rig.pass(5000);
  assert.deepEqual(rig.asked, []);
});
