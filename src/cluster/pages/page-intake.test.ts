import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOf } from "../../../test/support/cluster/memory-pages.ts";
import { PAGE } from "./page-messages.ts";
import { DROP_AFTER_MS, PAGES_MAX, PagesRig } from "./pages.fixture.ts";

const ENTRY = pageOf("h", 1);

function piece(from: number, text: string): { from: number; total: number; bytes: Uint8Array } {
  return { from, total: 6, bytes: new TextEncoder().encode(text) };
}

test("a page is had when all of its pieces have come and it is durable", () => {
  const rig = new PagesRig();
  assert.deepEqual(rig.send({ entry: ENTRY, ...piece(0, "abc") }), { kind: "more", from: 3 });
  assert.equal(rig.at("b").intake.coming, 1);
  rig.at("b").store.isStalled = true;
  assert.equal(rig.send({ entry: ENTRY, ...piece(3, "def") }), null);
  assert.deepEqual(rig.at("b").stored, []);
});

test("pieces that come twice, or too early, are answered by where the page goes on", () => {
  const rig = new PagesRig();
  assert.deepEqual(rig.send({ entry: ENTRY, ...piece(3, "def") }), { kind: "more", from: 0 });
  rig.send({ entry: ENTRY, ...piece(0, "abc") });
  assert.deepEqual(rig.send({ entry: ENTRY, ...piece(0, "abc") }), { kind: "more", from: 3 });
  assert.equal(rig.send({ entry: ENTRY, ...piece(3, "def") })?.kind, "had");
  assert.equal(rig.at("b").store.texts.get("h/1"), "abcdef");
  assert.deepEqual(rig.at("b").stored, ["h/1 from a"]);
  assert.equal(
    rig.send({ entry: ENTRY, ...piece(3, "def") })?.kind,
    "had",
    "also when it is known",
  );
  assert.equal(rig.at("b").stored.length, 1);
});

test("pieces that an earlier disk of the sender has sent are not put before those of a later one", () => {
  const rig = new PagesRig();
  rig.send({ entry: ENTRY, ...piece(0, "abc") });
  for (const view of rig.peers.views) view.of("a").place = { id: "a", generation: 2 };
  assert.deepEqual(rig.send({ entry: ENTRY, ...piece(0, "uvw") }), { kind: "more", from: 3 });
  rig.send({ entry: ENTRY, ...piece(3, "xyz") });
  assert.equal(rig.at("b").store.texts.get("h/1"), "uvwxyz");
});

test("a page that has changed at its sender since it began is not put together of both", () => {
  const rig = new PagesRig();
  rig.send({ entry: ENTRY, ...piece(0, "abc") });
  const longer = { entry: ENTRY, ...piece(3, "wxyz"), total: 7 };
  assert.deepEqual(rig.send(longer), { kind: "more", from: 0 });
  assert.equal(rig.at("b").store.dropped, 1);
  rig.send({ ...longer, ...piece(0, "uvw"), total: 7 });
  const nearer = { ...longer, entry: { ...ENTRY, depth: 3 } };
  assert.deepEqual(rig.send(nearer), { kind: "more", from: 0 });
  rig.send({ ...longer, ...piece(0, "uvw"), total: 7 });
  assert.equal(rig.send(longer)?.kind, "had");
  assert.equal(rig.at("b").store.texts.get("h/1"), "uvwwxyz");
});

test("some pages are taken at a time, and whoever has another is asked to wait", () => {
  const rig = new PagesRig();
  const { intake } = rig.at("b");
  for (let number = 1; number <= PAGES_MAX; number += 1) {
    assert.equal(rig.send({ entry: pageOf("h", number), ...piece(0, "abc") })?.kind, "more");
  }
  assert.equal(rig.send({ entry: pageOf("h", 9), ...piece(0, "abc") })?.kind, "busy");
  assert.deepEqual([intake.coming, intake.begun], [PAGES_MAX, PAGES_MAX]);
  rig.send({ entry: pageOf("h", 1), ...piece(3, "def") });
  assert.equal(rig.send({ entry: pageOf("h", 9), ...piece(0, "abc") })?.kind, "more");
});

test("a page that does not go on is dropped after a while, and begins anew", () => {
  const rig = new PagesRig();
  rig.send({ entry: ENTRY, ...piece(0, "abc") });
  rig.pass(DROP_AFTER_MS - 1000);
  assert.equal(rig.at("b").intake.coming, 1);
  rig.pass(1000);
  assert.equal(rig.at("b").intake.coming, 0);
  assert.equal(rig.at("b").store.dropped, 1);
  assert.deepEqual(rig.send({ entry: ENTRY, ...piece(3, "def") }), { kind: "more", from: 0 });
});

test("a page that is being made durable is not dropped, however long that takes", () => {
  const rig = new PagesRig();
  rig.at("b").store.isStalled = true;
  rig.send({ entry: ENTRY, ...piece(0, "abc") });
  rig.send({ entry: ENTRY, ...piece(3, "def") });
  rig.pass(2 * DROP_AFTER_MS);
  assert.deepEqual([rig.at("b").intake.coming, rig.at("b").store.dropped], [1, 0]);
});

test("a first piece that comes again while the page is looked up begins it once", () => {
  const rig = new PagesRig();
  const body = { entry: ENTRY, withBody: true, ...piece(0, "abc") };
  for (let time = 0; time < 5; time += 1) {
    const question = { body, timeoutMs: 400 };
    rig.at("a").messenger.ask(rig.place("b"), PAGE, question, () => undefined);
  }
  rig.pass(400);
  assert.equal(rig.at("b").intake.begun, 1);
  assert.equal(rig.send({ entry: ENTRY, ...piece(3, "def") })?.kind, "had");
  assert.equal(rig.at("b").store.texts.get("h/1"), "abcdef");
});

test("each piece gives a page time to go on", () => {
  const rig = new PagesRig();
  rig.send({ entry: ENTRY, ...piece(0, "ab") });
  rig.pass(DROP_AFTER_MS - 1000);
  assert.deepEqual(rig.send({ entry: ENTRY, ...piece(2, "cd") }), { kind: "more", from: 4 });
  rig.pass(DROP_AFTER_MS - 1000);
  assert.equal(rig.send({ entry: ENTRY, ...piece(4, "ef") })?.kind, "had");
});

test("a page that finds no room is not had: its sender tries again later", () => {
  const rig = new PagesRig();
  rig.at("b").store.isFull = true;
  rig.send({ entry: ENTRY, ...piece(0, "abc") });
  assert.equal(rig.send({ entry: ENTRY, ...piece(3, "def") })?.kind, "busy");
  assert.deepEqual(rig.at("b").stored, []);
  assert.deepEqual(rig.at("b").failed, []);
});

test("one page of two senders is two pages until the first is durable", () => {
  const rig = new PagesRig();
  rig.send({ entry: ENTRY, ...piece(0, "abc") });
  rig.owners.set("h", "b");
  rig.at("c").store.add(ENTRY, "abcdef");
  rig.at("c").shipper.shipAll(true, () => undefined);
  rig.pass();
  assert.equal(rig.at("b").store.texts.get("h/1"), "abcdef");
  assert.deepEqual(rig.at("b").stored, ["h/1 from c"]);
});

test("who is given up, or comes before the store is open, is not answered", () => {
  const rig = new PagesRig();
  rig.welcome.delete("a");
  assert.equal(rig.send({ entry: ENTRY, ...piece(0, "abc") }), null);
  rig.welcome.add("a");
  rig.isOpen = false;
  assert.equal(rig.send({ entry: ENTRY, ...piece(0, "abc") }), null);
  assert.equal(rig.at("b").intake.coming, 0);
});
