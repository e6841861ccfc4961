import assert from "node:assert/strict";
import { test } from "node:test";
import { performStep, type QueueStep } from "../../../test/support/frontier/queues-plans.ts";
import { MOMENT, QueuesRig } from "../../../test/support/frontier/queues-rig.ts";
import { type CrawlError, isCrawlError } from "../../base/errors/index.ts";
import type { DiskHostQueues, QueueOrder, RecordBatch } from "./index.ts";

const isFull = process.env["TROBAR_FULL"] === "1";
const ORDERS: readonly QueueOrder[] = ["fifo", "lifo", "priority"];
const DEATHS = ["crash", "kill"] as const;

const CHECKPOINT: QueueStep = { do: "checkpoint", isSlow: false };
const SLOW: QueueStep = { do: "start checkpoint", isSlow: true };
const stream = (times: number, events: number): QueueStep => ({ do: "stream", times, events });
const pull = (host: number, most: number): QueueStep => ({ do: "start pull", host, most });

/**
 * Buffers that fill, bundles that merge, pulls and a drop in between, checkpoints all the while.
 */
const SCRIPT: readonly QueueStep[] = [
  ...[stream(8, 2), CHECKPOINT, pull(0, 2), stream(14, 3), SLOW, pull(1, 9), stream(9, 4)],
  ...[CHECKPOINT, pull(2, 1), pull(3, 1), stream(20, 3), SLOW, { do: "drop", host: 1 } as const],
  ...[stream(5, 6), pull(2, 20), CHECKPOINT, stream(16, 5), pull(4, 3), pull(0, 30), CHECKPOINT],
  ...[pull(0, 4), { do: "settle" } as const, pull(5, 2), CHECKPOINT, { do: "reopen" } as const],
  ...[stream(4, 1), pull(3, 9), CHECKPOINT, CHECKPOINT],
];

/** Whether the script came to its end before the moment. */
function finishes(rig: QueuesRig): boolean {
  try {
    for (const step of SCRIPT) performStep(rig, step, 1);
    return true;
  } catch (error) {
    if (error === MOMENT) return false;
    throw error;
  }
}

for (const order of ORDERS) {
  test(`${order}: after a crash at any event the last recorded checkpoint is there`, () => {
    const stride = isFull ? 1 : 23;
    for (const death of DEATHS) {
      for (let moment = 0, ended = false; !ended; moment += stride) {
        const rig = new QueuesRig({ seed: moment, order, memoryBytes: 300 });
        rig.patience = moment;
        ended = finishes(rig);
        rig.patience = Number.POSITIVE_INFINITY;
        rig[death]();
        rig.open();
        // What opening showed can itself be opened again.
        rig.kill();
        rig.open();
        rig.push(2, 30, 1);
        rig.checkpoint();
        rig.crash();
        rig.open();
        rig.drain();
      }
    }
  });
}

/** Errors of the disk are met by opening again, as an agent would. */
function performDespiteFailures(rig: QueuesRig): void {
  for (const step of SCRIPT) {
    try {
      performStep(rig, step, 1);
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      rig.crash();
    }
  }
}

test("whichever call to the disk fails, the last recorded checkpoint is there", () => {
  const stride = isFull ? 1 : 13;
  for (let number = 1, isClean = false; !isClean; number += stride) {
    const rig = new QueuesRig({ seed: number, order: "fifo", memoryBytes: 300 });
    isClean = true;
    rig.machine.disk.failWhen = (call) => {
      if (call.number === number) isClean = false;
      return call.number === number;
    };
    performDespiteFailures(rig);
    rig.machine.disk.failWhen = () => false;
    rig.crash();
    rig.open();
    rig.drain();
  }
});

test("on a full disk the caller is asked to hold back, and work goes on when there is room", () => {
  for (let freeBytes = 100; freeBytes < 3000; freeBytes += isFull ? 17 : 301) {
    const rig = new QueuesRig({ seed: freeBytes, order: "fifo", memoryBytes: 400 });
    rig.open();
    const { disk } = rig.machine;
    disk.capacityBytes -= disk.freeBytes - freeBytes;
    for (let count = 0; count < 80; count += 1) rig.push(count % 5, 30, 0);
    rig.settle();
    assert.throws(() => rig.checkpoint(), { code: "STORAGE_FULL" });
    rig.settle();
    assert.ok(rig.queues.isFull, "the caller is asked to hold back");
    rig.pull(3, 4);
    rig.pull(1, 90);
    disk.capacityBytes += 1_000_000;
    rig.checkpoint();
    rig.settle();
    rig.checkpoint();
    assert.ok(!rig.queues.isFull);
    assert.ok(rig.queues.size.bundles > 0, "buffers were written");
    assert.ok(rig.reports.every(({ code }) => code === "STORAGE_FULL"));
    rig.crash();
    rig.open();
    rig.drain();
  }
});

/** Several bundles and both journals, closed. */
function closedRig(): QueuesRig {
  const rig = new QueuesRig({ seed: "damage", order: "fifo", memoryBytes: 600 });
  rig.open();
  for (let count = 0; count < 60; count += 1) {
    rig.push(count % 4, 20, 0);
    rig.pass(4);
  }
  rig.pull(2, 3);
  rig.checkpoint();
  rig.settle();
  rig.checkpoint();
  rig.close();
  return rig;
}

/** Everything that can be pulled of a host, or the code of the error. */
function pulled(rig: QueuesRig, queues: DiskHostQueues, host: number): string[] {
  const texts: string[] = [];
  while (queues.count(host) > 0) {
    const answer = rig.machine.outcome<RecordBatch>((done) => queues.pull(host, 50, done));
    if (answer.error !== null) return [answer.error.code];
    const batch = answer.value as RecordBatch;
    for (let index = 0; index < batch.count; index += 1) {
      texts.push(Buffer.from(batch.recordOf(index)).toString("latin1"));
    }
  }
  return texts;
}

test("a flipped bit anywhere is reported, or does no harm; other queues are not affected", () => {
  const codes = new Set<string>();
  const files = closedRig().machine.disk.fileNames();
  assert.ok(files.some((name) => name.includes("bundle-")));
  for (const name of files) {
    const bits = (closedRig().machine.disk.contentOf(name)?.length ?? 0) * 8;
    for (let bit = 3; bit < bits; bit += isFull ? 7 : 89) codes.add(openFlipped(name, bit));
  }
  assert.deepEqual([...codes].sort(), ["QUEUES_DAMAGED", "good"]);
});

function openFlipped(name: string, bit: number): string {
  const rig = closedRig();
  rig.machine.disk.flipBit(name, bit);
  const opened = rig.machine.outcome<DiskHostQueues>(rig.opening());
  if (opened.error !== null) return opened.error.code;
  const queues = opened.value as DiskHostQueues;
  let damaged: CrawlError["code"] | "good" = "good";
  for (const [host, records] of rig.model) {
    const texts = pulled(rig, queues, host);
    if (texts[0] === "QUEUES_DAMAGED") {
      assert.equal(damaged, "good", `one bit of ${name} damages one queue only`);
      damaged = "QUEUES_DAMAGED";
      assert.ok(queues.drop(host) > 0, "a damaged queue can be dropped");
    } else
      assert.deepEqual(
        texts,
        records.map(({ text }) => text),
        `${name}, bit ${bit}`,
      );
  }
  assert.equal(queues.total, 0);
  return damaged;
}

test("queues whose files are gone are not opened as if they were empty", () => {
  const files = closedRig().machine.disk.fileNames();
  for (const name of files) {
    const rig = closedRig();
    rig.machine.result((done) => rig.machine.storage.remove(name, done));
    const code = rig.machine.code(rig.opening());
    assert.match(code, /^(QUEUES_DAMAGED|LOG_DAMAGED|LOG_OUT_OF_RANGE)$/, name);
  }
});
