/** Pages that go from node to node: when that is work, and for whose sake they go. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryPages, pageOf } from "../../../test/support/cluster/memory-pages.ts";
import {
  entryAt,
  NodeRig,
  SETTINGS,
  UNBOUND,
} from "../../../test/support/cluster/noting-agents.ts";
import { Kernel } from "../../lab/simulator/index.ts";
import type { Place } from "../messages/index.ts";

const { membership } = SETTINGS;

interface StoresRig {
  readonly rig: NodeRig;
  readonly stores: readonly MemoryPages[];
}

/** Active nodes with stores that have no pages yet; with `migrate`, the first cannot read its own yet. */
function rigOf(
  count: number,
  migrate = false,
  partition: "continue" | "fence" = "continue",
): StoresRig {
  const kernel = new Kernel({ seed: "pages" });
  const settings = { ...SETTINGS, migrate, membership: { ...membership, partition } };
  const rig = new NodeRig(kernel, count, { ...UNBOUND, settings });
  const stores = Array.from({ length: count }, () => new MemoryPages(kernel.clock));
  for (const [number, store] of stores.entries()) rig.stores.set(number, store);
  if (stores[0] !== undefined) stores[0].isUnreadable = migrate;
  rig.settle();
  return { rig, stores };
}

test("T1: a page that comes is work, from its first piece until it is durable", () => {
  const { rig, stores } = rigOf(2, true);
  const [sender, taker] = stores as [MemoryPages, MemoryPages];
  const { node } = rig.agent(1);
  assert.equal(node.isIdle, true);
  const before = node.changes;
  taker.isStalled = true;
  sender.add(pageOf(rig.hostOf(1)), "a page");
  rig.kernel.pass(1000);
  assert.deepEqual([node.isIdle, node.changes], [true, before], "nothing has come");
  sender.isUnreadable = false;
  rig.kernel.pass(1000);
  assert.equal(node.isIdle, false);
  assert.ok(node.changes > before, "whoever has asked before asks again");
});

test("L1: a page that its taker had when it was given up is brought to another", () => {
  const { rig, stores } = rigOf(3);
  const [sender, first, other] = stores as [MemoryPages, MemoryPages, MemoryPages];
  const [given, awaited] = [pageOf(rig.hostOf(1)), pageOf(rig.hostOf(2), 2)];
  sender.add(given, "the one");
  sender.add(awaited, "the other");
  other.isFull = true;
  let hasLeft = false;
  rig.agent(0).node.membership.leave(() => {
    hasLeft = true;
  });
  rig.kernel.pass(5000);
  assert.deepEqual([first.texts.size, other.texts.size, hasLeft], [1, 0, false]);
  // The leaver may not go before this is taken, whatever becomes of its pages.
  rig.agent(2).work.isFull = true;
  rig.agent(0).node.found(entryAt(rig.hostOf(2)));
  other.isFull = false;
  rig.kernel.pass(SETTINGS.shipping.timeoutMs * 10);
  assert.deepEqual([first.texts.size, other.texts.size, hasLeft], [1, 1, false]);
  rig.cluster.takeDown("a1");
  rig.kernel.pass(SETTINGS.membership.giveUpAfterMs + 5000);
  assert.equal(rig.agent(0).node.status.members["given-up"], 1);
  assert.deepEqual([other.texts.size, hasLeft], [1, false]);
  rig.agent(2).work.isFull = false;
  rig.kernel.pass(10_000);
  const texts = [given, awaited].map(({ host, high }) => `${host}/${high}`);
  assert.deepEqual([[...other.texts.keys()].sort(), hasLeft], [texts.sort(), true]);
});

test("L1: a leaver takes pages along that are hidden for a disk that its agent no longer has", () => {
  const { rig, stores } = rigOf(2);
  const [sender, taker] = stores as [MemoryPages, MemoryPages];
  const { self } = rig.agent(1).node.view;
  const host = rig.hostOf(1);
  const former: Place = { ...self, generation: self.generation - 1 };
  const gone = "gone.example";
  sender.add(pageOf(host), "shown by a disk that stays");
  sender.hiddenBy.set(host, self);
  sender.add(pageOf(gone, 2), "shown by a disk that is lost");
  sender.hiddenBy.set(gone, former);
  rig.agent(0).node.membership.leave(() => undefined);
  rig.kernel.pass(10_000);
  assert.deepEqual([...taker.texts.keys()], [`${gone}/2`]);
});

test("what comes late from a place that was given up is not taken", () => {
  const { rig, stores } = rigOf(3, true);
  const [sender, taker] = stores as [MemoryPages, MemoryPages, MemoryPages];
  const [lost, other] = [rig.agent(0), rig.agent(1)];
  const place = lost.node.view.self;
  const host = rig.hostOf(1);
  sender.add(pageOf(host), "a page");
  sender.isUnreadable = false;
  const unclog = rig.cluster.network.clog("a0");
  lost.node.found(entryAt(host));
  rig.kernel.pass(SETTINGS.membership.giveUpAfterMs + 5000);
  assert.ok(other.node.view.isGivenUp(place));
  unclog();
  while (other.node.view.isGivenUp(place)) {
    assert.deepEqual([other.taken(), taker.texts.size], [[], 0]);
    rig.kernel.step();
  }
});

test("C1: pages go on to their owners when a node that was fenced is with the others again", () => {
  const { rig, stores } = rigOf(3, true, "fence");
  const [sender, taker] = stores as [MemoryPages, MemoryPages, MemoryPages];
  const { node } = rig.agent(0);
  sender.add(pageOf(rig.hostOf(1)), "a page");
  const heal = rig.cluster.network.partition(["a0"]);
  // With the one that comes back there are enough, and nobody else comes after it.
  rig.cluster.takeDown("a2");
  rig.kernel.pass(8000);
  assert.deepEqual([node.mayFetch, node.membership.state], [false, "active"]);
  heal();
  rig.kernel.runUntil(() => node.mayFetch, { stepsMax: 100_000, virtualMsMax: 5000 });
  sender.isUnreadable = false;
  rig.kernel.pass(1000);
  assert.equal(node.mayFetch, true);
  assert.equal(taker.texts.size, 1);
});
