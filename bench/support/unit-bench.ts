/** A source and a sink of URLs, and a run of units between them. */
import { SystemClock } from "../../src/base/time/index.ts";
import { LocalConnector } from "../../src/topology/connector/index.ts";
import { type ItemType, itemType } from "../../src/topology/items/index.ts";
import { System, type Wiring } from "../../src/topology/runtime/index.ts";
import { type ComponentDefinition, sink, source } from "../../src/topology/unit/index.ts";
import { benchPages } from "./urls.ts";

export const Url: ItemType<string> = itemType("bench/url");

const URLS = benchPages(1024, 1).map(({ href }) => href);
const CAPACITY = 1024;

export class Bench {
  readonly #items: number;
  #taken = 0;

  constructor(items: number) {
    this.#items = items;
  }

  url(at: number): string {
    return URLS[at & 1023] as string;
  }

  readonly source: ComponentDefinition = source({
    name: "urls",
    output: Url,
    create: (unit) => {
      let next = 0;
      return {
        pull: (countMax, emit) => {
          const end = Math.min(this.#items, next + countMax);
          for (; next < end; next += 1) emit(this.url(next));
          if (next === this.#items) unit.finish();
          return next < this.#items;
        },
      };
    },
  });

  readonly sink: ComponentDefinition = sink({
    name: "end",
    input: Url,
    create: () => () => {
      this.#taken += 1;
    },
  });

  /** Runs to the end, and says how many items came out. */
  async run(
    connectors: readonly string[],
    wiring: Pick<Wiring, "components"> & Partial<Pick<Wiring, "providers">>,
  ): Promise<number> {
    this.#taken = 0;
    const open = () => new LocalConnector<unknown>(Url, { capacity: CAPACITY });
    await new Promise<void>((finished, failed) => {
      const system = new System({ clock: new SystemClock(), report: failed, failed, finished });
      const all = { providers: [], ...wiring, connectors: connectors.map((id) => ({ id, open })) };
      system.open(all).then(() => system.start(), failed);
    });
    return this.#taken;
  }
}
