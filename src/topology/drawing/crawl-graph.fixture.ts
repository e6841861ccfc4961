/** A small crawler as a topology, and one with hostile names, for the tests of drawings. */
import { libraryOf, loadTopology } from "../description/index.ts";
import { codec, itemType } from "../items/index.ts";
import { filter, merge, provider, providerRole, sink, source } from "../unit/index.ts";
import { graphOf, type TopologyGraph } from "./topology-graph.ts";

const Url = itemType("url", codec.text);
const Page = itemType("page", codec.text);
const Resolver = providerRole<unknown>("resolver");

const LIBRARY = libraryOf(
  [
    source({ name: "seeds", output: Url, create: () => ({ pull: () => false }) }),
    merge({
      name: "seen",
      inputs: { seeds: Url, found: Url },
      outputs: { fresh: Url },
      create: () => ({ take: { seeds: () => undefined, found: () => undefined } }),
    }),
    filter({
      name: "downloader",
      input: Url,
      output: Page,
      providers: { addressResolver: Resolver },
      create: () => () => undefined,
    }),
    filter({ name: "html-parser", input: Page, output: Url, create: () => () => undefined }),
    sink({ name: "archive", input: Page, create: () => () => undefined }),
    provider({ name: "dns", provides: Resolver, create: () => ({ service: null }) }),
    provider({
      name: "cached",
      provides: Resolver,
      providers: { behind: Resolver },
      create: () => ({ service: null }),
    }),
  ],
  [
    {
      name: "far",
      settings: {},
      needsCodec: true,
      open: () => {
        throw new Error("a drawing opens nothing");
      },
    },
  ],
);

export const CRAWL_TOPOLOGY = `
providers:
  dns: { unit: dns }
  cache: { unit: cached, providers: { behind: dns } }
connectors:
  seeds: { type: url, capacity: 100 }
  found: { type: url, kind: far }
  urls: { type: url }
  pages: { type: page, kind: tee, capacity: 50 }
components:
  seed-file: { unit: seeds, output: seeds }
  seen: { unit: seen, inputs: { seeds: seeds, found: found }, outputs: { fresh: urls } }
  download:
    unit: downloader
    instances: 5
    onFailure: restart
    input: urls
    output: pages
    providers: { addressResolver: cache }
  parse: { unit: html-parser, input: pages, output: found }
  store: { unit: archive, input: pages }
`;

export async function graphFrom(text: string): Promise<TopologyGraph> {
  const importUnits = async (): Promise<never> => {
    throw new Error("there are no modules");
  };
  return graphOf(await loadTopology(text, { path: "t.yaml", library: LIBRARY, importUnits }));
}

/** Names that would be markup, syntax or escape sequences if they were not text. */
export const HOSTILE_NAMES: readonly string[] = [
  ...["</text><script>alert(1)</script>", '"];evil[label="', "a\\", "\\N{x|y}<p>", "#quot;|x|"],
  ...["\u001b[2J\u0007", "two\nlines", "\u202egnp.exe", "\u009b31m", "&amp;&#60;", "]]>", "--> x"],
  ...["__proto__", "x".repeat(5000), "\ud83d\ude00 é\ufffe", "%%{init: {}}%%", "end", "'; `$(id)`"],
];

/** Each of the names as the id of a source, with a connector and a sink. */
export async function hostileGraph(): Promise<TopologyGraph> {
  const { nodes, edges } = await graphFrom(CRAWL_TOPOLOGY);
  const named = (id: string, at: number) => `${HOSTILE_NAMES[at % HOSTILE_NAMES.length]}${id}`;
  const ids = new Map(nodes.map(({ id }, at) => [id, named(id, at)]));
  const rounds = Array.from({ length: 2 }, (_, round) => {
    return nodes.map((node, at) => {
      const name = HOSTILE_NAMES[(at + round * nodes.length) % HOSTILE_NAMES.length] ?? "";
      const settings = [[name, name]] as const;
      const id = round === 0 ? (ids.get(node.id) ?? "") : named(`${node.id}2`, at + nodes.length);
      return { ...node, id, kind: name, of: name, thread: name, settings };
    });
  });
  const moved = edges.map((edge, at) => ({
    ...{ kind: edge.kind, role: HOSTILE_NAMES[at % HOSTILE_NAMES.length] ?? "" },
    ...{ from: ids.get(edge.from) ?? "", to: ids.get(edge.to) ?? "" },
  }));
  return { nodes: rounds.flat(), edges: moved };
}
