import assert from "node:assert/strict";
import { test } from "node:test";
import { Kernel } from "../kernel/kernel.ts";
import type { Conditions } from "./conditions.ts";
import { type Packet, SimNetwork } from "./sim-network.ts";

interface Arrival {
  readonly number: number;
  readonly atMs: number;
}

/** A network with ports that note what arrives, by node. */
function lay(conditions: Partial<Conditions> = {}, seed = "network") {
  const kernel = new Kernel({ seed });
  const network = new SimNetwork(kernel, conditions);
  const arrived = new Map<string, Arrival[]>();
  for (const self of ["a", "b", "c"]) {
    const list: Arrival[] = [];
    arrived.set(self, list);
    network.connect({
      self,
      arrive: (packet) => list.push({ number: packet.number, atMs: kernel.nowMs }),
    });
  }
  const send = (from: string, to: string, number = 0): void =>
    network.send({ from, to, purpose: "broadcast", kind: "note", number, body: new Uint8Array(1) });
  const at = (node: string): number[] => (arrived.get(node) ?? []).map(({ number }) => number);
  return { kernel, network, send, at, arrived };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

test("on a calm network every message arrives once, in order, within the usual delay", () => {
  const { kernel, send, at, arrived } = lay({ delayMsMin: 1, delayMsMax: 5 });
  for (const number of numbers(500)) send("a", "b", number);
  kernel.pass(5);
  assert.deepEqual(at("b"), numbers(500));
  assert.ok(arrived.get("b")?.every(({ atMs }) => atMs >= 1 && atMs <= 5.001));
});

test("messages are lost, doubled, late and out of order in the given shares", () => {
  const { kernel, send, at, arrived } = lay({
    lossRatio: 0.2,
    duplicateRatio: 0.1,
    lateRatio: 0.05,
    lateMsMax: 5000,
    reorderRatio: 1,
  });
  for (const number of numbers(10_000)) send("a", "b", number);
  kernel.pass(10_000);
  const seen = at("b");
  const distinct = new Set(seen);
  const late = arrived.get("b")?.filter(({ atMs }) => atMs > 50).length ?? 0;
  assert.ok(Math.abs(distinct.size - 8000) < 200, `${distinct.size} of 10000 arrived`);
  assert.ok(Math.abs(seen.length - distinct.size - 800) < 150, "doubled");
  assert.ok(Math.abs(late - 440) < 100, `${late} were late`);
  assert.notDeepEqual(
    seen,
    seen.toSorted((one, other) => one - other),
    "out of order",
  );
});

test("without reordering a late message holds up those behind it", () => {
  const { kernel, send, at } = lay({ lateRatio: 0.2, lateMsMax: 1000 });
  for (const number of numbers(100)) send("a", "b", number);
  kernel.pass(2000);
  assert.deepEqual(at("b"), numbers(100));
});

test("a cut is one-way, also affects messages in flight, and ends when it is healed", () => {
  const { kernel, network, send, at } = lay({ delayMsMin: 2, delayMsMax: 4 });
  send("a", "b", 1);
  kernel.pass(1);
  const heal = network.cut("a", "b");
  send("a", "b", 2);
  send("b", "a", 3);
  send("a", "c", 4);
  kernel.pass(10);
  assert.deepEqual([at("a"), at("b"), at("c")], [[3], [], [4]]);
  heal();
  heal();
  send("a", "b", 5);
  kernel.pass(10);
  assert.deepEqual(at("b"), [5]);
});

test("a link cut by two faults is healed when both are over", () => {
  const { kernel, network, send, at } = lay();
  const [one, other] = [network.cut("a", "b"), network.cut("a", "b")];
  one();
  one();
  send("a", "b", 1);
  kernel.pass(10);
  assert.deepEqual(at("b"), []);
  other();
  send("a", "b", 2);
  kernel.pass(10);
  assert.deepEqual(at("b"), [2]);
});

test("a partition lets messages pass within each side only", () => {
  const { kernel, network, send, at } = lay();
  const heal = network.partition(["a", "b"]);
  const all = [
    ["a", "b"],
    ["b", "a"],
    ["a", "c"],
    ["c", "a"],
  ] as const;
  for (const [from, to] of all) send(from, to);
  kernel.pass(10);
  assert.deepEqual([at("a").length, at("b").length, at("c").length], [1, 1, 0]);
  heal();
  for (const [from, to] of all) send(from, to);
  kernel.pass(10);
  assert.deepEqual([at("a").length, at("b").length, at("c").length], [3, 2, 1]);
});

test("what a clogged node sends or should get comes in a burst when it is unclogged", () => {
  const { kernel, network, send, at, arrived } = lay();
  const unclog = network.clog("b");
  for (const number of numbers(50)) send("a", "b", number);
  send("b", "c", 7);
  send("a", "c", 8);
  kernel.pass(10_000);
  assert.deepEqual([at("b"), at("c")], [[], [8]]);
  unclog();
  kernel.pass(10);
  assert.deepEqual(at("b").toSorted(), numbers(50).toSorted(), "nothing is lost");
  assert.notDeepEqual(at("b"), numbers(50), "but the order is");
  assert.deepEqual(at("c"), [8, 7]);
  assert.ok(arrived.get("b")?.every(({ atMs }) => atMs >= 10_000 && atMs < 10_010));
});

test("between two clogged nodes a message waits for both", () => {
  const { kernel, network, send, at } = lay();
  const [unclogA, unclogB] = [network.clog("a"), network.clog("b")];
  send("a", "b", 1);
  kernel.pass(10);
  unclogA();
  kernel.pass(10);
  assert.deepEqual(at("b"), []);
  unclogB();
  kernel.pass(10);
  assert.deepEqual(at("b"), [1]);
});

test("a disturbance worsens the conditions until it is over", () => {
  const { kernel, network, send, at } = lay();
  const [one, other] = [network.disturb({ lossRatio: 1 }), network.disturb({ lossRatio: 0.1 })];
  send("a", "b", 1);
  one();
  other();
  send("a", "b", 2);
  kernel.pass(10);
  assert.deepEqual(at("b"), [2]);
});

test("what a node sends to itself is neither lost nor cut nor clogged", () => {
  const { kernel, network, send, at } = lay({ lossRatio: 1 });
  network.clog("a");
  network.partition(["a"]);
  send("a", "a", 1);
  kernel.pass(1);
  assert.deepEqual(at("a"), [1]);
});

test("what is drawn for one link does not depend on the traffic of others", () => {
  const lossy = { lossRatio: 0.5 };
  const alone = lay(lossy);
  const busy = lay(lossy);
  for (const number of numbers(100)) {
    alone.send("a", "b", number);
    busy.send("a", "c", number);
    busy.send("a", "b", number);
    busy.send("b", "a", number);
  }
  alone.kernel.pass(10);
  busy.kernel.pass(10);
  assert.deepEqual(busy.at("b"), alone.at("b"));
});

test("the sender of a request to nobody may be told so, the sender of a note is not", () => {
  for (const [unreachableRatio, told] of [
    [1, 1],
    [0, 0],
  ] as const) {
    const { kernel, network, send, at } = lay({ unreachableRatio });
    const packet: Omit<Packet, "purpose"> = {
      from: "a",
      to: "nobody",
      kind: "note",
      number: 9,
      body: new Uint8Array(0),
    };
    network.send({ ...packet, purpose: "request" });
    network.send({ ...packet, purpose: "reply" });
    send("a", "nobody");
    kernel.pass(20);
    assert.equal(at("a").length, told);
  }
});
