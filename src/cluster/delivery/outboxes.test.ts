import assert from "node:assert/strict";
import { test } from "node:test";
import type { Place } from "../messages/index.ts";
import { B, DeliveryRig, entryOf } from "./delivery.fixture.ts";

const LATER: Place = { id: "b", generation: 2 };

/** Whether it was called. */
function called(begin: (done: () => void) => void): () => boolean {
  let isCalled = false;
  begin(() => {
    isCalled = true;
  });
  return () => isCalled;
}

test("an outbox is opened with the first entry for its place, and found again after a crash", () => {
  const rig = new DeliveryRig();
  assert.deepEqual(rig.outboxes.places(), []);
  rig.append(1, 2, 3);
  assert.deepEqual(rig.outboxes.places(), [B]);
  rig.pass();
  assert.deepEqual(rig.arrived, [1, 2, 3], "what came while it was being opened is in its order");
  rig.crash("a");
  assert.deepEqual(rig.outboxes.places(), [B]);
});

test("places are told apart by their generations", () => {
  const rig = new DeliveryRig();
  rig.append(1);
  rig.outboxes.append(LATER, entryOf(2));
  rig.pass();
  assert.deepEqual(rig.told(), [1]);
  assert.equal(rig.outboxes.places().length, 2);
});

test("D1: it is said when everything that was appended is durable, not before", () => {
  const rig = new DeliveryRig();
  rig.append(1).pass();
  rig.disks.a.isFullFor = () => true;
  rig.append(2);
  const isDurable = called((done) => rig.outboxes.whenDurable(done));
  rig.pass();
  assert.equal(isDurable(), false);
  rig.disks.a.isFullFor = () => false;
  rig.pass(5000);
  assert.equal(isDurable(), true);
});

test("an outbox that a full disk has no room for is opened when there is some, with all that waits", () => {
  const rig = new DeliveryRig();
  rig.disks.a.isFullFor = () => true;
  rig.append(1, 2);
  const isAcknowledged = called((done) => rig.outboxes.whenAcknowledged(B, done));
  const isDurable = called((done) => rig.outboxes.whenDurable(done));
  rig.pass(5000);
  assert.equal(isDurable(), false);
  assert.deepEqual([rig.outboxes.pendingAt(B), isAcknowledged()], [2, false]);
  assert.deepEqual(rig.reports, ["STORAGE_FULL"], "it is told once");
  rig.disks.a.isFullFor = () => false;
  rig.append(3).pass(5000);
  assert.deepEqual(rig.arrived, [1, 2, 3]);
  assert.equal(isAcknowledged(), true);
});

test("U3: it is said when a place has acknowledged everything, not before", () => {
  const rig = new DeliveryRig();
  rig.isBusy = true;
  rig.append(1);
  const isAcknowledged = called((done) => rig.outboxes.whenAcknowledged(B, done));
  rig.pass();
  assert.equal(isAcknowledged(), false);
  assert.equal(rig.outboxes.pendingAt(B), 1);
  assert.equal(rig.outboxes.pendingAt(LATER), 0);
  rig.isBusy = false;
  rig.pass();
  assert.equal(isAcknowledged(), true);
});

test("G1: nobody waits for a place any more whose outbox is removed", () => {
  const rig = new DeliveryRig();
  rig.isBusy = true;
  rig.append(1).pass();
  const isOver = called((done) => rig.outboxes.whenAcknowledged(B, done));
  rig.outboxes.remove(B, (error) => assert.ifError(error));
  rig.pass();
  assert.equal(isOver(), true);
  assert.equal(rig.outboxes.pending, 0);
  assert.deepEqual(
    [...rig.disks.a.fileNames()].filter((name) => name.startsWith("outbox/")),
    [],
  );
});

test("G1: what comes for a place while its outbox is being removed goes to another one", () => {
  const rig = new DeliveryRig();
  rig.append(1, 2).pass();
  rig.outboxes.remove(B, (error) => assert.ifError(error));
  rig.append(3).pass();
  assert.deepEqual(rig.told(), [3]);
  assert.deepEqual(rig.arrived, [1, 2, 3]);
  rig.crash("a");
  assert.deepEqual(rig.told(), [3]);
});

test("of a place that was told nothing there is nothing to read", () => {
  const rig = new DeliveryRig();
  assert.deepEqual(rig.told(), []);
});

test("nothing is said after closing", () => {
  const rig = new DeliveryRig();
  rig.isBusy = true;
  rig.append(1);
  const isAcknowledged = called((done) => rig.outboxes.whenAcknowledged(B, done));
  const isClosed = called((done) => rig.outboxes.close(() => done()));
  rig.isBusy = false;
  rig.pass();
  assert.deepEqual([isClosed(), isAcknowledged()], [true, false]);
});
