import assert from "node:assert/strict";
import { test } from "node:test";
import { isCrawlError } from "../../base/errors/index.ts";
import { codec, itemType } from "../items/index.ts";
import { provider, providerRole, sink, source } from "../unit/index.ts";
import { libraryOf, loadTopology } from "./index.ts";

const Count = itemType("test/count", codec.count);
const Bound = itemType<object>("test/bound");
const Naming = providerRole<string>("naming");

const LIBRARY = libraryOf(
  [
    source({ name: "numbers", output: Count, create: () => ({ pull: () => false }) }),
    sink({
      name: "printer",
      input: Count,
      providers: { naming: Naming },
      create: () => () => undefined,
    }),
    source({ name: "objects", output: Bound, create: () => ({ pull: () => false }) }),
    sink({ name: "eater", input: Bound, create: () => () => undefined }),
    provider({ name: "names", provides: Naming, create: () => ({ service: "" }) }),
    provider({
      name: "cache",
      provides: Naming,
      providers: { behind: Naming },
      create: () => ({ service: "" }),
    }),
  ],
  [
    {
      ...{ name: "far", settings: {}, needsCodec: true, isOneEnded: true },
      open() {
        throw new Error("it is only checked");
      },
    },
  ],
);

const GOOD = `
providers:
  names: { unit: names }
  cache: { unit: cache, shared: false, providers: { behind: names } }
connectors:
  numbers: { type: test/count, capacity: 10, kind: local }
  objects: { type: test/bound }
components:
  numbers-of-day: { unit: numbers, output: numbers, thread: one }
  printer: { unit: printer, input: numbers, thread: two, providers: { naming: cache } }
  second: { unit: printer, input: numbers, providers: { naming: cache } }
  objects-of-day: { unit: objects, output: objects, thread: one }
  eater: { unit: eater, input: objects, thread: one }
`;

const importUnits = async (): Promise<never> => {
  throw new Error("nothing is imported");
};

test("components are put on their threads, and connectors can join them", async () => {
  const { wiring } = await loadTopology(GOOD, {
    ...{ path: "topology.yaml", library: LIBRARY, importUnits },
  });
  assert.deepEqual(
    wiring.components.map(({ thread }) => thread),
    ["one", "two", undefined, "one", "one"],
  );
  const across = wiring.connectors[0]?.across;
  assert.equal(across?.capacity, 10);
  assert.equal(across?.open(4).capacity, 4);
});

const MISTAKES: readonly (readonly [readonly [string, string], RegExp])[] = [
  [["thread: two", "thread: two words"], /"two words" is not a name of a thread/],
  [["capacity: 10, kind: local", "kind: far"], /numbers .*is a far connector.*one, two, that of/],
  [
    ["{ type: test/bound }", "{ type: test/bound, kind: far }"],
    /objects cannot carry test\/bound: items of this type do not leave their thread/,
  ],
  [
    ["input: objects, thread: one", "input: objects"],
    /objects .*test\/bound, of which items do not leave/,
  ],
  [["{ unit: names }", "{ unit: names, shared: true }"], /printer .*thread two uses .*names/],
  [["shared: false", "shared: true"], /printer .*thread two uses the provider cache/],
  [
    ["shared: false", "shared: true"],
    /topology\.yaml:4:60: cache is shared and uses the provider names, which is not.*mark names/,
  ],
  [
    ["output: numbers, thread: one", "output: numbers, shared: true"],
    /shared .*is not a key of the component numbers-of-day/,
  ],
  [["shared: false", "shared: perhaps"], /"perhaps" does not say whether cache is shared/],
];

for (const [[before, after], said] of MISTAKES) {
  test(`it is told that ${JSON.stringify(after)} is wrong, and where`, async () => {
    assert.ok(GOOD.includes(before), "the mistake is planted");
    const options = { path: "topology.yaml", library: LIBRARY, importUnits };
    await assert.rejects(loadTopology(GOOD.replace(before, after), options), (thrown) => {
      assert.ok(isCrawlError(thrown));
      assert.match(thrown.message, said);
      assert.match(thrown.message, /topology\.yaml:\d+:\d+: /);
      return true;
    });
  });
}
