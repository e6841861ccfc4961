import assert from "node:assert/strict";
import { test } from "node:test";
import type { Peer } from "../../../test/support/cluster/peers.ts";
import { SeededRandom } from "../../base/random/index.ts";
import { SimDisk } from "../../lab/simulator/index.ts";
import { NO_AMOUNTS } from "./amounts.ts";
import { Rig } from "./cluster-limits.fixture.ts";
import { LIMIT_REQUEST, LIMIT_TRANSFER } from "./limit-messages.ts";

const settled = (rig: Rig): string[] => rig.peers.ids.filter((id) => rig.limits(id).isSettled);

test("M2: a token is taken by a fetch, put back if nothing came of it, and used by a page", () => {
  const rig = new Rig({ pages: 2 }, "a").work("a");
  const limits = rig.limits("a");
  assert.equal(limits.take(5), 2);
  assert.ok(!limits.mayBegin);
  limits.putBack(1);
  limits.use({ pages: 1, bytes: 10 });
  assert.deepEqual([limits.take(1), limits.take(1)], [1, 0]);
});

test("without limits nothing is asked, and there is no end of tokens", () => {
  const rig = new Rig({}, "a", "b").work("a", "b").pass();
  assert.equal(rig.limits("a").take(1000), 1000);
  rig.limits("a").use({ pages: 1000, bytes: 1e9 });
  assert.deepEqual(rig.sent, []);
  assert.deepEqual(settled(rig), ["a", "b"]);
  assert.equal(rig.limits("a").reached, null);
});

test("M3, M4: whoever lacks tokens gets a share, wherever they are", () => {
  const rig = new Rig({ pages: 100 }, "a", "b", "c").work("b", "c").pass();
  assert.ok((rig.left["b"] ?? 0) >= 5, JSON.stringify(rig.left));
  assert.ok((rig.left["c"] ?? 0) >= 20);
  assert.equal(rig.fetch("b", 1000) + rig.fetch("c", 1000) + (rig.left["a"] ?? 0), 100);
});

test("M3: even a single token reaches whoever has work for it", () => {
  for (const worker of ["a", "b", "c"]) {
    const rig = new Rig({ pages: 1 }, "a", "b", "c").work(worker).pass();
    assert.equal(rig.fetch(worker, 5), 1, worker);
  }
});

test("M5: whoever has no work gives back what it has, to the treasurer", () => {
  const rig = new Rig({ pages: 100 }, "a", "b", "c").work("b", "c").pass();
  rig.work().pass();
  assert.deepEqual(rig.left, { a: 100, b: 0, c: 0 });
  assert.deepEqual(settled(rig), ["a", "b", "c"]);
  assert.equal(rig.limits("a").reached, null);
});

test("M6: an agent that lacks tokens is settled only when the treasurer knows", () => {
  const rig = new Rig({ pages: 3 }, "a", "b").work("b").pass();
  rig.loses = ({ kind }) => kind === "cluster.limit.request";
  assert.equal(rig.fetch("b", 3), 3);
  rig.pass();
  assert.deepEqual(settled(rig), ["a"], "b was not heard");
  rig.loses = () => false;
  rig.pass();
  assert.deepEqual(settled(rig), ["a", "b"]);
  assert.equal(rig.limits("a").reached, "pages");
});

test("M4, M6: whoever begins another life is noted no more, and asks again", () => {
  const rig = new Rig({ pages: 3 }, "a", "b").work("b").pass();
  assert.equal(rig.fetch("b", 3), 3);
  rig.pass();
  assert.deepEqual(settled(rig), ["a", "b"]);
  rig.loses = ({ kind }) => kind === "cluster.limit.request";
  rig.peers.view("b").rejoin();
  rig.pass();
  assert.deepEqual(settled(rig), ["a"], "the treasurer does not know that b lacks something");
  rig.loses = () => false;
  rig.pass();
  assert.deepEqual(settled(rig), ["a", "b"]);
  rig.setBounds("a", { pages: 5 });
  assert.equal(rig.pass().fetch("b", 5), 1, "a share of what there is");
});

test("M4: whoever is given up when it asks is not noted, and asks again when it is back", () => {
  const rig = new Rig({ pages: 3 }, "a", "b").work("b").pass();
  assert.equal(rig.fetch("b", 3), 3);
  rig.pass();
  rig.see("b", "given-up");
  rig.peers.view("b").rejoin();
  rig.pass();
  rig.see("b", "alive");
  assert.ok(!rig.limits("b").isSettled, "it may be served now");
  rig.setBounds("a", { pages: 5 });
  assert.ok(rig.pass().fetch("b", 5) > 0, "the treasurer knows");
});

test("M6: whoever has tokens and no work is not settled", () => {
  const rig = new Rig({ pages: 10 }, "a", "b").work("b").pass();
  rig.loses = ({ kind }) => kind === "cluster.limit.transfer";
  rig.work().pass(100);
  assert.ok(!rig.limits("b").isSettled, "it has tokens that somebody may lack");
  rig.pass();
  assert.ok(!rig.limits("b").isSettled, "they are under way");
  rig.loses = () => false;
  rig.pass();
  assert.deepEqual(settled(rig), ["a", "b"]);
});

test("M6: tokens are found again after answers were lost", () => {
  const rig = new Rig({ pages: 20 }, "a", "b").work("b").pass();
  const { network } = rig.peers.cluster;
  rig.fetch("b", 100);
  rig.pass(60);
  const heal = network.cut("a", "b");
  rig.pass(1000);
  heal();
  rig.pass();
  rig.fetchAll("b");
  assert.equal(rig.desk("b").pages, 20);
});

test("M6: what is under way to a place that was given up keeps nobody from being settled", () => {
  const rig = new Rig({ pages: 10 }, "a", "b", "c").pass();
  rig.loses = ({ kind, to }) => kind === "cluster.limit.transfer" && to === "b";
  rig.work("b").pass();
  assert.ok(!rig.limits("a").isSettled, "it may arrive");
  rig.peers.cluster.takeDown("b");
  rig.see("b", "given-up");
  rig.pass();
  for (const id of ["a", "c"]) assert.ok(rig.limits(id).isSettled, id);
});

test("M4: what others can spare is recalled until something comes of it", () => {
  const rig = new Rig({ pages: 40 }, "a", "b");
  rig.loses = ({ kind }) => kind === "cluster.limit.recall";
  rig.work("a", "b").pass();
  assert.equal(rig.left["a"], 0);
  rig.loses = () => false;
  rig.pass();
  assert.ok((rig.left["a"] ?? 0) > 0);
});

test("M6: a dead member before the treasurer makes it uncertain", () => {
  const rig = new Rig({ pages: 4 }, "a", "b", "c").work("c").pass();
  rig.peers.cluster.takeDown("a");
  rig.see("a", "dead");
  rig.pass();
  assert.equal(rig.fetch("c", 10) > 0, true);
  rig.pass();
  for (const id of ["b", "c"]) assert.ok(!rig.limits(id).isSettled, id);
});

test("M2: what was for an earlier disk of an agent is not credited to the next one", () => {
  const rig = new Rig({ pages: 10 }, "a", "b").work("a");
  rig.peers.kernel.pass(2000);
  const transfer = rig.sent.find(({ kind, to }) => kind === "cluster.limit.transfer" && to === "a");
  assert.ok(transfer !== undefined);
  const before = rig.left["a"] ?? 0;
  assert.ok(before > 0);
  rig.peers.cluster.takeDown("a");
  const desk = rig.desk("a");
  desk.disk = new SimDisk(new SeededRandom("another"));
  for (const view of rig.peers.views) view.of("a").place = { id: "a", generation: 2 };
  rig.work();
  rig.peers.cluster.node("a").start();
  rig.pass(100);
  const taken = rig.left["a"];
  // It comes again, late.
  const { messenger } = rig.askers.get("b") ?? assert.fail();
  const type = rig.types.get("cluster.limit.transfer") ?? assert.fail();
  const question = { body: transfer.body as never, timeoutMs: 100 };
  messenger.askAgent("a", type as never, question, () => undefined);
  rig.pass(200);
  assert.equal(rig.left["a"], taken);
});

test("M2: a transfer of more than there can be is not taken", () => {
  const rig = new Rig({ pages: 10 }, "a", "b").work("a").pass();
  const before = rig.left["a"];
  const [place, origin] = [rig.peers.view("a").self, rig.peers.view("b").self];
  const amount = { pages: Number.MAX_SAFE_INTEGER, bytes: 0 };
  const body = { elapsedMs: 0, origin, number: 1000, to: place, amount };
  const { messenger } = rig.askers.get("b") ?? assert.fail();
  messenger.ask(place, LIMIT_TRANSFER, { body, timeoutMs: 100 }, ({ kind }) => {
    assert.equal(kind, "none");
  });
  rig.pass(200);
  assert.equal(rig.left["a"], before);
});

test("M2: what was lent survives crashes of lender and borrower", () => {
  const rig = new Rig({ pages: 50 }, "a", "b", "c").work("a", "c").pass();
  const before = rig.left;
  for (const id of ["a", "c"]) {
    const restart = rig.peers.cluster.takeDown(id);
    rig.desk(id).disk.crash();
    restart();
  }
  rig.pass();
  assert.deepEqual(rig.left, before);
  assert.equal(rig.fetchAll("a", "c"), 50);
});

test("M7: a raised limit is issued once, by whoever has raised it", () => {
  const rig = new Rig({ pages: 5 }, "a", "b", "c").work("b").pass();
  assert.equal(rig.fetchAll("b"), 5);
  rig.setBounds("c", { pages: 8 });
  rig.setBounds("c", { pages: 9 });
  rig.peers.cluster.takeDown("c")();
  rig.pass();
  assert.equal(rig.fetchAll("b"), 4);
  assert.equal(rig.limits("a").reached, "pages");
});

test("M7: what a disk has issued it has issued, also under another name", () => {
  const rig = new Rig({ pages: 5 }, "a", "b", "c").work("b").pass();
  rig.setBounds("c", { pages: 9 });
  for (const view of rig.peers.views) {
    view.of("c").place = { id: "c", generation: 2 };
    view.changed();
  }
  rig.limits("c").configured(rig.terms);
  rig.pass();
  assert.equal(rig.fetchAll("b"), 9);
});

test("M7: a lowered limit is a debt that is paid before more is fetched", () => {
  const rig = new Rig({ pages: 100 }, "a", "b").work("b").pass();
  const first = rig.fetch("b", 10);
  assert.equal(first, 10);
  rig.setBounds("a", { pages: 12 });
  rig.pass();
  assert.equal(rig.fetchAll("b"), 2);
  assert.deepEqual(settled(rig), ["a", "b"]);
});

test("M7: a change that was dropped everywhere is taken back", () => {
  const rig = new Rig({ pages: 5 }, "a", "b").work("b").pass();
  const { terms } = rig;
  rig.setBounds("a", { pages: 50 });
  rig.terms = terms;
  rig.setBounds("b", { pages: 6 });
  rig.pass();
  assert.equal(rig.fetchAll("b"), 6);
});

test("bytes are lent too, and exceeded by no more than what is in flight", () => {
  const rig = new Rig({ bytes: 10_000 }, "a", "b", "c").work("a", "b", "c").pass();
  let bytes = 0;
  for (let round = 0; round < 60; round += 1) {
    for (const id of ["a", "b", "c"]) bytes += 450 * rig.fetch(id, 1, 450);
    rig.pass(500);
  }
  assert.ok(bytes >= 10_000 && bytes < 10_000 + 3 * 450, String(bytes));
  assert.deepEqual(settled(rig), ["a", "b", "c"]);
  assert.equal(rig.limits("a").reached, "bytes");
});

test("a fetch with a token that has waited does not begin when bytes or time are used up", () => {
  const rig = new Rig({ bytes: 100, timeMs: 60_000 }, "a").work("a");
  const limits = rig.limits("a");
  assert.equal(limits.take(2), 2);
  assert.ok(limits.mayGoOn);
  limits.use({ pages: 1, bytes: 100 });
  assert.ok(!limits.mayGoOn, "nothing is left");
  rig.setBounds("a", { bytes: 200 });
  assert.ok(limits.mayGoOn);
  limits.ranFor(60_000);
  assert.ok(!limits.mayGoOn, "the time is up");
});

test("whoever lacks one thing gives back the other, and gets both or none", () => {
  const rig = new Rig({ bytes: 1000, pages: 100 }, "a", "b", "c").work("b", "c").pass();
  for (let round = 0; round < 20; round += 1) {
    for (const id of ["b", "c"]) rig.fetch(id, 1, 300);
    rig.pass(500);
  }
  const { sent } = rig;
  const before = sent.length;
  rig.pass(10_000);
  assert.deepEqual(settled(rig), ["a", "b", "c"]);
  assert.ok(sent.length - before < 60, `${sent.length - before} messages in ten idle seconds`);
});

test("M8: the time is the longest that anybody knows of, whatever clocks show", () => {
  const rig = new Rig({ timeMs: 10_000 }, "a", "b");
  rig.peers.cluster.takeDown("b");
  rig.desk("b").elapsedMs = 7000;
  rig.peers.cluster.node("b").start();
  rig.work("a", "b").pass(1500);
  assert.ok(rig.limits("a").elapsedMs > 8000, String(rig.limits("a").elapsedMs));
  assert.equal(rig.limits("a").take(1), 1);
  rig.limits("a").putBack(1);
  rig.pass(2000);
  for (const id of ["a", "b"]) {
    assert.equal(rig.limits(id).reached, "time", id);
    assert.equal(rig.limits(id).take(1), 0);
    assert.ok(rig.limits(id).isSettled);
  }
});

test("M8, T1: that times are compared is no work, nor that the time is over", () => {
  const rig = new Rig({ timeMs: 60_000 }, "a", "b").work().pass(5000);
  const { changes } = rig.limits("b");
  const { length } = rig.sent;
  rig.pass(20_000);
  assert.ok(rig.sent.length > length + 10, "they are compared");
  assert.equal(rig.limits("b").changes, changes);
  rig.pass(60_000);
  assert.equal(rig.limits("b").reached, "time");
  assert.equal(rig.limits("b").changes, changes, "an end that was found before is not undone");
});

test("M4: what the treasurer notes is void when something has come since it was asked", () => {
  const rig = new Rig({ pages: 2 }, "a", "b", "c").pass();
  assert.deepEqual(rig.left, { a: 2, b: 0, c: 0 });
  rig.lateMs = ({ from, kind }) => (from === "b" && kind === "cluster.limit.request" ? 1000 : 0);
  rig.work("b").pass(500);
  assert.equal(rig.fetch("b", 2), 1, "it has a share, and not yet the answer");
  rig.pass(5000);
  assert.equal(rig.fetch("b", 2), 1, "it has asked again");
});

test("M6: an agent is not settled while a fetch has a token", () => {
  const rig = new Rig({ pages: 2 }, "a").pass();
  assert.ok(rig.limits("a").isSettled);
  rig.limits("a").take(1);
  assert.ok(!rig.limits("a").isSettled, "it may be put back");
  rig.limits("a").putBack(1);
  assert.ok(rig.limits("a").isSettled);
});

test("M9: a leaver hands over what it has, and nothing comes to it afterwards", () => {
  const rig = new Rig({ pages: 30 }, "a", "b", "c").work("b", "c").pass();
  const done: string[] = [];
  for (const view of rig.peers.views) view.of("c").leaves = true;
  rig.desk("c").isWaiting = false;
  rig.limits("c").handOver(() => done.push("c"));
  rig.pass();
  assert.deepEqual(done, ["c"]);
  assert.equal(rig.left["c"], 0);
  assert.equal((rig.left["a"] ?? 0) + (rig.left["b"] ?? 0), 30);
});

test("M9: a leaver does not go while a fetch has a token, which may be put back", () => {
  const rig = new Rig({ pages: 30 }, "a", "b", "c").work("c").pass();
  assert.equal(rig.limits("c").take(1), 1);
  const done: string[] = [];
  for (const view of rig.peers.views) view.of("c").leaves = true;
  rig.limits("c").handOver(() => done.push("c"));
  rig.pass();
  assert.deepEqual(done, []);
  rig.limits("c").putBack(1);
  rig.pass();
  assert.deepEqual(done, ["c"]);
  assert.equal((rig.left["a"] ?? 0) + (rig.left["b"] ?? 0), 30);
});

test("M9: a leaver that stays keeps what it has; if it leaves again it says farewell to all again", () => {
  const rig = new Rig({ pages: 30 }, "a", "b", "c").work("c").pass();
  const done: string[] = [];
  const leaves = (isLeaving: boolean): void => {
    for (const view of rig.peers.views) view.of("c").leaves = isLeaving;
    rig.limits("c").viewChanged();
  };
  const farewells = (): string[] =>
    rig.sent.flatMap(({ kind, to }) => (kind === "cluster.limit.farewell" ? [to] : []));
  rig.loses = ({ kind, to }) => kind === "cluster.limit.farewell" && to === "a";
  leaves(true);
  rig.limits("c").handOver(() => done.push("first"));
  rig.pass();
  leaves(false);
  rig.loses = () => false;
  rig.sent.length = 0;
  rig.pass();
  assert.deepEqual([done, farewells()], [[], []], "it is a member");
  leaves(true);
  rig.limits("c").handOver(() => done.push("second"));
  rig.pass();
  assert.deepEqual([done, farewells().sort()], [["second"], ["a", "b"]]);
});

test("M9: what is under way to a leaver is waited for", () => {
  const rig = new Rig({ pages: 30 }, "a", "b", "c").work("c").pass();
  rig.loses = ({ kind, to }) => kind === "cluster.limit.transfer" && to === "b";
  rig.work("b", "c").pass(500);
  const done: string[] = [];
  for (const view of rig.peers.views) view.of("b").leaves = true;
  rig.desk("b").isWaiting = false;
  rig.limits("b").handOver(() => done.push("b"));
  rig.pass();
  assert.deepEqual(done, [], "something is under way to it");
  rig.loses = () => false;
  rig.pass();
  assert.deepEqual(done, ["b"]);
  const { a, b, c } = rig.left;
  assert.deepEqual([b, (a ?? 0) + (c ?? 0)], [0, 30]);
});

test("M9: who has said farewell is lent nothing, whatever it had asked for, until it is back", () => {
  const rig = new Rig({ pages: 3 }, "a", "b", "c");
  const { messenger } = rig.askers.get("b") as Peer;
  assert.equal(rig.limits("c").take(3), 3);
  rig.work("b").pass();
  const leaves = (isLeaving: boolean): void => {
    for (const view of rig.peers.views) view.of("b").leaves = isLeaving;
  };
  const done: string[] = [];
  leaves(true);
  rig.work();
  rig.limits("b").handOver(() => done.push("b"));
  rig.pass();
  assert.deepEqual(done, ["b"]);
  const isLent = (): boolean =>
    rig.sent.some(({ kind, to }) => kind === "cluster.limit.transfer" && to === "b");
  rig.limits("c").putBack(3);
  rig.pass();
  assert.equal(rig.left["a"], 3);
  assert.ok(!isLent(), "that it lacked something is void");
  const body = { elapsedMs: 0, debt: NO_AMOUNTS, pages: "lacking", bytes: "none" } as const;
  messenger.ask(rig.peers.view("a").self, LIMIT_REQUEST, { body, timeoutMs: 200 }, () => undefined);
  rig.pass();
  assert.ok(!isLent(), "a request that was late is void");
  rig.peers.cluster.takeDown("b");
  leaves(false);
  rig.peers.cluster.node("b").start();
  rig.pass().work("b").pass();
  assert.ok((rig.left["b"] ?? 0) > 0, "in another life it is a member");
});

test("T1: that somebody dies is counted as a change, that it is suspected is not", () => {
  const rig = new Rig({ pages: 3 }, "a", "b", "c").pass();
  rig.see("b", "suspect");
  rig.pass();
  const { changes } = rig.limits("a");
  rig.see("b", "alive");
  rig.pass();
  assert.equal(rig.limits("a").changes, changes);
  rig.see("b", "dead");
  assert.ok(rig.limits("a").changes > changes);
});
