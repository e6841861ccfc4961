/**
 * Claim: a unit asks a provider through its role more than 5 M times a second, although the topology may
 * put another provider there at any time. The reference is a call of the object itself, which the
 * compiler inlines. The thesis needed 6 µs for a call (its table 6.3).
 *
 * `node bench/provider-call.ts [calls] [rounds]`
 */
import { provider, providerRole, sink } from "../src/topology/unit/index.ts";
import { Bench, Url } from "./support/unit-bench.ts";
import { printTable } from "./support/unit-table.ts";

const [CALLS = 5_000_000, ROUNDS = 9] = process.argv.slice(2).map(Number);

class Addresses {
  readonly #known = ["127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"];

  addressOf(host: number): string {
    return this.#known[host & 3] as string;
  }
}

const Resolving = providerRole<Addresses>("resolving");
const table = provider({
  name: "table",
  provides: Resolving,
  create: () => ({ service: new Addresses() }),
});

let asked = 0;
const asking = sink({
  name: "asking",
  input: Url,
  providers: { resolver: Resolving },
  create: (unit) => () => {
    let length = 0;
    for (let host = 0; host < CALLS; host += 1) {
      length += unit.providers.resolver.addressOf(host).length;
    }
    asked = length;
  },
});

async function throughRole(): Promise<number> {
  const bench = new Bench(1);
  asked = 0;
  await bench.run(["a"], {
    providers: [{ id: "table", definition: table }],
    components: [
      { id: "source", definition: bench.source, outputs: { output: "a" } },
      {
        ...{ id: "asking", definition: asking, inputs: { input: "a" } },
        providers: { resolver: "table" },
      },
    ],
  });
  return asked > 0 ? CALLS : Number.NaN;
}

function directly(): number {
  const addresses = new Addresses();
  let length = 0;
  for (let host = 0; host < CALLS; host += 1) length += addresses.addressOf(host).length;
  return length > 0 ? CALLS : Number.NaN;
}

await printTable(
  [
    { name: "provider by its role", run: throughRole, promised: 5e6, thesisUs: 6 },
    { name: "direct call", run: directly },
  ],
  ROUNDS,
);
