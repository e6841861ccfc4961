/**
 * Makes everything that derives from archive and crawl log again: page index, checkpoint, sieve, queues,
 * links, texts, tables of duplicates. It is the replay of a crawl that was killed (docs/adr/0057), of all
 * lines instead of the last ones, and without fetching afterwards; before it, archive and log are
 * brought in order (`salvage`).
 *
 * Nothing that was there is removed before the new state is recorded: old files are moved to
 * `rebuild/old`, and removed at the end. Archive files and logs that were not whole stay, in `damaged`; so do
 * the files of a store of lines, since the replay and the fetches that follow write all lines once more.
 */

import { CrawlError } from "../../base/errors/index.ts";
import { freshSeed, SeededRandom } from "../../base/random/index.ts";
import { answered, type Clock, type FileName } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import { SECOND_MS } from "../../base/units/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { CrawlDirectory } from "../../store/directory/index.ts";
import { finalOf, isOfSeries } from "../../store/pages/index.ts";
import { CrawlKeys, type Salvaged, salvage } from "../../store/query/index.ts";
import { readOrders } from "../control/orders.ts";
import type { CrawlSummary } from "../crawl/counting/crawl-summary.ts";
import { openCrawl } from "../crawl/open-crawl.ts";
import { filePrefix } from "../providers/open-store.ts";
import {
  REBUILD_FOLDER,
  type RebuildState,
  readRebuildState,
  removeRebuildState,
  writeRebuildState,
} from "./rebuild-state.ts";

export interface RebuildOptions {
  /** Absolute, of a crawl that rests. */
  readonly path: string;
  readonly version: string;
  readonly clock: Clock;
  /** Absolute, of a folder that exists and is removed by the caller. */
  readonly scratch: string;
  readonly report: (error: CrawlError) => void;
  /** Told again and again what was done so far. */
  readonly told: (counts: { readonly lines: number; readonly records: number }) => void;
  /** With what this process can run the crawl. */
  readonly fitted: (configuration: Configuration) => Configuration;
}

export interface Rebuilt extends Omit<Salvaged, "files"> {
  /** The first thousand pages that are fetched again. */
  readonly lostUrls: readonly string[];
  /** The folder with files that were not whole; null if there are none. */
  readonly kept: string | null;
  readonly summary: CrawlSummary;
}

const LOST_KEPT_MAX = 1000;
const NEW_FOLDER: FileName = `${REBUILD_FOLDER}/new`;
const OLD_FOLDER: FileName = `${REBUILD_FOLDER}/old`;
/** Answers that the archive does not keep are of no use: their pages are fetched again. */
const DERIVED =
  /^(?:crawl\.db(?:-(?:wal|shm|journal))?$|(?:index|frontier|links|texts|spool\/answers)\/)/;

/** `DIRECTORY_…` if the directory is in use, or its own files cannot be read. */
export async function rebuildCrawl(options: RebuildOptions): Promise<Rebuilt> {
  const { path, clock } = options;
  if (CrawlDirectory.isOfAgent(path)) throw notOfAgents();
  const storage = new DiskStorage(path);
  const directory = CrawlDirectory.open(path);
  let state: RebuildState;
  try {
    // What cannot be moved aside, or would stop the replay, is told before anything is changed.
    derivedIn(path);
    readOrders(path);
    // What a killed process left half written would have to be moved, under a name that no file has.
    await answered((done) => storage.prepare(done));
    state = readRebuildState(path) ?? {
      ...{ phase: "salvage", salvaged: null },
      id: await freeId(storage, clock.wallMs()),
    };
    if (state.phase === "salvage") {
      writeRebuildState(path, state);
      await removeAll(storage, NEW_FOLDER);
      state = { ...state, phase: "swap", ...(await salvageCrawl(options, directory)) };
      writeRebuildState(path, state);
    }
    if (state.phase === "swap") {
      await swap(path, state);
      state = { ...state, phase: "replay" };
      writeRebuildState(path, state);
    } else if (state.phase === "replay") await removeMade(path);
  } finally {
    directory.close();
  }
  const summary = await replay(options);
  writeRebuildState(path, { ...state, phase: "done" });
  await removeAll(storage, OLD_FOLDER);
  removeRebuildState(path);
  CrawlDirectory.removeFolder(path, REBUILD_FOLDER);
  const { files = [], ...salvaged } = state.salvaged ?? NOTHING;
  const isKept = files.some(({ old, isDamaged }) => isDamaged && old.length > 0);
  const { lostUrls = [] } = state;
  return { ...salvaged, lostUrls, kept: isKept ? `damaged/${state.id}` : null, summary };
}

/**
 * What others have told an agent is in its frontier from the next checkpoint on, and nowhere else. A frontier that
 * is made from archive and crawl log has forgotten it, while they count it as acknowledged by this disk (I3).
 */
function notOfAgents(): CrawlError {
  return new CrawlError(
    "CLUSTER_REBUILD_REFUSED",
    "The directory of an agent that shares its crawl with others cannot be rebuilt: URLs that they have told it, " +
      "and count as taken, are in its queues and not in its archive, and nobody would tell it again. Put the " +
      "directory aside, and start the agent with an empty one and --join: the others tell it again what is lost, " +
      "and its pages are fetched again. What is put aside can still be read, by `trobar store` with -o.",
  );
}

const NOTHING: Salvaged = { lines: 0, records: 0, lost: 0, found: 0, cutBytes: 0, files: [] };

async function salvageCrawl(
  { path, scratch, told }: RebuildOptions,
  { identity }: CrawlDirectory,
): Promise<Required<Pick<RebuildState, "salvaged" | "lostUrls">>> {
  const configuration = CrawlDirectory.configurationOf(path);
  const { limits, seeds } = configuration;
  const lostUrls: string[] = [];
  const salvaged = await salvage({
    ...{ storage: new DiskStorage(path), folder: NEW_FOLDER, scratch, told },
    random: new SeededRandom(freshSeed()),
    keyOf: new CrawlKeys(identity, configuration).keyOf,
    seeds: new Set(seeds),
    hasDepthLimit: limits.depth !== null || limits.hostDepth !== null,
    lost: (url) => {
      if (lostUrls.length < LOST_KEPT_MAX) lostUrls.push(url);
    },
  });
  const rows = rowFilesIn(path).map((name) => ({ name: null, old: [name], isDamaged: true }));
  return { salvaged: { ...salvaged, files: [...salvaged.files, ...rows] }, lostUrls };
}

/** The second, or the next one of which nothing is kept: what one rebuild has kept is not another's. */
async function freeId(storage: DiskStorage, wallMs: number): Promise<string> {
  const id = new Date(wallMs).toISOString().replace(/\D/g, "").slice(0, 14);
  const kept = await filesIn(storage, `damaged/${id}`);
  return kept.length === 0 ? id : await freeId(storage, wallMs + SECOND_MS);
}

/** Can be begun again wherever it ended. */
async function swap(path: string, { id, salvaged }: RebuildState): Promise<void> {
  const storage = new DiskStorage(path);
  const derived = derivedIn(path);
  const there = new Set([...(await filesIn(storage, "")), ...derived]);
  const files = salvaged?.files ?? [];
  /** Where the other name is there, this was done before. */
  const move = async (from: FileName, to: FileName): Promise<void> => {
    const isAside = !/^(?:warc|logs)\//.test(to);
    if (!there.has(from) || (isAside && there.has(to))) return;
    await answered((done) => storage.rename(from, to, done));
    there.delete(from);
    there.add(to);
  };
  for (const { old, isDamaged } of files) {
    const aside = isDamaged ? `damaged/${id}` : OLD_FOLDER;
    for (const name of old) await move(name, `${aside}/${name}`);
  }
  for (const { name } of files) {
    if (name !== null) await move(`${NEW_FOLDER}/${name}`, name);
  }
  for (const name of derived) await move(name, `${OLD_FOLDER}/${name}`);
}

/** What a replay that did not end has made. */
async function removeMade(path: string): Promise<void> {
  const storage = new DiskStorage(path);
  for (const name of [...derivedIn(path), ...rowFilesIn(path)])
    await answered((done) => storage.remove(name, done));
}

/** The crawl's own files alone: users may keep others beside them. */
function derivedIn(path: string): readonly FileName[] {
  return CrawlDirectory.replaceableFilesOf(path).filter((name) => DERIVED.test(name));
}

/** Of the store that the configuration names. Those of further stores get no line again. */
function rowFilesIn(path: string): readonly FileName[] {
  const configuration = CrawlDirectory.configurationOf(path);
  if (configuration.store.kind !== "jsonl") return [];
  const { agent } = CrawlDirectory.identityOf(path);
  const series = { name: filePrefix(configuration), agent };
  const names = CrawlDirectory.replaceableFilesOf(path);
  return names.filter((name) => isOfSeries(finalOf(name), series));
}

function filesIn(storage: DiskStorage, folder: FileName | ""): Promise<readonly FileName[]> {
  return answered((done) => storage.list(folder, done));
}

async function removeAll(storage: DiskStorage, folder: FileName): Promise<void> {
  for (const name of await filesIn(storage, folder))
    await answered((done) => storage.remove(name, done));
}

async function replay(options: RebuildOptions): Promise<CrawlSummary> {
  const { path, version, clock, report, fitted } = options;
  const configuration = fitted(CrawlDirectory.configurationOf(path));
  const run = await openCrawl({
    ...{ configuration, folder: path, version, clock, report, startOver: null, rebuilds: true },
    goOn: () => configuration,
  });
  const summary = await run.life.run();
  if (run.life.failure !== null) throw run.life.failure;
  return summary;
}
