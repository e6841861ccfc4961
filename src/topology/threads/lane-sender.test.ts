import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { MemoryPort } from "../../../test/support/topology/memory-ports.ts";
import type { CrawlError } from "../../base/errors/index.ts";
import { LocalConnector } from "../connector/index.ts";
import { codec, itemType } from "../items/index.ts";
import { LaneReceiver } from "./lane-receiver.ts";
import { LaneSender } from "./lane-sender.ts";

const lost: unknown[] = [];
const Text = itemType("test/text", codec.text, {
  shared: () => undefined,
  lost: (item) => void lost.push(item),
});

function opened(capacity: number) {
  const time = new SimulatedTime();
  const [sending, receiving] = MemoryPort.pair<ArrayBuffer | null, number>(time, 2);
  const errors: CrawlError[] = [];
  const loads: (ArrayBuffer | null)[] = [];
  const post = sending.post.bind(sending);
  sending.post = (load, moved) => {
    loads.push(load);
    post(load, moved);
  };
  const report = (error: CrawlError): void => void errors.push(error);
  const sender = new LaneSender({ type: Text, capacity, port: sending, clock: time, report });
  const failures: unknown[] = [];
  const receiver = new LaneReceiver({
    inner: new LocalConnector(Text, { capacity }),
    failed: (error) => failures.push(error),
  });
  receiver.joinPort(receiving);
  return { time, sender, receiver, receiving, errors, loads, failures };
}

test("never more items than the capacity are on the way and waiting", () => {
  const { time, sender, receiver } = opened(4);
  const inlet = sender.openInlet();
  assert.ok(inlet.tryOffer(["a", "b", "c"]));
  assert.ok(!inlet.tryOffer(["d", "e"]), "three are on the way");
  time.settle();
  assert.ok(!inlet.tryOffer(["d", "e"]), "three are waiting");
  const outlet = receiver.openOutlet("reader");
  assert.equal(outlet.tryTake(), "a");
  assert.ok(!inlet.tryOffer(["d", "e"]), "that one was taken is not known here yet");
  time.settle();
  assert.equal(sender.length, 2);
  assert.ok(inlet.tryOffer(["d", "e"]));
});

test("what is offered in one turn travels in one buffer, which is moved", () => {
  const { time, sender, receiver, loads } = opened(100);
  const [one, other] = [sender.openInlet(), sender.openInlet()];
  for (const at of [1, 2, 3]) {
    one.tryOffer([`one ${at}`]);
    other.tryOffer([`other ${at}`, "and more"]);
  }
  assert.equal(loads.length, 0);
  time.settle();
  assert.equal(loads.length, 1);
  assert.equal(loads[0]?.byteLength, 0, "it is on the other side now");
  assert.equal(receiver.openOutlet("reader").length, 9);
});

test("much is not kept for the end of the turn", () => {
  const { sender, loads } = opened(100);
  sender.openInlet().tryOffer(["x".repeat(70_000)]);
  assert.equal(loads.length, 1);
});

test("an item that cannot be encoded is reported and left out, and keeps no room", () => {
  const { time, sender, receiver, errors } = opened(3);
  const inlet = sender.openInlet();
  assert.ok(inlet.tryOffer(["a", 7 as never, "b"]));
  time.settle();
  const items: string[] = [];
  assert.equal(receiver.openOutlet("reader").takeInto(items, 9), 2);
  assert.deepEqual(items, ["a", "b"]);
  assert.equal(errors[0]?.code, "INTERNAL_UNIT");
  assert.match(errors[0]?.message ?? "", /codec of test\/text/);
  assert.deepEqual(lost, [7]);
  time.settle();
  assert.equal(sender.length, 0);
});

test("bytes that are no items are a failure of the lane", () => {
  const { time, receiver, receiving, failures } = opened(3);
  receiving.receive(Uint8Array.of(1, 200).buffer);
  time.settle();
  assert.equal((failures[0] as CrawlError).code, "TOPOLOGY_ITEM_MALFORMED");
  assert.equal(receiver.inner.length, 0);
});
