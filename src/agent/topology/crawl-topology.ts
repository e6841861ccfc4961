/**
 * The topology of a crawl: the default one, which is part of the package (`crawl.yaml`), or the user's.
 * It is read and checked before anything of the crawl is opened; what its providers are opened with is
 * lent to it afterwards.
 */
import assert from "node:assert/strict";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CrawlError } from "../../base/errors/index.ts";
import { quoted } from "../../base/text/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { type ImportModule, importFrom } from "../../rules/filter/index.ts";
import { type Library, loadTopology, type OpenRemote } from "../../topology/description/index.ts";
import type { Wiring } from "../../topology/runtime/index.ts";
import { NodeThreads } from "../../topology/threads/index.ts";
import type { ProviderDefinition } from "../../topology/unit/index.ts";
import type { Fetching } from "../crawl/network/fetching.ts";
import { isPageStore, storesText } from "../units/page-store.ts";
import { wantsText } from "../units/processor.ts";
import { fetchingOf } from "./check-fetching.ts";
import { type CrawlOpenings, crawlLibrary } from "./crawl-library.ts";
import { readTopologyFile } from "./topology-file.ts";

/** Compiled, it lies beside this file with another ending. */
const LIBRARY_MODULE = new URL(
  import.meta.url.endsWith(".ts") ? "./crawl-library.ts" : "./crawl-library.js",
  import.meta.url,
).href;

const DEFAULT_PATH = fileURLToPath(new URL("./crawl.yaml", import.meta.url));

/** The file of crawls that name no other, and the units that any such file may name without a module. */
export const CRAWL_TOPOLOGY: { readonly path: string; readonly library: () => Library } = {
  ...{ path: DEFAULT_PATH, library: () => crawlLibrary() },
};

export interface CrawlTopology {
  readonly wiring: Wiring;
  /** What its file may name without a module. */
  readonly library: Library;
  /** For components that are placed on threads of their own. */
  readonly threads: NodeThreads;
  /** Whether a unit looks at the text of pages. */
  readonly wantsText: boolean;
  /** Whether units store pages besides the archive. */
  readonly hasStores: boolean;
  /** Gives modules that its file names, from where the file is. */
  readonly importModule: ImportModule;
  readonly fetching: Fetching;
  /** Called once, before the wiring is opened; `openRemote` opens connectors to other processes. */
  readonly lend: (openings: CrawlOpenings, openRemote: OpenRemote | null) => void;
}

/**
 * Refuses a file with mistakes, and names all of them. Null stands for the default topology. What the
 * file does not set has the configuration's value. `ownStore` takes the place of the provider `warcs`.
 */
export async function loadCrawlTopology(
  path: string | null,
  configuration?: Configuration,
  ownStore: ProviderDefinition | null = null,
): Promise<CrawlTopology> {
  let lent: CrawlOpenings | null = null;
  let remotes: OpenRemote | null = null;
  const library = crawlLibrary(
    () => {
      assert(lent !== null, "openings are lent before the topology is opened");
      return lent;
    },
    (...connector) => {
      assert(remotes !== null, "this crawl has a way to other processes");
      return remotes(...connector);
    },
    configuration,
    ownStore,
  );
  const file = path ?? DEFAULT_PATH;
  const directory = dirname(resolve(file));
  const importUnits = importFrom(directory);
  const text = readTopologyFile(file);
  const loaded = await loadTopology(text, { path: file, library, importUnits });
  const { wiring } = loaded;
  refuseUnlessFronted(wiring, file);
  const again = { module: LIBRARY_MODULE, name: "crawlLibrary", input: null };
  return {
    ...{ wiring, library },
    threads: new NodeThreads({ text, path: file, directory, library: again }),
    wantsText: wiring.components.some(
      ({ definition, settings }) => wantsText(definition) || storesText(definition, settings),
    ),
    hasStores: wiring.components.some(({ definition }) => isPageStore(definition)),
    fetching: fetchingOf(loaded, file),
    importModule: importUnits,
    lend: (openings, openRemote) => {
      lent = openings;
      remotes = openRemote;
    },
  };
}

/** Without a front nothing would ever be fetched; a second one would take the same pages. */
function refuseUnlessFronted({ components }: Wiring, file: string): void {
  const fronts = components.filter(({ definition }) => "steering" in definition.providers);
  const count = fronts.reduce((sum, { instances = 1 }) => sum + instances, 0);
  if (count === 1) return;
  throw new CrawlError(
    "TOPOLOGY_INVALID",
    `${quoted(file)} has ${count} units that take pages from the frontier. A crawl has one, such as ` +
      "front: { unit: front, output: visits, providers: { steering: steering } }.",
    { mistakes: 1 },
  );
}
