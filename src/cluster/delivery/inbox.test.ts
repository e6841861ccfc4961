import assert from "node:assert/strict";
import { test } from "node:test";
import { DeliveryRig, entryOf } from "./delivery.fixture.ts";

test("D1: a frame is acknowledged when it is durable here, and handed over just before", () => {
  const rig = new DeliveryRig();
  const [frame, later] = rig.framesOf(1, 2) as [Uint8Array, Uint8Array];
  rig.disks.b.isFullFor = () => true;
  assert.equal(rig.bring(frame), "full");
  assert.deepEqual(rig.arrived, []);
  rig.disks.b.isFullFor = () => false;
  rig.pass();
  assert.deepEqual(rig.arrived, [1], "it is tried again when there is room");
  assert.equal(rig.bring(frame), "taken");
  let arrived: readonly number[] = [];
  rig.inbox.receive(later, () => {
    arrived = [...rig.arrived];
  });
  rig.pass(50);
  assert.deepEqual(arrived, [1, 2], "by the time of its answer");
});

test("a frame that comes twice is handed over once, and acknowledged again", () => {
  const rig = new DeliveryRig();
  const [frame] = rig.framesOf(1);
  assert.deepEqual([rig.bring(frame), rig.bring(frame)], ["taken", "taken"]);
  assert.deepEqual(rig.arrived, [1]);
});

test("a frame that comes twice before it is durable is acknowledged when it is", () => {
  const rig = new DeliveryRig();
  const [frame] = rig.framesOf(1) as [Uint8Array];
  let answers = 0;
  const answered = (): void => {
    answers += 1;
  };
  for (let times = 0; times < 2; times += 1) rig.inbox.receive(frame, answered);
  assert.equal(answers, 0);
  assert.equal(rig.inbox.isBehind, true);
  rig.pass(50);
  assert.equal(answers, 2);
  assert.deepEqual(rig.arrived, [1]);
  assert.equal(rig.inbox.isBehind, false);
});

test("a frame that comes before an earlier one waits until that is there", () => {
  const rig = new DeliveryRig();
  const [first, second] = rig.framesOf(1, 2);
  assert.equal(rig.bring(second), "gap");
  assert.deepEqual([rig.bring(first), rig.bring(second)], ["taken", "taken"]);
  assert.deepEqual(rig.arrived, [1, 2]);
});

test("senders are asked to wait while the agent is busy; what is known is acknowledged even so", () => {
  const rig = new DeliveryRig();
  const [first, second] = rig.framesOf(1, 2);
  rig.bring(first);
  rig.isBusy = true;
  assert.deepEqual([rig.bring(second), rig.bring(first)], ["full", "taken"]);
  assert.deepEqual(rig.arrived, [1]);
  rig.isBusy = false;
  assert.equal(rig.bring(second), "taken");
});

test("what is not a frame of entries is refused and counted", () => {
  const rig = new DeliveryRig();
  const [frame] = rig.framesOf(1) as [Uint8Array];
  assert.equal(rig.bring(Uint8Array.of(9, 9)), "refused");
  assert.equal(rig.bring(frame.slice(0, -1)), "refused");
  assert.equal(rig.inbox.refused, 2);
  assert.deepEqual(rig.arrived, []);
});

test("D3: what came after the recorded mark is handed over again after a crash, and nothing before", () => {
  const rig = new DeliveryRig();
  const frames = rig.framesOf(1, 2, 3, 4);
  for (const frame of frames.slice(0, 2)) rig.bring(frame);
  rig.record();
  for (const frame of frames.slice(2)) rig.bring(frame);
  rig.crash("b");
  assert.deepEqual(rig.arrived, [3, 4]);
  assert.equal(rig.bring(frames[3]), "taken", "what was acknowledged is known");
  assert.deepEqual(rig.arrived, [3, 4]);
});

test("D3: where streams are is known when all of their frames have left the disk", () => {
  const rig = new DeliveryRig();
  const [first, second] = rig.framesOf(1, 2);
  for (const frame of [first, second]) rig.bring(frame);
  // So many that the log has only marks.
  for (let times = 0; times < 60; times += 1) rig.record();
  rig.crash("b");
  assert.equal(rig.bring(second), "taken");
  assert.deepEqual(rig.arrived, [], "it is not handed over again");
});

test("D3: without a mark everything is handed over again", () => {
  const rig = new DeliveryRig();
  for (const frame of rig.framesOf(1, 2)) rig.bring(frame);
  rig.crash("b");
  assert.deepEqual(rig.arrived, [1, 2]);
});

test("a mark is before what was not handed over when it was asked for", () => {
  const rig = new DeliveryRig();
  const [first, second] = rig.framesOf(1, 2) as [Uint8Array, Uint8Array];
  rig.bring(first);
  rig.inbox.receive(second, () => undefined);
  rig.record();
  rig.crash("b");
  assert.deepEqual(rig.arrived, [2]);
});

test("nothing is taken before the last life is replayed", () => {
  const rig = new DeliveryRig();
  const [first, second] = rig.framesOf(1, 2);
  rig.bring(first);
  rig.isReplaying = false;
  rig.crash("b");
  assert.equal(rig.bring(second), "full");
  rig.inbox.replay((error) => assert.ifError(error));
  rig.pass(50);
  assert.equal(rig.bring(second), "taken");
  assert.deepEqual(rig.arrived, [1, 2]);
});

test("D1: entries of its own are handed over when they are durable, and after a crash again", () => {
  const rig = new DeliveryRig();
  const { received } = rig.inbox;
  rig.inbox.keep([entryOf(7)]);
  assert.deepEqual(rig.arrived, []);
  assert.equal(rig.inbox.received, received + 1, "it counts as work (T1)");
  rig.pass(50);
  assert.deepEqual(rig.arrived, [7]);
  rig.crash("b");
  assert.deepEqual(rig.arrived, [7]);
  rig.record().crash("b");
  assert.deepEqual(rig.arrived, []);
});

test("D3: damage to what no checkpoint has is told, and the rest is handed over", () => {
  const rig = new DeliveryRig();
  for (const number of [1, 2, 3]) {
    rig.inbox.keep([entryOf(number)]);
    rig.pass(50);
  }
  const [name] = rig.disks.b.fileNames().filter((file) => file.endsWith(".log"));
  rig.disks.b.flipBit(name ?? "", 8 * 40);
  rig.crash("b");
  assert.deepEqual(rig.arrived, [1, 3]);
  assert.deepEqual(rig.reports, ["INBOX_DAMAGED"]);
});
