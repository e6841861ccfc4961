import assert from "node:assert/strict";
import { test } from "node:test";
import { counter } from "../../base/telemetry/index.ts";
import { key, value } from "../../rules/settings/index.ts";
import { codec, itemType } from "../items/index.ts";
import { filter, join, providerRole, source } from "../unit/index.ts";
import { tryUnit } from "./index.ts";

const Count = itemType("test/count", codec.count);
const Text = itemType("test/text", codec.text);
const Naming = providerRole<(item: number) => string>("naming");

const named = filter({
  name: "named",
  input: Count,
  output: Text,
  providers: { naming: Naming },
  settings: { least: key(value.count({ min: 0 }), { default: 0, meaning: "Least number." }) },
  metrics: { small: counter("numbers below the least") },
  create: (unit) => (item, emit) => {
    if (item === 13) throw new Error("no thirteen");
    if (item < unit.settings.least) unit.metrics.small.add();
    else emit(unit.providers.naming(item));
  },
});

test("a filter is tried with items, settings and services of the test", async () => {
  const items = Array.from({ length: 200 }, (_, at) => at);
  const { outputs, errors, metrics } = await tryUnit(named, {
    inputs: { input: items },
    settings: { least: 3 },
    providers: { naming: (item: number) => `no. ${item}` },
  });
  const expected = items.filter((item) => item >= 3 && item !== 13).map((item) => `no. ${item}`);
  assert.deepEqual(outputs, { output: expected });
  assert.deepEqual([metrics["small"], metrics["taken"], metrics["failed"]], [3, 200, 1]);
  assert.match(errors.map(({ message }) => message).join(), /on the item 13.*no thirteen/);
});

test("what was tried is closed, the unit and all that was made for it", async () => {
  const journal: string[] = [];
  const closing = filter({
    ...{ name: "closing", input: Count, output: Count },
    create: () => ({
      take: (item: number, emit: (item: number) => void) => emit(item),
      close: () => void journal.push("closed"),
    }),
  });
  const { outputs } = await tryUnit(closing, { inputs: { input: [1] } });
  assert.deepEqual([outputs, journal], [{ output: [1] }, ["closed"]]);
});

test("a join is tried with all of its inputs, a source with none", async () => {
  const sum = join({
    name: "sum",
    inputs: { left: Count, right: Count },
    outputs: { sums: Count },
    create:
      () =>
      ({ left, right }, emit) =>
        emit.sums(left + right),
  });
  const joined = await tryUnit(sum, { inputs: { left: [1, 2, 3], right: [10, 20] } });
  assert.deepEqual(joined.outputs, { sums: [11, 22] });
  const one = source({
    name: "one",
    output: Count,
    create: (unit) => ({
      pull(_countMax, emit) {
        emit(1);
        unit.finish();
        return false;
      },
    }),
  });
  assert.deepEqual((await tryUnit(one)).outputs, { output: [1] });
});
