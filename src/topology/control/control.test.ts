import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { counter } from "../../base/telemetry/index.ts";
import { key, value } from "../../rules/settings/index.ts";
import { libraryOf, loadTopology } from "../description/index.ts";
import { codec, itemType } from "../items/index.ts";
import { System } from "../runtime/index.ts";
import { filter, general, provider, providerRole, sink } from "../unit/index.ts";
import { type Answer, Control } from "./index.ts";

const Count = itemType("test/count", codec.count);
const Text = itemType("test/text", codec.text);
const Naming = providerRole<(item: number) => string>("naming");

const RUNNING = `
providers:
  names: { unit: plain-names }
connectors:
  numbers: { type: test/count, capacity: 10 }
  texts: { type: test/text, capacity: 10 }
components:
  gate: { unit: gate, output: numbers }
  naming: { unit: naming, input: numbers, output: texts, providers: { naming: names } }
  printer: { unit: printer, input: texts }
`;

/** What an answer may have if it is no refusal. */
type Listed = Omit<Extract<Answer, { readonly ok: true }>, "ok">;

interface Rig {
  readonly printed: string[];
  /** Carries the request and the answer as JSON. */
  ask(request: unknown): Promise<Answer & Listed>;
  emit(...items: number[]): Promise<void>;
}

async function running(): Promise<Rig> {
  const printed: string[] = [];
  let put: (item: number) => void = () => assert.fail("the gate is not open");
  const names = (name: string, prefix: string) =>
    provider({ name, provides: Naming, create: () => ({ service: (item) => `${prefix}${item}` }) });
  const library = libraryOf([
    names("plain-names", ""),
    names("loud-names", "!"),
    provider({
      name: "clock",
      provides: providerRole<number>("clock"),
      create: () => ({ service: 0 }),
    }),
    general({
      ...{ name: "gate", inputs: {}, outputs: { output: Count } },
      create(unit) {
        put = unit.emit.output;
        return { take: {} };
      },
    }),
    filter({
      ...{ name: "naming", input: Count, output: Text, providers: { naming: Naming } },
      settings: {
        suffix: key(value.text({ form: "a text", examples: ["x"] }), {
          default: "",
          meaning: "S.",
        }),
        limits: {
          width: key(value.count({ min: 1, max: 9 }), { default: 9, meaning: "W.", live: true }),
        },
      },
      metrics: { named: counter("items named") },
      create(unit) {
        const { suffix } = unit.settings;
        return (item, emit) => {
          unit.metrics.named.add();
          const text = unit.providers.naming(item) + suffix;
          emit(text.slice(0, unit.settings.limits.width));
        };
      },
    }),
    sink({
      ...{ name: "printer", input: Text },
      create: (unit) => (item) => void printed.push(`${unit.name}: ${item}`),
    }),
  ]);
  const time = new SimulatedTime();
  const report = (error: Error) => assert.fail(error);
  const parts = { clock: time, report, failed: report, finished: () => undefined };
  const system = new System(parts);
  const importUnits = async (name: string) => await import(name);
  const options = { path: "topology.yaml", library, importUnits };
  await system.open((await loadTopology(RUNNING, options)).wiring);
  system.start();
  const control = new Control({ system, library, importUnits });
  return {
    printed,
    async ask(request) {
      const answer = await control.answer(JSON.parse(JSON.stringify(request ?? null)));
      assert.deepEqual(JSON.parse(JSON.stringify(answer)), answer, "an answer is plain data");
      return answer;
    },
    async emit(...items) {
      for (const item of items) put(item);
      time.settle();
      await Promise.resolve();
    },
  };
}

function refusal(answer: Answer): string {
  assert.ok(!answer.ok, "it is refused");
  return `${answer.code} ${answer.message}`;
}

test("units, connectors, metrics and states are read in one go", async () => {
  const { ask, emit } = await running();
  await emit(1, 2, 3);
  const { ok, units = [], connectors = [] } = await ask({ do: "list" });
  assert.ok(ok);
  assert.deepEqual(
    units.map(({ id, kind, unit, state }) => [id, kind, unit, state]),
    [
      ["names", "provider", "plain-names", "providing"],
      ["gate", "general", "gate", "running"],
      ["naming", "filter", "naming", "running"],
      ["printer", "sink", "printer", "running"],
    ],
  );
  assert.equal(units[2]?.metrics["named"], 3);
  assert.equal(units[2]?.metrics["taken"], 3);
  assert.deepEqual(connectors[1], {
    ...{ id: "texts", type: "test/text", capacity: 10, length: 0, dropped: 0 },
  });
});

test("settings are read with their schema, and changed from texts", async () => {
  const { ask, emit, printed } = await running();
  const before = await ask({ do: "settings", id: "naming" });
  assert.deepEqual(before.settings, [
    {
      ...{ key: "suffix", meaning: "S.", legal: "a text", default: '""', value: '""' },
      live: false,
    },
    {
      ...{ key: "limits.width", meaning: "W.", legal: "a whole number from 1 to 9", default: "9" },
      ...{ value: "9", live: true },
    },
  ]);
  const values = { suffix: "-th", "limits.width": "4" };
  const after = await ask({ do: "change", id: "naming", values });
  assert.deepEqual(
    after.settings?.map((one) => one.value),
    ['"-th"', "4"],
  );
  // What is shown can be given.
  assert.ok((await ask({ do: "change", id: "naming", values: { suffix: '"-th"' } })).ok);
  await emit(12);
  assert.deepEqual(printed, ["printer: 12-t"]);
});

test("all mistakes in new values are told at once, and nothing is changed", async () => {
  const { ask } = await running();
  const values = { "limits.width": "40", sufix: "x", suffix: "ok" };
  const told = refusal(await ask({ do: "change", id: "naming", values }));
  assert.match(told, /^CONFIG_INVALID 2 mistakes:/);
  assert.match(told, /settings of naming: limits\.width: "40" is too large; legal/);
  assert.match(told, /settings of naming: "sufix" is not a key of naming; did you mean suffix\?/);
  const { settings = [] } = await ask({ do: "settings", id: "naming" });
  assert.deepEqual(
    settings.map((one) => one.value),
    ['""', "9"],
  );
});

test("a value is written as in a file; without a text it is no value", async () => {
  const { ask } = await running();
  const tell = async (suffix: string) =>
    refusal(await ask({ do: "change", id: "naming", values: { suffix } }));
  assert.match(await tell("[a"), /settings of naming: this is not well-formed YAML/);
  assert.match(await tell(""), /suffix: "" means no value/);
});

test("units are suspended, resumed, multiplied and removed", async () => {
  const { ask, emit, printed } = await running();
  assert.equal((await ask({ do: "suspend", id: "printer" })).units?.[0]?.state, "suspended");
  await emit(1);
  assert.deepEqual(printed, []);
  assert.equal((await ask({ do: "resume", id: "printer" })).units?.[0]?.state, "running");
  await emit();
  assert.deepEqual(printed, ["printer: 1"]);
  assert.equal((await ask({ do: "instances", id: "naming", count: 3 })).units?.[0]?.instances, 3);
  assert.match(refusal(await ask({ do: "instances", id: "naming", count: 0 })), /the least is 1/);
  assert.ok((await ask({ do: "remove", id: "printer" })).ok);
  assert.match(refusal(await ask({ do: "remove", id: "printer" })), /there is no .* printer/);
});

test("a provider and a connector are swapped by a topology file with the new one", async () => {
  const { ask, emit, printed } = await running();
  const provided = await ask({
    do: "swap",
    topology: "providers: { names: { unit: loud-names } }",
  });
  assert.equal(provided.units?.[0]?.unit, "loud-names");
  const carried = await ask({
    ...{ do: "swap", topology: "connectors: { texts: { type: test/text, capacity: 3 } }" },
  });
  assert.equal(carried.connectors?.[0]?.capacity, 3);
  await emit(5);
  assert.deepEqual(printed, ["printer: !5"]);
  const two =
    "providers: { names: { unit: loud-names } }\nconnectors: { texts: { type: test/text } }";
  assert.match(refusal(await ask({ do: "swap", topology: two })), /one provider or one connector/);
  const other = "providers: { names: { unit: clock } }";
  assert.match(
    refusal(await ask({ do: "swap", topology: other })),
    /names provides naming, not clock/,
  );
  const wrong = `
providers: { nobody: { unit: plain-names } }
connectors: { nowhere: { type: test/text } }
components: { gate: { unit: gate, output: numbers } }`;
  const told = refusal(await ask({ do: "swap", topology: wrong }));
  assert.match(told, /request:2:\d+: nobody is not a provider that runs/);
  assert.match(told, /request:3:\d+: nowhere is not a connector that runs/);
  assert.match(told, /request:4:\d+: gate cannot be swapped/);
});

test("units are added by a topology file, and bound to what runs", async () => {
  const { ask, emit, printed } = await running();
  const topology = `
providers: { loud: { unit: loud-names } }
connectors: { more: { type: test/text } }
components:
  second: { unit: naming, input: numbers, output: more, providers: { naming: loud } }
  screen: { unit: printer, input: more }`;
  const added = await ask({ do: "add", topology });
  assert.deepEqual(
    added.units?.map(({ id, state }) => [id, state]),
    [
      ["loud", "providing"],
      ["second", "running"],
      ["screen", "running"],
    ],
  );
  assert.deepEqual(
    added.connectors?.map(({ id }) => id),
    ["more"],
  );
  await emit();
  await ask({ do: "suspend", id: "naming" });
  await emit(7);
  assert.deepEqual(printed, ["screen: !7"]);
});

test("a file that does not fit what runs is refused with all mistakes and their places", async () => {
  const { ask } = await running();
  const topology = `
connectors: { texts: { type: test/text } }
components:
  printer: { unit: printer, input: numbers }
  second: { unit: naming, input: nmbers, output: texts, providers: { naming: nemes } }`;
  const told = refusal(await ask({ do: "add", topology }));
  assert.match(told, /^TOPOLOGY_INVALID/);
  assert.match(told, /request:2:\d+: texts is the id of something that runs already/);
  assert.match(told, /request:4:\d+: printer is the id of something that runs already/);
  assert.match(told, /request:4:\d+: numbers carries test\/count, but input input of printer/);
  assert.match(told, /request:5:\d+: nmbers is not a known connector; .*did you mean numbers\?/);
  assert.match(told, /request:5:\d+: nemes is not a known provider; .*did you mean names\?/);
  const { units = [] } = await ask({ do: "list" });
  assert.equal(units.length, 4);
});

const MALFORMED: readonly [request: unknown, told: RegExp][] = [
  [null, /do must be one of list, settings/],
  [[], /do must be one of/],
  [{ do: "lst" }, /did you mean list\?/],
  [{ do: "__proto__" }, /do must be one of/],
  [{ do: "suspend" }, /id must be a text/],
  [{ do: "instances", id: 1, count: "2" }, /id must be a text; count must be a whole number/],
  [{ do: "instances", id: "naming", count: 1.5 }, /count must be a whole number/],
  [{ do: "change", id: "naming", values: { a: 1 } }, /values must be an object of texts/],
  [{ do: "list", all: true }, /list has no all/],
  [{ do: "settings", id: "nobody" }, /there is no unit nobody; there are .*printer/],
  [{ do: "add", topology: "components: [" }, /not well-formed YAML/],
];

for (const [request, told] of MALFORMED) {
  test(`${JSON.stringify(request)} is answered, not thrown`, async () => {
    const { ask } = await running();
    assert.match(refusal(await ask(request)), told);
  });
}
