import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOf } from "../../../test/support/cluster/memory-pages.ts";
import { PagesRig, SETTINGS } from "./pages.fixture.ts";

/** Agent `a` has these pages, of hosts of others. */
function rigWith(
  pages: Readonly<Record<string, string>>,
  owners: Record<string, string>,
): PagesRig {
  const rig = new PagesRig();
  for (const [host, owner] of Object.entries(owners)) rig.owners.set(host, owner);
  for (const [number, [host, text]] of Object.entries(pages).entries()) {
    rig.at("a").store.add(pageOf(host, number + 1), text);
  }
  return rig;
}

function textsAt(rig: PagesRig, id: string): readonly string[] {
  return [...rig.at(id).store.texts.values()].sort();
}

test("L1: every page of another's host is brought to its owner, whole, a piece at a time", () => {
  const rig = rigWith(
    { one: "the first page", two: "second", three: "of a itself", four: "" },
    { one: "b", two: "c", three: "a", four: "b" },
  );
  const isOver = rig.shipAll();
  rig.pass();
  assert.ok(isOver());
  assert.deepEqual(textsAt(rig, "b"), ["", "the first page"]);
  assert.deepEqual(textsAt(rig, "c"), ["second"]);
  const pieces = rig.sent.filter((sent) => sent.startsWith("a b one/1"));
  assert.deepEqual(
    pieces,
    [0, 4, 8, 12].map((from) => `a b one/1 ${from}`),
  );
  assert.deepEqual(rig.at("b").stored.toSorted(), ["four/4 from a", "one/1 from a"]);
});

test("L1, C1: a hidden copy is brought only if the place that shows another is leaving too", () => {
  const rig = rigWith({ one: "shown by b", two: "shown by c" }, { one: "b", two: "b" });
  const { store, shipper } = rig.at("a");
  store.hiddenBy.set("one", rig.place("b")).set("two", rig.place("c"));
  rig.leavers.add("c");
  shipper.migrate();
  rig.pass();
  assert.deepEqual(textsAt(rig, "b"), [], "not in the background");
  const isOver = rig.shipAll();
  rig.pass();
  assert.ok(isOver());
  assert.deepEqual(textsAt(rig, "b"), ["shown by c"]);
});

test("L1: it is over only when the last page is durable where it went", () => {
  const rig = rigWith({ one: "page" }, { one: "b" });
  rig.at("b").store.isStalled = true;
  const isOver = rig.shipAll();
  rig.pass();
  assert.ok(!isOver() && rig.at("a").shipper.isBusy);
});

test("L1: who is busy or does not answer is asked again", () => {
  const rig = rigWith({ one: "page" }, { one: "b" });
  rig.at("b").store.isFull = true;
  const isOver = rig.shipAll();
  rig.pass();
  assert.ok(!isOver());
  rig.at("b").store.isFull = false;
  rig.isOpen = false;
  rig.pass();
  assert.ok(!isOver());
  rig.isOpen = true;
  rig.pass();
  assert.ok(isOver());
  assert.deepEqual(textsAt(rig, "b"), ["page"]);
});

test("L1: a page whose owner is another by now goes to that one, from its beginning", () => {
  const rig = rigWith({ one: "the first page" }, { one: "b" });
  const isOver = rig.shipAll();
  rig.peers.kernel.runUntil(() => rig.sent.length === 2, { stepsMax: 10_000, virtualMsMax: 5000 });
  rig.owners.set("one", "c");
  rig.pass();
  assert.ok(isOver());
  assert.deepEqual(textsAt(rig, "c"), ["the first page"]);
  assert.deepEqual(textsAt(rig, "b"), []);
});

test("L1, G1: pages that were taken by a place which is given up meanwhile are brought to others", () => {
  const rig = rigWith({ one: "first", two: "second" }, { one: "b", two: "c" });
  rig.at("c").store.isStalled = true;
  const isOver = rig.shipAll();
  rig.pass(1000);
  assert.deepEqual(textsAt(rig, "b"), ["first"]);
  rig.owners.set("one", "c");
  rig.at("a").shipper.gaveUp(rig.place("b"));
  rig.at("c").store.isStalled = false;
  rig.owners.set("two", null);
  rig.pass(5000);
  assert.ok(isOver());
  assert.deepEqual(textsAt(rig, "c"), ["first"]);
});

test("a page that cannot be read is told of, and keeps no other one back", () => {
  const rig = rigWith({ one: "first", two: "second" }, { one: "b", two: "b" });
  rig.at("a").store.broken = "one/1";
  const isOver = rig.shipAll();
  rig.pass();
  assert.ok(isOver());
  assert.deepEqual(rig.at("a").failed, ["STORAGE_FAILED"]);
  assert.deepEqual(textsAt(rig, "b"), ["second"]);
});

test("an archive that stays behind is told of without its pages", () => {
  const rig = rigWith({ one: "the first page" }, { one: "b" });
  const isOver = rig.shipAll(false);
  rig.pass();
  assert.ok(isOver());
  assert.deepEqual(textsAt(rig, "b"), ["kept"]);
  assert.deepEqual(rig.at("b").stored, ["one/1 from nobody"]);
});

test("a store that cannot be looked through for a while is told of, and looked through again", () => {
  const rig = rigWith({ one: "first", two: "second" }, { one: "b", two: "b" });
  rig.at("a").store.isUnreadable = true;
  const isOver = rig.shipAll();
  rig.pass();
  assert.ok(!isOver() && rig.at("a").failed.includes("STORAGE_FAILED"));
  rig.at("a").store.isUnreadable = false;
  rig.pass();
  assert.ok(isOver());
  assert.deepEqual(textsAt(rig, "b"), ["first", "second"]);
});

test("so many pages are on their way at a time, and no more", () => {
  const pages = { one: "1", two: "2", three: "3", four: "4" };
  const rig = rigWith(pages, { one: "b", two: "b", three: "c", four: "c" });
  rig.at("b").store.isStalled = true;
  rig.at("c").store.isStalled = true;
  rig.shipAll();
  rig.pass();
  const begun = new Set(rig.sent.map((sent) => sent.split(" ")[2]));
  assert.equal(begun.size, SETTINGS.pagesAtOnce);
});

test("L1: a leaver does not keep to the pace of the background", () => {
  const text = "x".repeat(5 * SETTINGS.bytesPerSecondMax);
  const rig = rigWith({ one: text }, { one: "b" });
  const isOver = rig.shipAll();
  rig.pass(4000);
  assert.ok(isOver());
});

test("in the background pages are sent no faster than they may be", () => {
  const text = "x".repeat(400);
  const rig = rigWith({ one: text }, { one: "b" });
  rig.at("a").shipper.migrate();
  rig.pass(2000);
  assert.ok(rig.sent.length <= 52, `${rig.sent.length} pieces of 4 bytes at 100 a second`);
  assert.deepEqual(textsAt(rig, "b"), []);
  rig.pass(3000);
  assert.deepEqual(textsAt(rig, "b"), [text]);
});

test("in the background owners that change while pages are on their way are looked at again", () => {
  const rig = rigWith({ one: "first", two: "x".repeat(40) }, { one: "a", two: "b" });
  rig.at("a").shipper.migrate();
  rig.pass(200);
  rig.owners.set("one", "c");
  rig.at("a").shipper.migrate();
  rig.pass(5000);
  assert.deepEqual(textsAt(rig, "c"), ["first"]);
  assert.ok(!rig.at("a").shipper.isBusy);
});

test("nothing more is sent when it is stopped", () => {
  const rig = rigWith({ one: "x".repeat(40) }, { one: "b" });
  const isOver = rig.shipAll();
  rig.pass(20);
  rig.at("a").shipper.stop();
  const { length } = rig.sent;
  rig.pass();
  assert.equal(rig.sent.length, length);
  assert.ok(!isOver());
});

test("whenever it is stopped, nothing is over that was not over before", () => {
  for (let afterMs = 1; afterMs < 60; afterMs += 1) {
    const rig = rigWith({ one: "page" }, { one: "b" });
    const isOver = rig.shipAll();
    rig.pass(afterMs);
    const wasOver = isOver();
    rig.at("a").shipper.stop();
    rig.pass();
    assert.equal(isOver(), wasOver, `stopped after ${afterMs} ms`);
  }
});
