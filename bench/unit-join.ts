/**
 * Claim: a join of two inputs passes at least 0.5 M pairs a second from end to end, at little more than
 * the cost of two filters, since a pair is two items. Two sources, two connectors, the join, a
 * connector, a sink; the reference is a filter in the same run. The thesis needed 58 µs for an item of
 * its ComplexFilter, whose properties were set by reflection, and 32 for its SimpleFilter (its table 6.3).
 *
 * `node bench/unit-join.ts [items] [rounds]`
 */
import { filter, join } from "../src/topology/unit/index.ts";
import { Bench, Url } from "./support/unit-bench.ts";
import { printTable } from "./support/unit-table.ts";

const [ITEMS = 500_000, ROUNDS = 9] = process.argv.slice(2).map(Number);
const bench = new Bench(ITEMS);

const longer = join({
  name: "longer",
  inputs: { left: Url, right: Url },
  outputs: { output: Url },
  create:
    () =>
    ({ left, right }, emit) =>
      emit.output(left.length > right.length ? left : right),
});

const same = filter({
  name: "same",
  input: Url,
  output: Url,
  create: () => (url, emit) => emit(url),
});

function joined(): Promise<number> {
  return bench.run(["a", "b", "c"], {
    components: [
      { id: "left", definition: bench.source, outputs: { output: "a" } },
      { id: "right", definition: bench.source, outputs: { output: "b" } },
      {
        ...{ id: "join", definition: longer, outputs: { output: "c" } },
        inputs: { left: "a", right: "b" },
      },
      { id: "sink", definition: bench.sink, inputs: { input: "c" } },
    ],
  });
}

function filtered(): Promise<number> {
  return bench.run(["a", "b"], {
    components: [
      { id: "source", definition: bench.source, outputs: { output: "a" } },
      { id: "filter", definition: same, inputs: { input: "a" }, outputs: { output: "b" } },
      { id: "sink", definition: bench.sink, inputs: { input: "b" } },
    ],
  });
}

await printTable(
  [
    { name: "join of two inputs, a pair", run: joined, promised: 5e5, thesisUs: 58 },
    { name: "filter", run: filtered, promised: 1e6, thesisUs: 32 },
  ],
  ROUNDS,
);
