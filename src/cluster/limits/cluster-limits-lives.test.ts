/** Limits of agents that leave, stop, or are something else by now; and those that are out of reach. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Rig } from "./cluster-limits.fixture.ts";

test("what is left is told of what is limited, and of nothing else", () => {
  const rig = new Rig({ pages: 5 }, "a");
  assert.deepEqual(rig.limits("a").left, { pages: 5, bytes: null });
});

test("what another crawl has left on a disk is void", () => {
  const rig = new Rig({ pages: 5 }, "a");
  rig.peers.cluster.takeDown("a");
  rig.crawl = "another";
  rig.peers.cluster.node("a").start();
  rig.pass(100);
  assert.equal(rig.limits("a").left.pages, 0);
});

test("M4: what an agent has lacked in an earlier life is not given to it in the next", () => {
  const rig = new Rig({ pages: 3 }, "a", "b", "c");
  assert.equal(rig.limits("c").take(3), 3);
  rig.work("b").pass();
  rig.work();
  rig.peers.cluster.takeDown("b");
  rig.peers.cluster.node("b").start();
  // The others learn from a message that this is another life.
  for (const view of rig.peers.views) view.of("b").incarnation = 2;
  rig.pass();
  const before = rig.sent.length;
  rig.limits("c").putBack(3);
  rig.pass();
  assert.equal(rig.left["a"], 3);
  const lent = rig.sent
    .slice(before)
    .filter(({ kind, to }) => kind.endsWith("transfer") && to === "b");
  assert.deepEqual(lent, []);
});

test("M9: a leaver does not go before the treasurer has what it gives", () => {
  const rig = new Rig({ pages: 30 }, "a", "b", "c").work("b").pass();
  assert.ok((rig.left["b"] ?? 0) > 0);
  rig.loses = ({ kind, from }) => kind === "cluster.limit.transfer" && from === "b";
  const done: string[] = [];
  for (const view of rig.peers.views) view.of("b").leaves = true;
  rig.desk("b").isWaiting = false;
  rig.limits("b").handOver(() => done.push("b"));
  rig.pass();
  assert.deepEqual(done, []);
  rig.loses = () => false;
  rig.pass();
  assert.deepEqual(done, ["b"]);
});

test("M4: a treasurer that is out of reach for long is asked again soon after it is back", () => {
  const rig = new Rig({ pages: 3 }, "b", "a");
  rig.loses = ({ kind }) => kind === "cluster.limit.request";
  rig.work("b").pass(60_000);
  assert.equal(rig.left["b"], 0);
  rig.loses = () => false;
  rig.pass(2000);
  assert.ok((rig.left["b"] ?? 0) > 0);
});

test("M8: that the time is over is told when the treasurer says so", () => {
  const rig = new Rig({ timeMs: 60_000 }, "a", "b").pass(100);
  rig.limits("a").ranFor(60_000);
  rig.told.length = 0;
  rig.pass(5000);
  assert.equal(rig.limits("b").reached, "time");
  assert.deepEqual(rig.told.filter((id) => id === "b").length, 1);
});

test("limits that are closed wait for nothing any more", () => {
  const rig = new Rig({ pages: 30, timeMs: 1e9 }, "a", "b").work("b").pass();
  rig.work().pass(10);
  for (const id of ["a", "b"]) rig.limits(id).close();
  // What was asked before is answered, or given up.
  rig.pass(250);
  assert.ok(!rig.peers.kernel.step());
});
