/** The remote connector held to the contract of connectors, over every transport. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SeededRandom } from "../../src/base/random/index.ts";
import type { Done } from "../../src/base/seams/index.ts";
import { DiskStorage } from "../../src/base/storage/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import {
  InProcessHub,
  InProcessTransport,
  openTcpTransport,
  type TcpTransport,
} from "../../src/base/transport/index.ts";
import {
  type ConnectorOpening,
  type ConnectorSubject,
  connectorSuite,
  REAL_WORLD,
  type World,
} from "../../src/lab/conformance/index.ts";
import {
  type Conditions,
  Kernel,
  SimCluster,
  SimDisk,
  simulatedWorld as worldOf,
} from "../../src/lab/simulator/index.ts";
import { SimulatedTime, simulatedWorld } from "../support/lab/simulated-world.ts";
import { openReceiver, openSender, type Side } from "../support/topology/remote-rig.ts";

connectorSuite("the remote connector inside one process", async (options) => {
  const time = new SimulatedTime();
  const hub = new InProcessHub(time);
  const side = (name: string): Side => ({
    ...{ clock: time, random: new SeededRandom(name) },
    storage: new SimDisk(new SeededRandom(name)).mount(time),
    transport: new InProcessTransport(hub, name),
  });
  const [sender, receiver] = [side("sender"), side("receiver")];
  return await remote(simulatedWorld(time), { sender, receiver, to: "receiver" }, options);
});

connectorSuite("the remote connector over a calm network", simulated({}));

connectorSuite(
  "the remote connector over a network that loses, doubles, delays and reorders",
  simulated({
    ...{ lossRatio: 0.1, duplicateRatio: 0.3, reorderRatio: 0.5 },
    ...{ lateRatio: 0.1, lateMsMax: 500, unreachableRatio: 0.5 },
  }),
);

connectorSuite("the remote connector over a network that is cut again and again", (options) =>
  simulated({ lossRatio: 0.05 }, (cluster) => {
    const cut = (): void => {
      cluster.strike({
        ...{ kind: "cut-both", nodes: ["sender", "receiver"], atMs: 0, durationMs: 300 },
        parameters: {},
      });
      cluster.kernel.schedule(700, cut);
    };
    cut();
  })(options),
);

connectorSuite("the remote connector over TCP", async (options) => {
  const root = mkdtempSync(join(tmpdir(), "trobar-remote-"));
  const clock = new SystemClock();
  const receiving = await tcp("receiver", "127.0.0.1:0");
  const sending = await tcp("sender", null);
  const side = (transport: TcpTransport): Side => ({
    ...{ clock, random: new SeededRandom(transport.self), transport },
    storage: new DiskStorage(join(root, transport.self)),
  });
  const sides = {
    ...{ sender: side(sending), receiver: side(receiving) },
    to: receiving.address ?? "",
  };
  const subject = await remote(REAL_WORLD, sides, options);
  const close = async (): Promise<void> => {
    await subject.close();
    for (const transport of [sending, receiving]) transport.close();
    rmSync(root, { recursive: true });
  };
  return { ...subject, close };
});

function tcp(self: string, listenAt: string | null): Promise<TcpTransport> {
  return new Promise((resolve, reject) =>
    openTcpTransport({ self, listenAt, clock: new SystemClock() }, (error, opened) =>
      error === null ? resolve(opened) : reject(error),
    ),
  );
}

function simulated(
  conditions: Partial<Conditions>,
  disturb: (cluster: SimCluster) => void = () => undefined,
): ConnectorOpening {
  return async (options) => {
    const cluster = new SimCluster(new Kernel({ seed: "remote connector" }), conditions);
    const sides = new Map<string, Side>();
    for (const name of ["sender", "receiver"]) {
      const disk = new SimDisk(new SeededRandom(name));
      cluster.add(name, ({ clock, random }, transport) => {
        // That nobody answers for a while is told, and no fault.
        const report = (): void => undefined;
        sides.set(name, { clock, random, transport, report, storage: disk.mount(clock) });
      });
    }
    disturb(cluster);
    const [sender, receiver] = [sides.get("sender"), sides.get("receiver")];
    assert(sender !== undefined && receiver !== undefined);
    return await remote(worldOf(cluster.kernel), { sender, receiver, to: "receiver" }, options);
  };
}

async function remote(
  world: World,
  { sender, receiver, to }: { readonly sender: Side; readonly receiver: Side; readonly to: string },
  options: { readonly capacity: number },
): Promise<ConnectorSubject> {
  const opened = async <Value>(open: (done: Done<Value>) => void): Promise<Value> => {
    const [error, value] = await world.answer<Parameters<Done<Value>>>((answered) =>
      open((...outcome) => answered(outcome)),
    );
    if (error !== null) throw error;
    return value;
  };
  const consumers = await opened<Parameters<Parameters<typeof openReceiver>[2]>[1] & object>(
    (done) => openReceiver(receiver, options, done as never),
  );
  const producers = await opened<Parameters<Parameters<typeof openSender>[3]>[1] & object>((done) =>
    openSender(sender, to, options, done as never),
  );
  const ended = (close: (done: (error: unknown) => void) => void): Promise<unknown> =>
    world.answer((answered) => close((error) => answered(error)));
  return {
    ...{ world, producers, consumers, refuses: true },
    // Long enough for simulated time to go on.
    later: (task) => void sender.clock.after(0.25, task),
    close: async () => {
      assert.equal(await ended((done) => producers.close(done)), null);
      assert.equal(await ended((done) => consumers.close(done)), null);
    },
  };
}
