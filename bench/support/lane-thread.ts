/** The other thread of `bench/lane-connector.ts`: takes items, or bare buffers, and tells when it had all. */
import { type MessagePort, parentPort } from "node:worker_threads";
import { LocalConnector } from "../../src/topology/connector/index.ts";
import { codec, itemType } from "../../src/topology/items/index.ts";
import { LaneReceiver, ThreadPort } from "../../src/topology/threads/index.ts";

/** One run: items of a type that come through a lane, or buffers that are only counted. */
export interface LaneRun {
  readonly kind: "bytes" | "text" | "bare";
  readonly port: MessagePort;
  readonly capacity: number;
  /** Items, or buffers. */
  readonly count: number;
}

const TYPES = {
  bytes: itemType<unknown>("bench/bytes", codec.bytes as never),
  text: itemType<unknown>("bench/text", codec.text as never),
};
const TAKEN_MAX = 100;

function takeItems(run: LaneRun, kind: "bytes" | "text"): void {
  const inner = new LocalConnector(TYPES[kind], { capacity: run.capacity });
  const receiver = new LaneReceiver({
    inner,
    failed(error) {
      throw error;
    },
  });
  receiver.joinPort(new ThreadPort(run.port));
  const outlet = receiver.openOutlet("bench");
  const taken: unknown[] = [];
  let count = 0;
  const take = (): void => {
    while (outlet.length > 0) {
      taken.length = 0;
      count += outlet.takeInto(taken, TAKEN_MAX);
    }
    if (count < run.count) outlet.whenItems(() => setImmediate(take));
    else end(run);
  };
  take();
}

function takeBuffers(run: LaneRun): void {
  let [count, bytes] = [0, 0];
  run.port.on("message", (buffer: ArrayBuffer) => {
    count += 1;
    bytes += buffer.byteLength;
    if (count === run.count && bytes > 0) end(run);
  });
}

function end({ port }: LaneRun): void {
  port.close();
  parentPort?.postMessage("taken");
}

parentPort?.on("message", (run: LaneRun) => {
  if (run.kind === "bare") takeBuffers(run);
  else takeItems(run, run.kind);
});
