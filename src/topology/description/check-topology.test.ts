import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "./checked.fixture.ts";
import { TOPOLOGY_BYTES_MAX } from "./index.ts";

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

test("a topology that fits becomes a wiring", async () => {
  const { topology, text } = await check(GOOD);
  assert.ok(topology !== null, text);
  const { wiring } = topology;
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
  const [numbers, texts] = await Promise.all(wiring.connectors.map(({ open }) => open()));
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
  [["    input: numbers\n", ""], /naming has nothing bound to its input input; legal: numbers/],
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
  [["    providers: { naming: cache }\n", ""], /naming has nothing bound to its provider naming/],
  [
    ["outputs: { output: texts }", "outputs: { ouput: texts }"],
    /ouput is not a role of outputs of naming; legal: output; did you mean output\?/,
  ],
  [["outputs: { output: texts }", "outputs: [texts]"], /outputs must be a tree of names/],
  [["unit: printer, input: texts", "unit: printer, input: [texts]"], /input must be a single name/],
  [
    ["  texts: { type: test/text, kind: tee }", "  texts: { kind: tee }"],
    /:7:3: texts has no type/,
  ],
  [
    ["capacity: 10 }", "capacity: 10 }\n  unused: { type: test/text }"],
    /unused is not connected: no component puts items into it[\s\S]*no component takes items out/,
  ],
  [
    ["  numbers-of-day: { unit: numbers, output: numbers }\n", ""],
    /numbers is not connected: no component puts items into it/,
  ],
  [
    ["  numbers-of-day: {", "  more: { unit: numbers, output: spare }\n  numbers-of-day: {"],
    /spare is not a known connector/,
  ],
  [
    [
      "providers: { naming: cache }\n    settings: { prefix: no., width: 4 }\n  printer: { unit: printer, input: texts }\n  second: { unit: printer, input: texts }\n",
      "providers: { naming: cache }\n",
    ],
    /texts is not connected: no component takes items out of it/,
  ],
  [["capacity: 10", "capacty: 10"], /"capacty" is not a key of a local connector; did you mean/],
  [["capacity: 10", "capacity: 10, capacity: 11"], /capacity is given twice in the connector/],
  [
    ["unit: cached-names, providers: { behind: names }", "unit: cached-names"],
    /cache has nothing bound to its provider behind/,
  ],
  [["instances: 3", "instances: 0"], /instances: "0" is not a number of instances; legal: 1 to/],
  [["instances: 3", "instances: 1000000"], /instances: "1000000" is not a number of instances/],
  [["instances: 3", "instnaces: 3"], /instnaces is not a key of the component naming; .*instances/],
  [
    ["settings: { prefix: no., width: 4 }", "settings: 4"],
    /the settings of naming must be a tree of names/,
  ],
  [["unit: numbers,", "unit: &x numbers,"], /anchors are not used/],
  [["unit: numbers,", "unit: !!str numbers,"], /tags are not used/],
  [["components:\n", "--- \ncomponents:\n"], /second document/],
  [["unit: numbers,", "unit: 'numbers,"], /not well-formed YAML/],
];

for (const [[before, after], said] of MISTAKES) {
  test(`it is told that ${JSON.stringify(after)} is wrong, and where`, async () => {
    assert.ok(GOOD.includes(before), "the mistake is planted");
    const { topology, text } = await check(GOOD.replace(before, after));
    assert.equal(topology, null);
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
  assert.ok(lent.topology !== null, lent.text);
  const named = await check(`components:\n  one: { unit: '${module}#mine' }\n`);
  assert.ok(named.topology !== null, named.text);
});

test("a file may be as large as the limit, and no larger", async () => {
  const padded = (bytes: number) => GOOD + "#".repeat(bytes - GOOD.length);
  assert.ok((await check(padded(TOPOLOGY_BYTES_MAX))).topology !== null);
  const { text } = await check(padded(TOPOLOGY_BYTES_MAX + 1));
  assert.match(text, /larger than the 1048576 bytes/);
});

test("a component has 10000 instances at most", async () => {
  const many = (count: number) => check(GOOD.replace("instances: 3", `instances: ${count}`));
  assert.equal((await many(10_000)).topology?.wiring.components[1]?.instances, 10_000);
  assert.match((await many(10_001)).text, /"10001" is not a number of instances/);
});

test("an address of a remote connector has a port that there can be", async () => {
  const remote = (
    to: string,
  ) => `connectors: { out: { type: test/count, kind: remote, to: "${to}" } }
components: { numbers: { unit: numbers, output: out } }`;
  assert.equal((await check(remote("127.0.0.1:65535"))).text, "");
  assert.match((await check(remote("127.0.0.1:65536"))).text, /to: .* has a port beyond 65535/);
  assert.match((await check(remote("127.0.0.1"))).text, /to: .* is not host:port/);
});
