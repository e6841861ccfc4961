/** All transports, each tested against the contract. */

import { SystemClock } from "../../src/base/time/index.ts";
import type { AgentId, TcpTransport, Transport } from "../../src/base/transport/index.ts";
import {
  InProcessHub,
  InProcessTransport,
  openTcpTransport,
} from "../../src/base/transport/index.ts";
import {
  REAL_WORLD,
  type TransportSubject,
  transportSuite,
} from "../../src/lab/conformance/index.ts";
import {
  type Conditions,
  Kernel,
  SimCluster,
  simulatedWorld as worldOf,
} from "../../src/lab/simulator/index.ts";
import { SimulatedTime, simulatedWorld } from "../support/lab/simulated-world.ts";

transportSuite("the in-process transport", async () =>
  inProcess(new InProcessHub(new SystemClock()), REAL_WORLD),
);

transportSuite("the in-process transport in simulated time", async () => {
  const time = new SimulatedTime();
  return inProcess(new InProcessHub(time), simulatedWorld(time));
});

transportSuite("the simulated network", async () => simulated({}));

transportSuite("the simulated network that doubles and reorders", async () =>
  simulated({ duplicateRatio: 0.5, reorderRatio: 0.5 }),
);

transportSuite("the TCP transport", async () => overTcp());

/** Agents have names here, so a table says where each of them listens. */
function overTcp(): TransportSubject {
  const addresses = new Map<AgentId, string>();
  const transports: TcpTransport[] = [];
  return {
    world: REAL_WORLD,
    connect: async (self) => {
      const transport = await new Promise<TcpTransport>((resolve, reject) =>
        openTcpTransport(
          {
            ...{ self, clock: new SystemClock(), listenAt: "127.0.0.1:0" },
            addressOf: (id) => addresses.get(id) ?? null,
            peers: () => addresses.keys(),
          },
          (error, opened) => (error === null ? resolve(opened) : reject(error)),
        ),
      );
      addresses.set(self, transport.address ?? "");
      transports.push(transport);
      return transport;
    },
    close: async () => {
      for (const transport of transports) transport.close();
    },
  };
}

function inProcess(hub: InProcessHub, world: TransportSubject["world"]): TransportSubject {
  return {
    world,
    connect: async (id) => new InProcessTransport(hub, id),
    close: async () => {
      for (const member of [...hub.members()]) member.close();
    },
  };
}

/** Every agent is a node of its own; connecting again is the node's next life. */
function simulated(conditions: Partial<Conditions>): TransportSubject {
  const cluster = new SimCluster(new Kernel({ seed: "transport suite" }), conditions);
  const transports = new Map<AgentId, Transport>();
  return {
    world: worldOf(cluster.kernel),
    connect: async (id) => {
      if (transports.has(id)) {
        cluster.node(id).crash();
        cluster.node(id).start();
      } else {
        cluster.add(id, (_life, transport) => transports.set(id, transport));
      }
      const transport = transports.get(id);
      if (transport === undefined) throw new Error(`the node ${id} did not start`);
      return transport;
    },
    close: async () => {
      for (const transport of transports.values()) transport.close();
    },
  };
}
