/** Damaged topology files: each is a wiring or a list of mistakes with places, and nothing else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isCrawlError } from "../../src/base/errors/index.ts";
import { key, value } from "../../src/rules/settings/index.ts";
import { libraryOf, loadTopology } from "../../src/topology/description/index.ts";
import { DRAWING_FORMATS, drawGraph, graphOf } from "../../src/topology/drawing/index.ts";
import { codec, itemType } from "../../src/topology/items/index.ts";
import { filter, provider, providerRole, sink, source } from "../../src/topology/unit/index.ts";
import { attemptAsync, type CorpusName, casesOf } from "./fuzzing.ts";

const Count = itemType("test/count", codec.count);
const Text = itemType("test/text", codec.text);
const Naming = providerRole<unknown>("naming");

const LIBRARY = libraryOf([
  source({ name: "numbers", output: Count, create: () => ({ pull: () => false }) }),
  filter({
    name: "named",
    input: Count,
    output: Text,
    providers: { naming: Naming },
    settings: {
      prefix: key(value.text({ form: "a text", examples: ["x"] }), { default: "", meaning: "P." }),
      width: key(value.count({ min: 1, max: 9 }), { default: 2, meaning: "W." }),
    },
    create: () => () => undefined,
  }),
  sink({ name: "printer", input: Text, create: () => () => undefined }),
  provider({ name: "names", provides: Naming, create: () => ({ service: null }) }),
  provider({
    name: "cached-names",
    provides: Naming,
    providers: { behind: Naming },
    create: () => ({ service: null }),
  }),
]);

/** No module is loaded: damaged paths must not reach the disk. */
const importUnits = async (): Promise<never> => {
  throw new Error("there are no modules");
};

interface Outcomes {
  readonly wirings: number;
  readonly refusals: number;
}

async function outcomesOf(name: CorpusName, path: string): Promise<Outcomes> {
  let [wirings, refusals] = [0, 0];
  for (const bytes of casesOf(name, { usual: 1000, full: 8000 })) {
    await attemptAsync(bytes, async () => {
      try {
        const loaded = await loadTopology(bytes, { path, library: LIBRARY, importUnits });
        wirings += 1;
        // Every tenth is drawn too: whatever the names are, a drawing has no control character.
        for (const format of wirings % 10 === 1 ? DRAWING_FORMATS : []) {
          assert.doesNotMatch(await drawGraph(graphOf(loaded), format), /[^\P{Cc}\n]/u);
        }
      } catch (thrown) {
        if (!isCrawlError(thrown) || thrown.code !== "TOPOLOGY_INVALID") throw thrown;
        refusals += 1;
        const [head = "", ...lines] = thrown.message.split("\n");
        assert.match(head, /^\d+ mistakes?:$/);
        for (const line of lines) {
          assert.match(line, /^ {2}(?:topology\.\w+(?::[1-9]\d*:[1-9]\d*)?: .|… and \d+ more)/);
          assert.doesNotMatch(line, /\p{Cc}/u);
          assert.ok(line.length < 2000, "a mistake is as long as a few lines");
        }
      }
    });
  }
  return { wirings, refusals };
}

test("a damaged topology in YAML is a wiring, or mistakes with their places", async () => {
  const { wirings, refusals } = await outcomesOf("topology-yaml", "topology.yaml");
  assert.ok(wirings > 0 && refusals > 100, `${wirings} wirings, ${refusals} refusals`);
});

test("a damaged topology in XML is a wiring, or mistakes with their places", async () => {
  const { wirings, refusals } = await outcomesOf("topology-xml", "topology.xml");
  assert.ok(wirings > 0 && refusals > 100, `${wirings} wirings, ${refusals} refusals`);
});
