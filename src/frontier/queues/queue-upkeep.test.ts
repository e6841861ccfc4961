import assert from "node:assert/strict";
import { test } from "node:test";
import { QueuesRig } from "../../../test/support/frontier/queues-rig.ts";

function diskBytes(rig: QueuesRig): number {
  const { disk } = rig.machine;
  return disk.fileNames().reduce((sum, name) => sum + (disk.contentOf(name)?.length ?? 0), 0);
}

test("a checkpoint writes what has changed, not what there is", () => {
  const sizes = { memoryBytes: 100_000, segmentBytesMax: 1_000_000, chunkBytes: 10_000 };
  const rig = new QueuesRig({ seed: "changes", order: "fifo", ...sizes });
  rig.open();
  for (let host = 0; host < 10_000; host += 1) {
    rig.push(host, 20, 0);
    if (host % 100 === 0) rig.settle();
  }
  rig.settle();
  rig.checkpoint();
  rig.settle();
  rig.checkpoint();
  rig.settle();
  const beforeBytes = diskBytes(rig);
  assert.ok(beforeBytes > 300_000);
  for (let host = 0; host < 10_000; host += 1000) {
    rig.pull(host, 1);
    rig.push(host + 1, 20, 0);
  }
  rig.checkpoint();
  const grownBytes = diskBytes(rig) - beforeBytes;
  assert.ok(grownBytes > 0 && grownBytes < 1000, `${grownBytes} bytes for 20 changes`);
  rig.crash();
  rig.open();
});

test("what is gone does not stay on disk", () => {
  const sizes = { memoryBytes: 2000, segmentBytesMax: 1000, chunkBytes: 500 };
  for (const order of ["fifo", "lifo", "priority"] as const) {
    const rig = new QueuesRig({ seed: "steady", order, ...sizes });
    rig.open();
    let mostBytes = 0;
    for (let round = 0; round < 60; round += 1) {
      for (let count = 0; count < 100; count += 1) rig.push((count * 7) % 20, 20, count);
      rig.settle();
      // As much is pulled as is pushed, but for some hundreds of records that are left.
      for (let host = 0; host < 20; host += 1) rig.pull(host, round < 5 ? 2 : 5);
      rig.checkpoint();
      rig.settle();
      if (round > 10) mostBytes = Math.max(mostBytes, diskBytes(rig));
    }
    const liveBytes = rig.queues.total * 27;
    assert.ok(mostBytes < 6 * liveBytes, `${order}: ${mostBytes} on disk for ${liveBytes}`);
    assert.ok(rig.machine.disk.fileNames().length < 40);
    rig.drain();
    for (let count = 0; count < 3; count += 1) {
      rig.checkpoint();
      rig.settle();
    }
    assert.equal(rig.queues.size.bundles, 0, "bundles with nothing in them are removed");
    assert.ok(diskBytes(rig) < 6000, `${diskBytes(rig)} bytes of empty queues`);
  }
});

test("with too many bundles the caller is asked to hold back until they are merged", () => {
  const sizes = { memoryBytes: 300, chunkBytes: 100 };
  const rig = new QueuesRig({ seed: "many bundles", order: "fifo", ...sizes });
  rig.open();
  // Merges fail, flushes do not: a merge is what begins by reading.
  rig.machine.disk.failWhen = (call) => call.kind === "read" && call.name.includes("bundle-");
  let pushes = 0;
  for (; !rig.queues.isFull || rig.queues.size.isBusy; pushes += 1) {
    assert.ok(pushes < 2000, "the queues are full at last");
    rig.push(pushes % 7, 20, 0);
    rig.settle();
  }
  assert.ok(rig.queues.size.bundles > 10);
  rig.machine.disk.failWhen = () => false;
  rig.checkpoint();
  rig.settle();
  assert.ok(!rig.queues.isFull);
  assert.ok(rig.queues.size.bundles < 10);
  rig.drain();
});
