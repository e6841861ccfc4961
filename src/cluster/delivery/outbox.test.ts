import assert from "node:assert/strict";
import { test } from "node:test";
import { B, DeliveryRig, entryOf, SETTINGS } from "./delivery.fixture.ts";

const TWENTY = Array.from({ length: 20 }, (_none, number) => number);

test("what is told arrives, in its order", () => {
  const rig = new DeliveryRig();
  rig.append(...TWENTY);
  assert.equal(rig.outboxes.pending, 20);
  rig.pass();
  assert.deepEqual(rig.arrived, TWENTY);
  assert.equal(rig.outboxes.pending, 0);
});

test("a batch waits for a while to be full, and no longer", () => {
  const rig = new DeliveryRig();
  rig.append(0).pass();
  rig.append(1).pass(SETTINGS.lingerMs - 1);
  assert.deepEqual(rig.arrived, [0]);
  rig.pass(100);
  assert.deepEqual(rig.arrived, [0, 1]);
  rig.append(2, 3, 4, 5).pass(SETTINGS.lingerMs - 1);
  assert.deepEqual(rig.arrived.slice(2), [2, 3, 4, 5], "a full one does not wait");
});

test("what is told all the time goes out soon at first, and then in few batches", () => {
  const rig = new DeliveryRig({ restMs: 1000, burst: 3, waitMsMax: 1000, batchEntries: 50 });
  const numbers = Array.from({ length: 100 }, (_none, number) => number);
  for (const number of numbers) rig.append(number).pass(100);
  assert.deepEqual(rig.batches.slice(0, 3), [1, 1, 1]);
  const { length } = rig.batches;
  assert.ok(length >= 11 && length <= 14, `${length} batches in ten seconds`);
  rig.pass();
  assert.deepEqual(rig.arrived, numbers);
});

test("what one place is told all the time makes others wait, and nobody when there is nothing else to do", () => {
  const rig = new DeliveryRig({ restMs: 1000, burst: 1, waitMsMax: 10_000 });
  rig.outboxes.append({ id: "c", generation: 1 }, entryOf(100));
  rig.pass(100).append(0).pass(500);
  assert.deepEqual(rig.arrived, []);
  rig.pass(1000);
  assert.deepEqual(rig.arrived, [0]);
  rig.append(1).pass(100);
  assert.deepEqual(rig.arrived, [0]);
  rig.outboxes.hurry();
  rig.pass(10).outboxes.hurry();
  rig.pass(50);
  assert.deepEqual(rig.arrived, [0, 1]);
});

test("who hurries again and again does not keep a batch back", () => {
  const rig = new DeliveryRig({ restMs: 1000, burst: 1, waitMsMax: 10_000 });
  rig.append(0).pass(100).append(1);
  for (let time = 0; time < 20; time += 1) {
    rig.outboxes.hurry();
    rig.pass(5);
  }
  assert.deepEqual(rig.arrived, [0, 1]);
});

test("D1: an entry is sent only when it is durable here", () => {
  const rig = new DeliveryRig();
  rig.append(1).pass();
  rig.disks.a.isFullFor = () => true;
  rig.append(2).pass();
  assert.deepEqual(rig.arrived, [1]);
  assert.equal(rig.outboxes.pending, 1);
  rig.disks.a.isFullFor = () => false;
  rig.pass(5000);
  assert.deepEqual(rig.arrived, [1, 2]);
});

test("U3: what was acknowledged is retained, compressed or not, also after a crash", () => {
  const rig = new DeliveryRig();
  rig.append(...TWENTY).pass();
  assert.deepEqual(rig.told(), TWENTY);
  assert.ok(rig.outboxes.retainedBytes > 0);
  const files = (): string[] =>
    [...rig.disks.a.fileNames()].filter((name) => name.includes("kept-"));
  assert.ok(files().length > 0, "some of it was compressed");
  rig.crash("a");
  assert.deepEqual([...new Set(rig.told())], TWENTY);
});

test("U3: what was not acknowledged is pending, and nothing else", () => {
  const rig = new DeliveryRig();
  rig.append(1, 2).pass();
  rig.isReachable = false;
  rig.outboxes.reachabilityChanged();
  rig.append(3, 4).pass();
  const pending: number[] = [];
  rig.outboxes.eachPending(
    B,
    (entries, next) => {
      pending.push(...entries.map((entry) => (entry.kind === "url" ? entry.low : -1)));
      next();
    },
    (error) => assert.ifError(error),
  );
  rig.pass();
  assert.deepEqual(pending, [3, 4]);
  assert.deepEqual(rig.told(), [1, 2, 3, 4]);
});

test("U3: what was sent and not acknowledged is pending, however often it is sent", () => {
  const rig = new DeliveryRig();
  rig.isIntercepted = true;
  rig.append(...TWENTY).pass(5000);
  assert.ok(rig.intercepted.length > 1, "it is sent again");
  assert.equal(rig.outboxes.pending, 20);
  rig.isIntercepted = false;
  rig.pass(5000);
  assert.deepEqual(rig.arrived, TWENTY);
});

test("nothing is sent to a place that is away, and everything when it is back", () => {
  const rig = new DeliveryRig();
  rig.isReachable = false;
  rig.append(...TWENTY).pass();
  assert.deepEqual(rig.arrived, []);
  assert.equal(rig.outboxes.pending, 20);
  rig.isReachable = true;
  rig.outboxes.reachabilityChanged();
  rig.pass();
  assert.deepEqual(rig.arrived, TWENTY);
});

test("what was durable and not acknowledged is sent by the next life", () => {
  const rig = new DeliveryRig();
  rig.isIntercepted = true;
  rig.append(...TWENTY).pass();
  rig.isIntercepted = false;
  rig.crash("a");
  rig.pass(5000);
  assert.deepEqual(rig.arrived, TWENTY);
});

test("what a place was told more than once is compacted some time, and said once", () => {
  const rig = new DeliveryRig();
  for (let times = 0; times < 30; times += 1) rig.append(1, 2, 3, 4, 5, 6).pass(50);
  assert.equal(rig.told().length, 180, "they are no repeats");
  const before = rig.outboxes.retainedBytes;
  for (let times = 0; times < 6; times += 1) {
    for (const number of TWENTY) rig.outboxes.append(B, entryOf(number), true);
    rig.pass(200);
  }
  assert.ok(rig.outboxes.retainedBytes < before, `${rig.outboxes.retainedBytes} of ${before}`);
  assert.deepEqual(
    [...new Set(rig.told())].sort((one, other) => one - other),
    TWENTY,
  );
});

test("G1: everything is read, whatever is acknowledged and retained meanwhile", () => {
  for (let waitMs = 0; waitMs < 20; waitMs += 4) {
    const rig = new DeliveryRig();
    for (let number = 0; number < 100; number += 1) rig.outboxes.append(B, entryOf(number), true);
    rig.pass(waitMs);
    assert.equal(new Set(rig.told(20)).size, 100, `after ${waitMs} ms`);
    assert.deepEqual(rig.reports, [], `after ${waitMs} ms`);
    assert.equal(new Set(rig.told()).size, 100, "and later");
  }
});

test("G1: a crash while it is removed leaves no stream that begins anew under its old name", () => {
  let removed = 0;
  for (let afterMs = 0; removed < 2; afterMs += 0.5) {
    const rig = new DeliveryRig();
    rig.append(...TWENTY).pass();
    let isRemoved = false;
    rig.outboxes.remove(B, (error) => {
      assert.ifError(error);
      isRemoved = true;
    });
    rig.pass(afterMs);
    if (isRemoved) removed += 1;
    rig.crash("a");
    rig.append(100).pass(10_000);
    assert.ok(rig.arrived.includes(100), `it is heard after a crash ${afterMs} ms after the call`);
    assert.equal(rig.outboxes.pending, 0);
    assert.deepEqual(rig.reports, []);
  }
});
