/** The connectors that exist, each held to the contract. */

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { SystemClock } from "../../src/base/time/index.ts";
import {
  type ConnectorSubject,
  connectorSuite,
  REAL_WORLD,
} from "../../src/lab/conformance/index.ts";
import { LocalConnector, PriorityLine } from "../../src/topology/connector/index.ts";
import { codec, itemType } from "../../src/topology/items/index.ts";
import {
  LaneForwarder,
  LaneReceiver,
  LaneSender,
  openChannel,
  ThreadPort,
} from "../../src/topology/threads/index.ts";
import { SimulatedTime, simulatedWorld } from "../support/lab/simulated-world.ts";
import { MemoryPort } from "../support/topology/memory-ports.ts";

const Count = itemType("test/count", codec.count);

connectorSuite("the local connector", async (options) => {
  const consumers = new LocalConnector(Count, options);
  return { ...local(consumers), consumers };
});

connectorSuite("the connector by priority, where all are equal,", async (options) => {
  const openLine = () => new PriorityLine<number>(() => 0);
  const consumers = new LocalConnector(Count, { ...options, openLine });
  return { ...local(consumers), consumers };
});

connectorSuite("the lane connector", async ({ capacity }) => {
  const time = new SimulatedTime();
  const [sending, receiving] = MemoryPort.pair<ArrayBuffer | null, number>(time, 3);
  const sender = new LaneSender({
    type: Count,
    capacity,
    port: sending,
    clock: time,
    report: fail,
  });
  const receiver = receiverOf(capacity);
  receiver.joinPort(receiving);
  return { ...local(sender, time), consumers: receiver };
});

connectorSuite("the lane connector with producers at its consumers' end", async ({ capacity }) => {
  const receiver = receiverOf(capacity);
  return { ...local(receiver.joinLocal(capacity)), consumers: receiver };
});

connectorSuite("the lane connector whose consumers are elsewhere", async ({ capacity }) => {
  const time = new SimulatedTime();
  const home = receiverOf(capacity);
  const [sending, receiving] = MemoryPort.pair<ArrayBuffer | null, number>(time, 3);
  const sender = new LaneSender({
    type: Count,
    capacity,
    port: sending,
    clock: time,
    report: fail,
  });
  new LaneForwarder(home.openOutlet("elsewhere"), sender, time);
  const receiver = receiverOf(capacity);
  receiver.joinPort(receiving);
  return { ...local(home.joinLocal(capacity), time), consumers: receiver };
});

connectorSuite("the lane connector to a real thread and back", async ({ capacity }) => {
  const clock = new SystemClock();
  const [there, atThread] = openChannel();
  const [back, backAtThread] = openChannel();
  const thread = new Worker(new URL("./relay-thread.ts", import.meta.url), {
    workerData: { capacity, from: atThread, to: backAtThread },
    transferList: [atThread, backAtThread],
  });
  const port = new ThreadPort<ArrayBuffer | null, number>(there);
  const sender = new LaneSender({ type: Count, capacity, port, clock, report: fail });
  const receiver = receiverOf(capacity);
  receiver.joinPort(new ThreadPort(back));
  return {
    ...{ world: REAL_WORLD, producers: sender, consumers: receiver, refuses: true },
    later: (task) => void clock.after(0, task),
    async close() {
      thread.postMessage("end");
      await once(thread, "exit");
      for (const end of [there, back]) end.close();
    },
  };
});

function receiverOf(capacity: number): LaneReceiver<number> {
  const inner = new LocalConnector(Count, { capacity });
  return new LaneReceiver({ inner, failed: fail });
}

function fail(error: unknown): void {
  throw error;
}

function local(
  producers: ConnectorSubject["producers"],
  time: SimulatedTime = new SimulatedTime(),
): Omit<ConnectorSubject, "consumers"> {
  return {
    world: simulatedWorld(time),
    producers,
    refuses: true,
    later: (task) => void time.after(1, task),
    close: async () => undefined,
  };
}
