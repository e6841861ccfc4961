/** From the text of a topology file to a wiring that fits, or to all of its mistakes. */
import { CrawlError } from "../../base/errors/index.ts";
import { MistakeList, renderMistakes } from "../../rules/settings/index.ts";
import type { Wiring } from "../runtime/index.ts";
import { checkTopology } from "./check-topology.ts";
import type { Fragment } from "./fragment.ts";
import type { Library } from "./library.ts";
import { type ImportUnits, loadLibrary } from "./load-library.ts";
import { readTopology } from "./read-topology.ts";
import { readXmlTopology } from "./read-xml-topology.ts";
import type { TopologyDescription } from "./topology-description.ts";
import { withOurNames } from "./type-names.ts";

export interface LoadTopologyOptions {
  /** For messages, and as the place of every part. */
  readonly path: string;
  readonly library: Library;
  readonly importUnits: ImportUnits;
  /** If the file is for a system that runs. */
  readonly fragment?: Fragment;
}

export interface LoadedTopology {
  readonly description: TopologyDescription;
  readonly wiring: Wiring;
  /** With everything that the file names. */
  readonly library: Library;
}

/** A larger file is refused: a topology of a thousand units has a tenth of it. */
export const TOPOLOGY_BYTES_MAX: number = 1024 * 1024;

/** Throws `TOPOLOGY_INVALID`, whose message lists every mistake with its place. */
export async function loadTopology(
  file: string | Uint8Array,
  options: LoadTopologyOptions,
): Promise<LoadedTopology> {
  const { topology, mistakes } = await tryLoadTopology(file, options);
  if (topology !== null) return topology;
  throw topologyError(mistakes);
}

/** For callers that show mistakes as data. Null when there are any. */
export async function tryLoadTopology(
  file: string | Uint8Array,
  { path, library, importUnits, fragment }: LoadTopologyOptions,
): Promise<{ readonly topology: LoadedTopology | null; readonly mistakes: MistakeList }> {
  const mistakes = new MistakeList();
  const text = textOf(file, path, mistakes);
  if (text === null) return { topology: null, mistakes };
  const isXml = path.endsWith(".xml") || /^\s*<[?!A-Za-z]/.test(text);
  const written = (isXml ? readXmlTopology : readTopology)(text, path, mistakes);
  if (written !== null) {
    const { library: known, types } = await loadLibrary(written, library, {
      ...{ importUnits, mistakes },
    });
    const description = isXml ? withOurNames(written, known, types) : written;
    const wiring = checkTopology(description, known, mistakes, fragment);
    if (wiring !== null) return { topology: { description, wiring, library: known }, mistakes };
  }
  return { topology: null, mistakes };
}

export function topologyError(mistakes: MistakeList): CrawlError {
  const sorted = mistakes.sorted();
  const facts = { mistakes: sorted.length + mistakes.omitted };
  return new CrawlError("TOPOLOGY_INVALID", renderMistakes(sorted, mistakes.omitted), facts);
}

function textOf(file: string | Uint8Array, path: string, mistakes: MistakeList): string | null {
  const refuse = (problem: string): null => {
    const location = { kind: "file", path, line: null, column: null } as const;
    mistakes.add(() => ({ code: "TOPOLOGY_SYNTAX", location, problem }));
    return null;
  };
  if (file.length > TOPOLOGY_BYTES_MAX) {
    return refuse(`the file is larger than the ${TOPOLOGY_BYTES_MAX} bytes that are read`);
  }
  if (typeof file === "string") return file;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file);
  } catch {
    return refuse("the file is not UTF-8 text");
  }
}
