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
import { SlowLink } from "../../src/lab/link/index.ts";
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

transportSuite("a mesh over a slow link", () => overMesh(2, true), needsProgram("nats-server"));

const meshes = new Map<string, Promise<readonly Mesh[]>>();
const links: SlowLink[] = [];
const rig = new MeshRig();
after(async () => {
  await rig[Symbol.asyncDispose]();
  await Promise.all(links.map((link) => link.close()));
});
let clusters = 0;

/** Agents are clients of these servers in turn. All tests use the same ones, each as another cluster. */
async function overMesh(servers: number, isFar = false): Promise<TransportSubject> {
  const kind = `${servers}${isFar ? ", far" : ""}`;
  const opened = meshes.get(kind) ?? openServers(servers, isFar);
  meshes.set(kind, opened);
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

/** The first is joined by the others, over a link if they are far from it. */
async function openServers(servers: number, isFar: boolean): Promise<readonly Mesh[]> {
  const name = (at: number): string => `${at} of ${servers}${isFar ? ", far" : ""}`;
  const opened: Mesh[] = [await rig.open(name(1))];
  const [{ listening }] = opened as [Mesh];
  const join = isFar ? await linkTo(listening) : listening;
  while (opened.length < servers) {
    opened.push(await rig.open(name(opened.length + 1), { join: [join] }));
  }
  return opened;
}

async function linkTo(listening: string): Promise<string> {
  const link = await SlowLink.open({
    ...{ clock: rig.clock, random: new SeededRandom("link"), to: () => listening },
    slowness: { oneWayMs: 2, stallShare: 0.05, stallMs: [5, 20] },
  });
  links.push(link);
  return link.address;
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
