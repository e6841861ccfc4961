import assert from "node:assert/strict";
import { test } from "node:test";
import { isCrawlError } from "../../base/errors/index.ts";
import { key, value } from "../../rules/settings/index.ts";
import { codec, itemType } from "../items/index.ts";
import { filter, provider, providerRole, sink, source } from "../unit/index.ts";
import { type LoadedTopology, libraryOf, loadTopology } from "./index.ts";

const Count = itemType("test/count", codec.count);
const Text = itemType("test/text", codec.text);
const Naming = providerRole<(item: number) => string>("naming");
const Clocks = providerRole<() => number>("clocks");

const LIBRARY = libraryOf([
  source({ name: "numbers", output: Count, create: () => ({ pull: () => false }) }),
  filter({
    name: "named",
    input: Count,
    output: Text,
    providers: { naming: Naming },
    settings: {
      prefix: key(value.text({ form: "a text", examples: ["x"] }), { default: "", meaning: "P." }),
      width: key(value.count({ min: 1, max: 9 }), { default: 2, meaning: "W.", live: true }),
    },
    create: () => () => undefined,
  }),
  sink({ name: "printer", input: Text, create: () => () => undefined }),
  provider({ name: "names", provides: Naming, create: () => ({ service: String }) }),
  provider({
    name: "cached-names",
    provides: Naming,
    providers: { behind: Naming },
    create: (unit) => ({ service: (item) => unit.providers.behind(item) }),
  }),
  provider({ name: "clock", provides: Clocks, create: () => ({ service: () => 0 }) }),
]);

const GOOD = `
providers:
  names: { unit: names }
  cache: { unit: cached-names, providers: { behind: names } }
connectors:
  numbers: { type: test/count, capacity: 10 }
  texts: { type: test/text, kind: tee }
components:
  numbers-of-day: { unit: numbers, output: numbers }
  naming:
    unit: named
    instances: 3
    onFailure: restart
    input: numbers
    outputs: { output: texts }
    providers: { naming: cache }
    settings: { prefix: no., width: 4 }
  printer: { unit: printer, input: texts }
  second: { unit: printer, input: texts }
`;

async function check(
  text: string,
): Promise<{ readonly wiring: LoadedTopology["wiring"] | null; readonly text: string }> {
  const options = { path: "topology.yaml", library: LIBRARY };
  try {
    const importUnits = async (name: string) => await import(name);
    const { wiring } = await loadTopology(text, { ...options, importUnits });
    return { wiring, text: "" };
  } catch (thrown) {
    assert.ok(isCrawlError(thrown) && thrown.code === "TOPOLOGY_INVALID", String(thrown));
    return { wiring: null, text: thrown.message };
  }
}

test("a topology that fits becomes a wiring", async () => {
  const { wiring, text } = await check(GOOD);
  assert.ok(wiring !== null, text);
  assert.deepEqual(
    wiring.components.map(({ id, instances, onFailure, inputs, outputs, providers }) => {
      return { id, instances, onFailure, inputs, outputs, providers };
    })[1],
    {
      ...{ id: "naming", instances: 3, onFailure: "restart", inputs: { input: "numbers" } },
      ...{ outputs: { output: "texts" }, providers: { naming: "cache" } },
    },
  );
  assert.deepEqual(
    [...(wiring.components[1]?.settings ?? [])],
    [
      ["prefix", "no."],
      ["width", 4],
    ],
  );
  const [numbers, texts] = wiring.connectors.map(({ open }) => open());
  assert.deepEqual([numbers?.capacity, numbers?.isTee], [10, false]);
  assert.equal(texts?.isTee, true);
});

/** What is planted into the good one, and what is said of it. */
const MISTAKES: readonly [planted: [before: string, after: string], said: RegExp][] = [
  [["unit: named", "unit: nammed"], /:11:11: nammed is not a known unit; .*did you mean named\?/],
  [["type: test/count", "type: test/cuont"], /cuont is not a known type of items/],
  [["kind: tee", "kind: tie"], /tie is not a known kind of connector; legal: .*tee/],
  [
    ["input: numbers\n", "input: texts\n"],
    /texts carries test\/text, but input input of naming is of type test\/count/,
  ],
  [["input: numbers\n", "input: nowhere\n"], /nowhere is not a known connector/],
  [["    input: numbers\n", ""], /naming has nothing bound to its input input/],
  [
    ["    input: numbers\n", "    input: numbers\n    inputs: { input: numbers }\n"],
    /input input of naming is bound twice/,
  ],
  [
    ["naming: cache", "nameing: cache"],
    /nameing is not a role of providers of naming; legal: naming; did you mean naming\?/,
  ],
  [["naming: cache", "naming: nobody"], /nobody is not a known provider/],
  [
    ["unit: cached-names, providers: { behind: names }", "unit: clock"],
    /cache provides clocks, but naming of naming needs naming/,
  ],
  [["behind: names", "behind: cache"], /cache uses itself in a circle of providers: cache → cache/],
  [["width: 4", "width: 40"], /width: "40" is too large; legal/],
  [["width: 4", "widht: 4"], /"widht" is not a key of naming; did you mean width\?/],
  [["capacity: 10", "capacity: 0"], /capacity: "0" is too small/],
  [
    ["instances: 3", "instances: many"],
    /instances: "many" is not a number of instances; legal: 1 to/,
  ],
  [
    ["onFailure: restart", "onFailure: retsart"],
    /"retsart" is none of the choices; .*did you mean restart\?/,
  ],
  [["  printer: {", "  naming: {"], /naming is given twice in components/],
  [["  numbers: { type", "  naming: { type"], /naming is the id of two units or connectors/],
  [
    ["unit: printer, input: texts }\n  second", "unit: names }\n  second"],
    /names is a provider, not a component/,
  ],
  [["  names: { unit: names }", "  names: { unit: printer }"], /printer is a sink, not a provider/],
  [["  names: { unit: names }", "  names: {}"], /names has no unit/],
  [["  names: { unit: names }", "  names: [a]"], /the provider names must be a tree of names/],
  [
    ["components:", "component:"],
    /component is not a key of a topology; .*did you mean components\?/,
  ],
  [
    ["providers:\n", "use: [data:text/javascript,nonsense(]\nproviders:\n"],
    /cannot be loaded as a module/,
  ],
  [
    ["unit: names }", "unit: 'data:text/javascript,export const other = 1#none' }"],
    /is not a known unit/,
  ],
  [["providers:\n", "providers:\n\tnames"], /tab/],
];

for (const [[before, after], said] of MISTAKES) {
  test(`it is told that ${JSON.stringify(after)} is wrong, and where`, async () => {
    assert.ok(GOOD.includes(before), "the mistake is planted");
    const { wiring, text } = await check(GOOD.replace(before, after));
    assert.equal(wiring, null);
    assert.match(text, said);
    assert.match(text, /topology\.yaml:\d+:\d+: /);
  });
}

test("all mistakes of a topology are told at once, in the order of their places", async () => {
  const bad = GOOD.replace("unit: named", "unit: nammed")
    .replace("capacity: 10", "capacity: 0")
    .replace("behind: names", "behind: cache")
    .replace("second: { unit: printer", "second: { unit: pinter");
  const { text } = await check(bad);
  const places = text
    .split("\n")
    .slice(1)
    .map((line) => Number(/:(\d+):/.exec(line)?.[1]));
  assert.deepEqual(places, [4, 6, 11, 19], text);
});

test("units of a user's module are named by its path and export, or lent by `use`", async () => {
  const module = `data:text/javascript,
    export const mine = { kind: "sink", name: "mine", inputs: {}, outputs: {}, providers: {},
      settings: {}, metrics: {}, inFlightMax: 1, create() {} };`.replaceAll("\n", "");
  const lent = await check(`use: ['${module}']\ncomponents:\n  one: { unit: mine }\n`);
  assert.ok(lent.wiring !== null, lent.text);
  const named = await check(`components:\n  one: { unit: '${module}#mine' }\n`);
  assert.ok(named.wiring !== null, named.text);
});
