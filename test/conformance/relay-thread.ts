/** A thread that takes items from one lane and puts them into another, for tests of lanes between threads. */
import { parentPort, workerData } from "node:worker_threads";
import { SystemClock } from "../../src/base/time/index.ts";
import { LocalConnector } from "../../src/topology/connector/index.ts";
import { codec, itemType } from "../../src/topology/items/index.ts";
import {
  LaneForwarder,
  LaneReceiver,
  LaneSender,
  ThreadPort,
} from "../../src/topology/threads/index.ts";

const Count = itemType("test/count", codec.count);
const { capacity, from, to } = workerData;
const clock = new SystemClock();
const receiver = new LaneReceiver({
  inner: new LocalConnector(Count, { capacity }),
  failed(error) {
    throw error;
  },
});
receiver.joinPort(new ThreadPort(from));
const sender = new LaneSender({
  ...{ type: Count, capacity, clock, port: new ThreadPort(to) },
  report(error) {
    throw error;
  },
});
new LaneForwarder(receiver.openOutlet("relay"), sender, clock);
parentPort?.on("message", () => process.exit());
