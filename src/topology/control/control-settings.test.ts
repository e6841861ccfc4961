/**
 * Settings that can be changed and silently do nothing are an old disease: in BUbiNG the filter of URLs
 * to be scheduled, the timeouts, the size of the URL cache, keep-alive and the limit of URLs could all be
 * set while it ran, and were read once, earlier, or never. Here every type of setting is changed on a
 * running unit and a running provider, and seen by what they do next.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedTime } from "../../../test/support/lab/simulated-world.ts";
import { key, map, record, type SchemaTree, value } from "../../rules/settings/index.ts";
import { LocalConnector } from "../connector/index.ts";
import { libraryOf } from "../description/index.ts";
import { codec, itemType } from "../items/index.ts";
import { System } from "../runtime/index.ts";
import { general, provider, providerRole, sink } from "../unit/index.ts";
import { Control } from "./index.ts";

const Count = itemType("test/count", codec.count);
const Told = providerRole<() => object>("told");
const word = value.text({ form: "a word", examples: ["a"] });

function settings(live: boolean) {
  const rules = { meaning: "Something.", live };
  return {
    count: key(value.count({ min: 0 }), { default: 1, ...rules }),
    bytes: key(value.byteSize({ min: 0 }), { default: 1024, ...rules }),
    rate: key(value.byteRate({ min: 1 }), { default: 1000, ...rules }),
    time: key(value.duration({ min: 0 }), { default: 1000, ...rules }),
    toggle: key(value.toggle(), { default: false, ...rules }),
    choice: key(value.choice("one", "two"), { default: "one" as "one" | "two", ...rules }),
    text: key(word, { default: "a", ...rules }),
    list: key(value.list(word), { default: ["a"], ...rules }),
    nullable: key(value.nullable(value.count({ min: 0 })), { default: null, ...rules }),
    group: { inner: key(value.count({ min: 0 }), { default: 1, ...rules }) },
    map: key(map(word, { form: "names", examples: ["{a: b}"], nameProblem: () => null }), {
      ...{ default: [] as readonly (readonly [string, string])[], ...rules },
    }),
    record: key(
      value.nullable(record({ size: value.count({ min: 0 }) }, { form: "f", examples: ["{}"] })),
      { default: null, ...rules },
    ),
  };
}

/** A text for each key, and the value that a unit must see. */
const CHANGES: readonly [key: string, text: string, seen: unknown][] = [
  ["count", "7", 7],
  ["bytes", "2Ki", 2048],
  ["rate", "64Ki", 65_536],
  ["time", "3s", 3000],
  ["toggle", "true", true],
  ["choice", "two", "two"],
  ["text", "b", "b"],
  ["list", "[b, c]", ["b", "c"]],
  ["nullable", "5", 5],
  ["group.inner", "9", 9],
  ["map", "a: b", [["a", "b"]]],
  ["record", "{ size: 4 }", { size: 4 }],
];

interface Subject {
  /** Has the unit work, and gives the settings that it worked with. */
  seen(): object;
  change(key: string, text: string): Promise<void>;
}

async function running(live: boolean, of: "component" | "provider"): Promise<Subject> {
  const time = new SimulatedTime();
  const report = (error: Error) => assert.fail(error);
  const system = new System({ clock: time, report, failed: report, finished: report as never });
  let last: object = {};
  let put: (item: number) => void = () => undefined;
  // A unit that copies its settings when it is made sees what is not live, one that reads them each time all.
  const schema = settings(live) as unknown as SchemaTree<object>;
  const user = sink({
    ...{ name: "user", input: Count, settings: schema, providers: { told: Told } },
    create(unit) {
      const copy = { ...unit.settings };
      return () => {
        const own = live ? unit.settings : copy;
        last = of === "component" ? own : unit.providers.told();
      };
    },
  });
  const told = provider({
    ...{ name: "told", provides: Told, settings: schema },
    create(unit) {
      const copy = { ...unit.settings };
      return { service: () => (live ? unit.settings : copy) };
    },
  });
  const gate = general({
    ...{ name: "gate", inputs: {}, outputs: { output: Count } },
    create(unit) {
      put = unit.emit.output;
      return { take: {} };
    },
  });
  await system.open({
    providers: [{ id: "provider", definition: told }],
    connectors: [{ id: "a", open: () => new LocalConnector<unknown>(Count, { capacity: 2 }) }],
    components: [
      { id: "gate", definition: gate, outputs: { output: "a" } },
      {
        ...{ id: "component", definition: user, inputs: { input: "a" } },
        providers: { told: "provider" },
      },
    ],
  });
  system.start();
  const importUnits = () => assert.fail();
  const control = new Control({ system, library: libraryOf([]), importUnits });
  return {
    seen() {
      put(1);
      time.settle();
      return last;
    },
    async change(path, text) {
      const answer = await control.answer({ do: "change", id: of, values: { [path]: text } });
      assert.ok(answer.ok, JSON.stringify(answer));
    },
  };
}

for (const kind of ["component", "provider"] as const) {
  for (const live of [true, false]) {
    for (const [path, text, wanted] of CHANGES) {
      const how = live ? "at once" : "by being made anew";
      test(`a ${kind} that runs sees another ${path} ${how}`, async () => {
        const { seen, change } = await running(live, kind);
        assert.notDeepEqual(at(seen(), path), wanted);
        await change(path, text);
        assert.deepEqual(at(seen(), path), wanted);
      });
    }
  }
}

test("every setting that these units declare is among the changes", () => {
  const declared = Object.keys(settings(true)).map((one) =>
    one === "group" ? "group.inner" : one,
  );
  const tried = new Set(CHANGES.map(([path]) => path));
  assert.deepEqual(
    declared.filter((path) => !tried.has(path)),
    [],
  );
});

function at(tree: object, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], tree);
}
