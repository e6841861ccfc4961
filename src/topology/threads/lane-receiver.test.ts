import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { MemoryPort } from "../../../test/support/topology/memory-ports.ts";
import { LocalConnector } from "../connector/index.ts";
import { codec, itemType } from "../items/index.ts";
import { LaneReceiver } from "./lane-receiver.ts";
import { LaneSender } from "./lane-sender.ts";

const Count = itemType("test/count", codec.count);

function opened(options: { capacity: number; isTee?: boolean }) {
  const time = new SimulatedTime();
  const grants: number[] = [];
  const fail = (error: unknown): never => {
    throw error;
  };
  const inner = new LocalConnector(Count, options);
  const receiver = new LaneReceiver({ inner, failed: fail });
  const join = (capacity: number): LaneSender<number> => {
    const [port, receiving] = MemoryPort.pair<ArrayBuffer | null, number>(time, 1);
    const post = receiving.post.bind(receiving);
    receiving.post = (count) => {
      grants.push(count);
      post(count);
    };
    receiver.joinPort(receiving);
    return new LaneSender({ type: Count, capacity, port, clock: time, report: fail });
  };
  return { time, inner, receiver, grants, join };
}

test("credit is granted a quarter of the capacity at a time, and whenever nothing is left", () => {
  const { time, receiver, grants, join } = opened({ capacity: 16 });
  const inlet = join(16).openInlet();
  inlet.tryOffer([1, 2, 3, 4, 5, 6]);
  time.settle();
  const outlet = receiver.openOutlet("reader");
  for (let taken = 0; taken < 3; taken += 1) outlet.tryTake();
  assert.deepEqual(grants, []);
  outlet.tryTake();
  assert.deepEqual(grants, [4]);
  outlet.takeInto([], 9);
  assert.deepEqual(grants, [4, 2]);
});

test("parties share the capacity, and each gets back what it sent", () => {
  const { time, receiver, inner, join } = opened({ capacity: 6 });
  const senders = [join(2), join(2)];
  const local = receiver.joinLocal(2);
  const inlets = [...senders, local].map((one) => one.openInlet());
  for (const [at, inlet] of inlets.entries()) assert.ok(inlet.tryOffer([at, at]));
  for (const inlet of inlets) assert.ok(!inlet.tryOffer([9]), "its share is used up");
  time.settle();
  assert.equal(inner.length, 6);
  receiver.openOutlet("reader").takeInto([], 6);
  time.settle();
  for (const inlet of inlets) assert.ok(inlet.tryOffer([1, 2]));
});

test("consumers are drained when the producers of every party are done", () => {
  const { time, receiver, join } = opened({ capacity: 4 });
  const inlets = [join(2), join(2)].map((one) => one.openInlet());
  const outlet = receiver.openOutlet("reader");
  inlets[0]?.close();
  time.settle();
  assert.ok(!outlet.isDrained);
  inlets[1]?.tryOffer([1]);
  inlets[1]?.close();
  time.settle();
  assert.ok(!outlet.isDrained);
  assert.equal(outlet.tryTake(), 1);
  assert.ok(outlet.isDrained);
});

test("at a tee the slowest consumer holds the credit, until it is gone", () => {
  const { time, receiver, join } = opened({ capacity: 2, isTee: true });
  const [fast, slow] = [receiver.openOutlet("fast"), receiver.openOutlet("slow")];
  const inlet = join(2).openInlet();
  inlet.tryOffer([1, 2]);
  time.settle();
  assert.equal(fast.takeInto([], 2), 2);
  time.settle();
  assert.ok(!inlet.tryOffer([3]));
  slow.close();
  time.settle();
  assert.ok(inlet.tryOffer([3, 4]));
  time.settle();
  fast.close();
  time.settle();
  assert.ok(inlet.tryOffer([5, 6]));
  time.settle();
  assert.ok(inlet.tryOffer([7, 8]), "without consumers nothing is held up");
});
