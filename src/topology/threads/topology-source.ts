/**
 * Where a topology comes from, in plain values that can be given to another thread. Functions cannot be
 * sent to a thread; so each thread reads the topology again, loads the modules that it names, and picks
 * its own part. Units that come with the program are named by a module that brings them.
 */
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { importFrom } from "../../rules/filter/index.ts";
import {
  type Library,
  type LoadedTopology,
  libraryOf,
  loadTopology,
} from "../description/index.ts";

export interface TopologySource {
  readonly text: string;
  /** For messages. */
  readonly path: string;
  /** The directory from which modules are imported, as an absolute path. */
  readonly directory: string;
  /** Brings the units that need not be imported; null if there are none. */
  readonly library: LibrarySource | null;
}

/** An export that makes a library: `(input) => Library`, or a promise of it. */
export interface LibrarySource {
  /** The URL of its module. */
  readonly module: string;
  readonly name: string;
  /** A plain value. */
  readonly input: unknown;
}

/**
 * As another thread loads it. Mistakes that were none where it was checked first are due to units that
 * are not there.
 */
export async function loadSourceAgain(
  source: TopologySource,
  thread: string,
): Promise<LoadedTopology> {
  try {
    return await loadSource(source);
  } catch (thrown) {
    if (!isCrawlError(thrown) || thrown.code !== "TOPOLOGY_INVALID") throw thrown;
    const message =
      `The thread ${thread} cannot load the topology, which it does by itself. If units or kinds of ` +
      "connectors were given by code, let a module under `use` export them instead. " +
      thrown.message;
    throw new CrawlError("TOPOLOGY_INVALID", message, { ...thrown.facts, thread }, thrown);
  }
}

export async function loadSource(source: TopologySource): Promise<LoadedTopology> {
  const { text, path, directory, library } = source;
  return await loadTopology(text, {
    path,
    library: library === null ? libraryOf([]) : await loadLibraryOf(library),
    importUnits: importFrom(directory),
  });
}

async function loadLibraryOf({ module, name, input }: LibrarySource): Promise<Library> {
  const exported: Readonly<Record<string, unknown>> = await import(module);
  const make = exported[name] as (input: unknown) => Library | Promise<Library>;
  return await make(input);
}
