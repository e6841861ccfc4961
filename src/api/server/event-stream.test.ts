import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { EventStream } from "./event-stream.ts";

function rig() {
  const time = new SimulatedTime();
  const sink = {
    written: [] as string[],
    writableLength: 0,
    isDestroyed: false,
    write(text: string): boolean {
      sink.written.push(text);
      return true;
    },
    destroy(): void {
      sink.isDestroyed = true;
    },
  };
  const wait = (ms: number): void => {
    time.after(ms, () => undefined);
    time.step();
  };
  return { sink, stream: new EventStream(sink, time), wait };
}

test("an event is a kind and one line of JSON, whatever is in it", () => {
  const { sink, stream } = rig();
  stream.send("page", { title: "a\r\nevent: state\ndata: {}\n\n\u2028" });
  assert.equal(sink.written.length, 1);
  const [kind, data, ...rest] = String(sink.written[0]).split("\n");
  assert.equal(kind, "event: page");
  assert.deepEqual(rest, ["", ""]);
  assert.ok(String(data).startsWith('data: {"title":"a\\r\\nevent'));
});

test("a slow reader misses events, and is told how many", () => {
  const { sink, stream } = rig();
  sink.writableLength = 10_000_000;
  for (const at of [1, 2, 3]) stream.send("page", at);
  assert.deepEqual(sink.written, []);
  sink.writableLength = 0;
  stream.send("page", 4);
  stream.send("page", 5);
  assert.deepEqual(sink.written, [
    'event: missed\ndata: {"events":3}\n\n',
    "event: page\ndata: 4\n\n",
    "event: page\ndata: 5\n\n",
  ]);
});

test("a reader that takes nothing for too long is cut off", () => {
  const { sink, stream, wait } = rig();
  sink.writableLength = 10_000_000;
  stream.send("page", 1);
  wait(20_000);
  sink.writableLength = 0;
  stream.send("page", 2);
  sink.writableLength = 10_000_000;
  stream.send("page", 3);
  wait(20_000);
  stream.send("page", 4);
  assert.equal(sink.isDestroyed, false);
  wait(20_000);
  stream.send("page", 5);
  assert.equal(sink.isDestroyed, true);
});
