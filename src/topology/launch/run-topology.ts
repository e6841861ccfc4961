/**
 * A topology file that runs in this process, on the threads that it names, until its components have
 * finished, one of them has failed, or somebody closes it. However it ends, everything is closed before
 * the end is told.
 */
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { CrawlError } from "../../base/errors/index.ts";
import { FolderLock, makeFolder } from "../../base/folder/index.ts";
import type { Clock } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import { SystemClock } from "../../base/time/index.ts";
import { importFrom } from "../../rules/filter/index.ts";
import {
  type ConnectorKind,
  libraryOf,
  loadTopology,
  type UnitDefinition,
} from "../description/index.ts";
import type { Ending } from "../runtime/index.ts";
import { NodeThreads, PlacedSystem, type PlacedUnitStatus } from "../threads/index.ts";
import { RemotePost, type Unlock } from "./remote-post.ts";
import { stalled, whenStalled } from "./stall.ts";

const LOCK_FILE = "connectors.lock";
/** How long other processes are told of an early end before they hear of it by the next run. */
const FAREWELL_MS = 2000;

export interface TopologyOptions {
  /**
   * Units that the file may name beside those of the modules under its `use`. They cannot be placed on
   * another thread, which loads modules by itself.
   */
  readonly units?: readonly UnitDefinition[];
  /**
   * Where remote connectors keep what has not arrived or was not taken; beside the file unless given.
   * Only one process may use it at a time: others are refused it with `DIRECTORY_IN_USE`.
   */
  readonly directory?: string;
  /** Told of every item on which a unit failed; a warning of the process unless given. */
  readonly report?: (error: CrawlError) => void;
}

/** What can be looked at and changed while it runs. */
export type RunningSystem = Omit<PlacedSystem<unknown>, "open" | "start" | "close" | "giveUp">;

export interface RunningTopology {
  readonly system: RunningSystem;
  /**
   * The last state of all units, once every component has finished or `close` was called; rejected if a
   * unit whose policy is to stop has failed, or with `TOPOLOGY_STALLED` if nothing is left in this
   * process that could happen, though components have not finished.
   */
  readonly ended: Promise<readonly PlacedUnitStatus[]>;
  /**
   * Ends it early; items that are still inside are dropped. Consumers in other processes hear that
   * nothing more will come, or with `paused` wait for the next run of this topology.
   */
  close(ending?: Ending): Promise<void>;
}

/** Throws `TOPOLOGY_INVALID` with all mistakes of the file, or what the `create` of a unit threw. */
export async function startTopology(
  path: string,
  options: TopologyOptions = {},
): Promise<RunningTopology> {
  const { units = [], report = (error) => process.emitWarning(error) } = options;
  const { promise: over, resolve: end } = Promise.withResolvers<CrawlError | null>();
  const clock = new SystemClock();
  const kept = resolve(options.directory ?? `${path}.connectors`);
  const storage = new DiskStorage(kept);
  const post = new RemotePost({ clock, storage, report, failed: end, lock: () => locked(kept) });
  const content = await contentOf(path);
  const directory = dirname(resolve(path));
  const { wiring } = await loadTopology(content, {
    path,
    library: libraryOf(units, [post.kind as unknown as ConnectorKind]),
    importUnits: importFrom(directory, clock),
  });
  const text = new TextDecoder().decode(content);
  // What was sent to other processes has to arrive there first.
  const finished = (): void => void post.drain().then(() => end(null));
  const system: PlacedSystem<unknown> = new PlacedSystem(
    { clock, report, failed: end, finished },
    new NodeThreads({ text, path, directory, library: null }),
  );
  try {
    await system.open(wiring);
  } catch (thrown) {
    await post.close();
    throw thrown;
  }
  const endWatch = whenStalled(() => {
    void system.units().then((units) => system.giveUp(stalled(units)));
  });
  let ending: Ending = "over";
  const ended = over.then(async (failure) => {
    endWatch();
    const last = await system.units();
    await system.close(ending);
    if (failure === null) await withinMs(post.drain(), clock, FAREWELL_MS);
    await post.close();
    if (failure !== null) throw failure;
    return last;
  });
  await system.start();
  const close = async (how: Ending = "over"): Promise<void> => {
    ending = how;
    end(null);
    await ended;
  };
  return { system, ended, close };
}

/** Runs a topology to its end, and gives the last state of its units, with their metrics. */
export async function runTopology(
  path: string,
  options: TopologyOptions = {},
): Promise<readonly PlacedUnitStatus[]> {
  const { ended } = await startTopology(path, options);
  return await ended;
}

/** Waits, but not for ever. */
async function withinMs(done: Promise<void>, clock: Clock, limitMs: number): Promise<void> {
  const { promise: late, resolve: giveUp } = Promise.withResolvers<void>();
  const timer = clock.after(limitMs, giveUp);
  await Promise.race([done, late]);
  timer.cancel();
}

/** Refused before anything of the connectors is read: two writers would ruin their logs. */
function locked(path: string): Unlock {
  makeFolder(path);
  const wayOut = "give this topology another `directory`";
  const meaning = "folder of remote connectors";
  const lock = FolderLock.take({ path, lockFile: LOCK_FILE, meaning, wayOut });
  return () => lock.release();
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
