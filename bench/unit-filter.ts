/**
 * Claim: a filter passes at least 1 M items a second from end to end: source, connector, filter,
 * connector, sink, driven by the runtime with its metrics, back-pressure and barrier. The references do
 * the same three functions as async generators, with a promise for each item, and as direct calls
 * without anything between. The thesis needed 32 µs for an item (its table 6.3).
 *
 * `node bench/unit-filter.ts [items] [rounds]`
 */
import { filter } from "../src/topology/unit/index.ts";
import { Bench, Url } from "./support/unit-bench.ts";
import { printTable } from "./support/unit-table.ts";

const [ITEMS = 500_000, ROUNDS = 9] = process.argv.slice(2).map(Number);
const bench = new Bench(ITEMS);

const lower = filter({
  name: "lower",
  input: Url,
  output: Url,
  create: () => (url, emit) => emit(url.slice(1)),
});

function asUnits(): Promise<number> {
  return bench.run(["a", "b"], {
    components: [
      { id: "source", definition: bench.source, outputs: { output: "a" } },
      { id: "filter", definition: lower, inputs: { input: "a" }, outputs: { output: "b" } },
      { id: "sink", definition: bench.sink, inputs: { input: "b" } },
    ],
  });
}

async function asGenerators(): Promise<number> {
  async function* source() {
    for (let at = 0; at < ITEMS; at += 1) yield bench.url(at);
  }
  async function* filtered() {
    for await (const url of source()) yield url.slice(1);
  }
  let length = 0;
  for await (const url of filtered()) length += url.length;
  return length > 0 ? ITEMS : Number.NaN;
}

function asCalls(): number {
  let length = 0;
  for (let at = 0; at < ITEMS; at += 1) length += bench.url(at).slice(1).length;
  return length > 0 ? ITEMS : Number.NaN;
}

await printTable(
  [
    { name: "filter between connectors", run: asUnits, promised: 1e6, thesisUs: 32 },
    { name: "direct calls", run: asCalls },
    { name: "async generators", run: asGenerators },
  ],
  ROUNDS,
);
