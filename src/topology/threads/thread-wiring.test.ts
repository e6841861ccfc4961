import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { MemoryPort } from "../../../test/support/topology/memory-ports.ts";
import { LocalConnector } from "../connector/index.ts";
import { codec, itemType } from "../items/index.ts";
import type { ComponentWiring, ConnectorWiring, ProviderWiring, Wiring } from "../runtime/index.ts";
import { provider, providerRole, sink } from "../unit/index.ts";
import { planLanes } from "./lane-plan.ts";
import { partOf, wiringOfThread } from "./thread-wiring.ts";

const Count = itemType("test/count", codec.count);
const Role = providerRole<null>("role");
const definition = sink({ name: "any", input: Count, create: () => () => undefined });

function connector(id: string, capacity: number, isTee = false): ConnectorWiring {
  const open = (share: number) => new LocalConnector<unknown>(Count, { capacity: share, isTee });
  return { id, open: () => open(capacity), across: { type: Count, capacity, open } };
}

function component(id: string, wiring: Partial<ComponentWiring>): ComponentWiring {
  return { id, definition, ...wiring };
}

function service(id: string, ...uses: string[]): ProviderWiring {
  const providers = Object.fromEntries(uses.map((used) => [used, used]));
  const made = provider({ name: id, provides: Role, create: () => ({ service: null }) });
  return { id, definition: made, providers };
}

const WIRING: Wiring = {
  providers: [service("deep"), service("near", "deep"), service("own"), service("idle")],
  connectors: [connector("in", 10), connector("inside", 10), connector("out", 9, true)],
  components: [
    component("source", { outputs: { o: "in" }, providers: { p: "own" } }),
    component("other-source", { thread: "b", outputs: { o: "in" } }),
    component("first", { thread: "a", inputs: { i: "in" }, outputs: { o: "inside" } }),
    component("second", {
      ...{ thread: "a", inputs: { i: "inside" }, outputs: { o: "out" } },
      providers: { p: "near" },
    }),
    component("here", { inputs: { i: "out" } }),
    component("there", { thread: "b", inputs: { i: "out" } }),
  ],
};

test("a thread has its components, the providers that they use, and their connectors", () => {
  const idsOf = (thread: string) => {
    const { components, providers, connectors } = partOf(WIRING, thread);
    return [components, providers, connectors].map((part) => part.map(({ id }) => id).join());
  };
  assert.deepEqual(idsOf(""), ["source,here", "own,idle", "in,out"]);
  assert.deepEqual(idsOf("a"), ["first,second", "deep,near", "in,inside,out"]);
  assert.deepEqual(idsOf("b"), ["other-source,there", "", "in,out"]);
});

test("items wait where consumers are, and the capacity is divided among all ways", () => {
  const plans = planLanes(WIRING);
  assert.deepEqual([...plans.keys()], ["in", "out"]);
  const into = plans.get("in");
  assert.equal(into?.home, "a");
  assert.deepEqual(into?.toHome, [
    { name: "in<", from: "", to: "a", capacity: 5 },
    { name: "in<b", from: "b", to: "a", capacity: 5 },
  ]);
  assert.deepEqual([into?.ownShare, into?.homeCapacity, into?.fromHome], [0, 10, []]);
  const out = plans.get("out");
  assert.equal(out?.home, "", "consumers on several threads have theirs in the middle");
  assert.deepEqual(out?.toHome, [{ name: "out<a", from: "a", to: "", capacity: 5 }]);
  assert.deepEqual(out?.fromHome, [{ name: "out>b", from: "", to: "b", capacity: 4 }]);
});

test("the ends of a connector on three threads are joined by lanes", async () => {
  const time = new SimulatedTime();
  const ports = new Map<string, MemoryPort<unknown, unknown>>();
  for (const { toHome, fromHome } of planLanes(WIRING).values()) {
    for (const { name, from, to } of [...toHome, ...fromHome]) {
      const [one, other] = MemoryPort.pair<unknown, unknown>(time, 1);
      ports.set(`${name} at ${from}`, one);
      ports.set(`${name} at ${to}`, other);
    }
  }
  const opened = (thread: string, id: string) => {
    const { connectors } = wiringOfThread(WIRING, {
      ...{ thread, clock: time, report: fail, failed: fail },
      portOf: (lane) => ports.get(`${lane} at ${thread}`) ?? fail(lane),
    });
    return connectors.find((one) => one.id === id)?.open() ?? fail(id);
  };
  const [sent, home, away] = await Promise.all([
    opened("a", "out"),
    opened("", "out"),
    opened("b", "out"),
  ]);
  const outlets = [home.openOutlet("here"), away.openOutlet("there")];
  const inlet = sent.openInlet();
  assert.equal(sent.capacity, 5);
  assert.ok(sent.isTee && home.isTee && away.isTee);
  assert.ok(inlet.tryOffer([1, 2, 3]));
  inlet.close();
  time.settle();
  for (const outlet of outlets) {
    const items: unknown[] = [];
    outlet.takeInto(items, 9);
    time.settle();
    assert.deepEqual(items, [1, 2, 3]);
    assert.ok(outlet.isDrained);
  }
  assert.throws(() => away.openInlet(), { code: "TOPOLOGY_REFUSED" });
  assert.throws(() => sent.openOutlet("any"), { code: "TOPOLOGY_REFUSED" });
});

function fail(what: unknown): never {
  throw new Error(`not expected: ${what}`);
}
