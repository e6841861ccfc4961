/** A small library for tests of topology files, and the outcome of a check against it. */
import assert from "node:assert/strict";
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

export interface Checked {
  readonly topology: LoadedTopology | null;
  /** What is said of the mistakes; "" if there are none. */
  readonly text: string;
}

export async function check(text: string | Uint8Array, path = "topology.yaml"): Promise<Checked> {
  const importUnits = async (name: string) => await import(name);
  try {
    return {
      topology: await loadTopology(text, { path, library: LIBRARY, importUnits }),
      text: "",
    };
  } catch (thrown) {
    assert.ok(isCrawlError(thrown) && thrown.code === "TOPOLOGY_INVALID", String(thrown));
    return { topology: null, text: thrown.message };
  }
}
