/** All transports, each tested against the contract. */
import assert from "node:assert/strict";
import { after } from "node:test";
import { SeededRandom } from "../../src/base/random/index.ts";
import { SystemClock } from "../../src/base/time/index.ts";
import type {
  AgentId,
  Mesh,
  ServedTransport,
  TcpTransport,
  Transport,
} from "../../src/base/transport/index.ts";
import {
  InProcessHub,
  InProcessTransport,
  openNatsTransport,
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
import { allReached, greet, MeshRig } from "../support/base/mesh-rig.ts";
import { NatsServer } from "../support/base/nats-server.ts";
import { SimulatedTime, simulatedWorld } from "../support/lab/simulated-world.ts";
import { needsProgram } from "../support/requirement.ts";

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

transportSuite("the NATS transport", async () => overNats(), needsProgram("nats-server"));

transportSuite("a mesh of two servers", () => overMesh(2), needsProgram("nats-server"));

transportSuite("a mesh of three servers", () => overMesh(3), needsProgram("nats-server"));

const meshes = new Map<number, Promise<readonly Mesh[]>>();
const rig = new MeshRig();
after(() => rig[Symbol.asyncDispose]());
let clusters = 0;

/** Agents are clients of these servers in turn. All tests use the same ones, each as another cluster. */
async function overMesh(servers: number): Promise<TransportSubject> {
  const opened = meshes.get(servers) ?? openServers(servers);
  meshes.set(servers, opened);
  const transports: ServedTransport[] = [];
  const names: string[] = [];
  clusters += 1;
  const cluster = `suite ${clusters}`;
  return {
    world: REAL_WORLD,
    connect: async (self) => {
      const at = names.includes(self) ? names.indexOf(self) : names.push(self) - 1;
      const mesh = (await opened)[at % servers];
      assert(mesh !== undefined);
      const transport = await mesh.connect(self, cluster);
      greet(transport);
      transports.push(transport);
      await allReached(
        rig,
        transports.filter(({ isConnected }) => isConnected),
      );
      return transport;
    },
    close: async () => {
      for (const transport of transports) transport.close();
    },
  };
}

async function openServers(servers: number): Promise<readonly Mesh[]> {
  const opened: Mesh[] = [];
  for (let at = 0; at < servers; at += 1) {
    const join = opened.slice(0, 1).map(({ listening }) => listening);
    opened.push(await rig.open(`${at + 1} of ${servers}`, { join }));
  }
  return opened;
}

/** Each agent is a client of the same server. */
async function overNats(): Promise<TransportSubject> {
  const server = await NatsServer.start();
  const transports: ServedTransport[] = [];
  return {
    world: REAL_WORLD,
    connect: async (self) => {
      const transport = await new Promise<ServedTransport>((resolve, reject) =>
        openNatsTransport(
          {
            ...{
              self,
              clock: new SystemClock(),
              random: new SeededRandom(`${process.hrtime.bigint()}`),
              servers: [server.url],
              cluster: "suite",
            },
            ...{ keySeed: null, tls: null },
          },
          (error, opened) => (error === null ? resolve(opened) : reject(error)),
        ),
      );
      transports.push(transport);
      return transport;
    },
    close: async () => {
      for (const transport of transports) transport.close();
      await server.stop();
    },
  };
}

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
