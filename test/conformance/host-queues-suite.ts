/** What all `HostQueues` must do, in each order; what survives a crash is tested elsewhere. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { RECORD_BYTES_MAX } from "../../src/frontier/queues/host-queues.ts";
import {
  bandOf,
  type HostQueues,
  type QueueOrder,
  type RecordBatch,
} from "../../src/frontier/queues/index.ts";
import { ask, resultOf, succeed } from "../../src/lab/conformance/ask.ts";
import type { World } from "../../src/lab/conformance/index.ts";

export interface HostQueuesSubject {
  readonly world: World;
  readonly queues: HostQueues;
  /** Ends whatever the subject needed besides. */
  end(): Promise<void>;
}

/** Makes empty queues that hold about this many bytes in memory. */
type Opening = (order: QueueOrder, memoryBytes: number) => Promise<HostQueuesSubject>;

const ORDERS: readonly QueueOrder[] = ["fifo", "lifo", "priority"];
const MEMORY_BYTES = 4000;

export function hostQueuesSuite(name: string, open: Opening): void {
  describe(`${name} are queues of hosts`, () => {
    for (const order of ORDERS) testOrder(open, order);
    testRecords(open);
    testTakingAway(open);
  });
}

async function using(
  open: Opening,
  order: QueueOrder,
  act: (subject: HostQueuesSubject) => Promise<void>,
): Promise<void> {
  const subject = await open(order, MEMORY_BYTES);
  try {
    await act(subject);
  } finally {
    await subject.end();
  }
}

function push(queues: HostQueues, host: number, text: string, priority = 0): void {
  const bytes = Buffer.from(`[${text}]`, "latin1");
  queues.push(host, bytes, 1, bytes.length - 1, priority);
  bytes.fill(0);
}

async function pull(subject: HostQueuesSubject, host: number, most: number): Promise<string[]> {
  const { world, queues } = subject;
  return textsOf(await resultOf<RecordBatch>(world, (done) => queues.pull(host, most, done)));
}

function textsOf(batch: RecordBatch): string[] {
  return Array.from({ length: batch.count }, (_, index) => {
    const record = batch.recordOf(index);
    assert.equal(record.length, batch.endOf(index) - batch.startOf(index));
    return Buffer.from(record).toString("latin1");
  });
}

/** Everything that the host has, by as many pulls as it takes. */
async function pullAll(subject: HostQueuesSubject, host: number): Promise<string[]> {
  const texts: string[] = [];
  while (subject.queues.count(host) > 0) texts.push(...(await pull(subject, host, 1000)));
  return texts;
}

type Entry = readonly [text: string, priority: number];

function inOrder(entries: readonly Entry[], order: QueueOrder): readonly Entry[] {
  if (order === "fifo") return entries;
  if (order === "lifo") return entries.toReversed();
  return entries.toSorted((one, other) => bandOf(other[1]) - bandOf(one[1]));
}

const step = fc.oneof(
  fc.record({ host: fc.nat(3), push: fc.integer({ min: 1, max: 40 }), priority: fc.nat(130) }),
  fc.record({ host: fc.nat(3), pull: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ host: fc.nat(3), drop: fc.constant(true) }),
);

function testOrder(open: Opening, order: QueueOrder): void {
  test(`${order}: records come out as from a list`, async () => {
    const steps = fc.array(step, { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(steps, (plan) =>
        using(open, order, async (subject) => {
          const model = new Map<number, readonly Entry[]>();
          for (const each of plan) await perform(subject, order, model, each);
          for (const [host, entries] of model) {
            const due = inOrder(entries, order).map(([text]) => text);
            assert.deepEqual(await pullAll(subject, host), due);
          }
          assert.equal(subject.queues.total, 0);
        }),
      ),
      { numRuns: 15 },
    );
  });
}

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function perform(
  subject: HostQueuesSubject,
  order: QueueOrder,
  model: Map<number, readonly Entry[]>,
  each: Step,
): Promise<void> {
  const { queues } = subject;
  const entries = model.get(each.host) ?? [];
  if ("push" in each) {
    const added = Array.from({ length: each.push }, (_, index): Entry => {
      const text = `${entries.length + index} of ${each.host}`.padEnd(each.priority);
      return [text, (each.priority * (index + 1)) % 130];
    });
    for (const [text, priority] of added) push(queues, each.host, text, priority);
    model.set(each.host, [...entries, ...added]);
  } else if ("pull" in each) {
    const taken = await pull(subject, each.host, each.pull);
    assert.ok(taken.length <= each.pull);
    assert.equal(taken.length === 0, entries.length === 0);
    const due = inOrder(entries, order);
    assert.deepEqual(
      taken,
      due.slice(0, taken.length).map(([text]) => text),
    );
    const left = new Set(due.slice(taken.length));
    model.set(
      each.host,
      entries.filter((entry) => left.has(entry)),
    );
  } else {
    assert.equal(queues.drop(each.host), entries.length);
    model.delete(each.host);
  }
  assert.equal(queues.count(each.host), model.get(each.host)?.length ?? 0);
}

function testRecords(open: Opening): void {
  test("an empty queue gives an empty batch, and accepts records later", () =>
    using(open, "fifo", async (subject) => {
      assert.deepEqual(await pull(subject, 7, 10), []);
      push(subject.queues, 7, "one");
      assert.equal(subject.queues.count(7), 1);
      assert.equal(subject.queues.count(6), 0);
      assert.deepEqual(await pull(subject, 7, 10), ["one"]);
    }));

  test("a record may be empty, or as long as the limit says, and of any bytes", () =>
    using(open, "fifo", async (subject) => {
      const bytes = Buffer.alloc(RECORD_BYTES_MAX, Uint8Array.of(1, 0, 255, 10, 13, 128, 7));
      const texts = ["", bytes.toString("latin1"), "", "\0", "é"];
      for (const text of texts) push(subject.queues, 3, text);
      assert.deepEqual(await pullAll(subject, 3), texts);
    }));

  test("a host may have a number far beyond the others", () =>
    using(open, "priority", async (subject) => {
      push(subject.queues, 100_000, "far");
      push(subject.queues, 0, "near");
      assert.deepEqual(await pull(subject, 100_000, 5), ["far"]);
      assert.equal(subject.queues.total, 1);
    }));

  test("many hosts are pulled from at once", () =>
    using(open, "fifo", async (subject) => {
      const { queues, world } = subject;
      for (let count = 0; count < 600; count += 1) push(queues, count % 60, `${count}`);
      const batches = await ask<string[][]>(world, (answered) => {
        const texts: string[][] = [];
        for (let host = 0; host < 60; host += 1) {
          queues.pull(host, 2, (error, batch) => {
            assert.equal(error, null);
            texts.push(textsOf(batch as RecordBatch));
            if (texts.length === 60) answered(texts);
          });
        }
      });
      assert.equal(queues.total, 600 - batches.flat().length);
      assert.ok(batches.every((texts) => texts.length > 0));
    }));
}

function testTakingAway(open: Opening): void {
  test("a pull takes nothing before it answers", () =>
    using(open, "lifo", async ({ queues, world }) => {
      push(queues, 1, "one");
      const batch = await ask<RecordBatch>(world, (answered) => {
        queues.pull(1, 10, (_, pulled) => answered(pulled as RecordBatch));
        assert.equal(queues.count(1), 1);
      });
      assert.deepEqual(textsOf(batch), ["one"]);
      assert.equal(queues.count(1), 0);
    }));

  test("a queue that is dropped under a pull gives it nothing", () =>
    using(open, "fifo", async ({ queues, world }) => {
      push(queues, 1, "one");
      push(queues, 2, "two");
      const batch = await ask<RecordBatch>(world, (answered) => {
        queues.pull(1, 10, (_, pulled) => answered(pulled as RecordBatch));
        assert.equal(queues.drop(1), 1);
        assert.equal(queues.drop(1), 0);
      });
      assert.equal(batch.count, 0);
      assert.equal(queues.total, 1);
    }));

  test("marks are plain values", () =>
    using(open, "fifo", async ({ queues, world }) => {
      for (let count = 0; count < 300; count += 1) push(queues, count % 9, "some record");
      const marks = await resultOf(world, (done) => queues.checkpoint(done));
      assert.deepEqual(JSON.parse(JSON.stringify(marks)), marks);
    }));

  test("closing answers a pull in flight with an error", () =>
    using(open, "fifo", async ({ queues, world }) => {
      push(queues, 1, "one");
      const codes: (string | undefined)[] = [];
      await succeed(world, (done) => {
        queues.pull(1, 1, (...[error]) => void codes.push(error?.code));
        queues.close((error) => {
          assert.deepEqual(codes, ["QUEUES_CLOSED"]);
          done(error);
        });
      });
    }));
}
