/**
 * A topology file that runs in this process until its components have finished, one of them has failed,
 * or somebody closes it. However it ends, everything is closed before the end is told.
 */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { CrawlError } from "../../base/errors/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { importFrom } from "../../rules/filter/index.ts";
import { libraryOf, loadTopology, type UnitDefinition } from "../description/index.ts";
import { System, type UnitStatus } from "../runtime/index.ts";

export interface TopologyOptions {
  /** Units that the file may name beside those of the modules under its `use`. */
  readonly units?: readonly UnitDefinition[];
  /** Told of every item on which a unit failed; a warning of the process unless given. */
  readonly report?: (error: CrawlError) => void;
}

export interface RunningTopology {
  /** To look at it and to change it while it runs. */
  readonly system: System;
  /**
   * The last state of all units, once every component has finished or `close` was called; rejected if a
   * unit whose policy is to stop has failed.
   */
  readonly ended: Promise<readonly UnitStatus[]>;
  /** Ends it early; items that are still inside are dropped. */
  close(): Promise<void>;
}

/** Throws `TOPOLOGY_INVALID` with all mistakes of the file, or what the `create` of a unit threw. */
export async function startTopology(
  path: string,
  options: TopologyOptions = {},
): Promise<RunningTopology> {
  const { units = [], report = (error) => process.emitWarning(error) } = options;
  const { wiring } = await loadTopology(await contentOf(path), {
    path,
    library: libraryOf(units),
    importUnits: importFrom(dirname(resolve(path))),
  });
  const { promise: over, resolve: end } = Promise.withResolvers<CrawlError | null>();
  const system = new System({
    ...{ clock: new SystemClock(), report },
    ...{ failed: end, finished: () => end(null) },
  });
  await system.open(wiring);
  const ended = over.then(async (failure) => {
    const last = system.units();
    await system.close();
    if (failure !== null) throw failure;
    return last;
  });
  system.start();
  const close = async (): Promise<void> => {
    end(null);
    await ended;
  };
  return { system, ended, close };
}

/** Runs a topology to its end, and gives the last state of its units, with their metrics. */
export async function runTopology(
  path: string,
  options: TopologyOptions = {},
): Promise<readonly UnitStatus[]> {
  const { ended } = await startTopology(path, options);
  return await ended;
}

async function contentOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `The topology ${path} cannot be read: ${why}. Give the path of a file.`;
    throw new CrawlError("USAGE_BAD_ARGUMENT", message, { path }, cause);
  }
}
