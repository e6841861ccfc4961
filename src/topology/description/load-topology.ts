/** From the text of a topology file to a wiring that fits, or one error with all of its mistakes. */
import { CrawlError } from "../../base/errors/index.ts";
import { MistakeList, renderMistakes } from "../../rules/settings/index.ts";
import type { Wiring } from "../runtime/index.ts";
import { checkTopology } from "./check-topology.ts";
import type { Library } from "./library.ts";
import { type ImportUnits, loadLibrary } from "./load-library.ts";
import { readTopology } from "./read-topology.ts";
import type { TopologyDescription } from "./topology-description.ts";

export interface LoadTopologyOptions {
  /** For messages, and as the place of every part. */
  readonly path: string;
  readonly library: Library;
  readonly importUnits: ImportUnits;
}

export interface LoadedTopology {
  readonly description: TopologyDescription;
  readonly wiring: Wiring;
}

export async function loadTopology(
  text: string,
  { path, library, importUnits }: LoadTopologyOptions,
): Promise<LoadedTopology> {
  const mistakes = new MistakeList();
  const description = readTopology(text, path, mistakes);
  if (description !== null) {
    const known = await loadLibrary(description, library, { importUnits, mistakes });
    const wiring = checkTopology(description, known, mistakes);
    if (wiring !== null) return { description, wiring };
  }
  const sorted = mistakes.sorted();
  const facts = { mistakes: sorted.length + mistakes.omitted };
  throw new CrawlError("TOPOLOGY_INVALID", renderMistakes(sorted, mistakes.omitted), facts);
}
