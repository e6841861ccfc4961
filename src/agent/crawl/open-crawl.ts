/** Opens a crawl in a directory of the disk: the one place where the agent meets the real world. */
import { join, resolve } from "node:path";
import { ThreadBackground } from "../../base/background/index.ts";
import { sqliteDatabases } from "../../base/database/index.ts";
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import { freshSeed, SeededRandom } from "../../base/random/index.ts";
import type { Clock, Databases } from "../../base/seams/index.ts";
import { DiskStorage } from "../../base/storage/index.ts";
import { quoted } from "../../base/text/index.ts";
import type { Configuration } from "../../rules/config/index.ts";
import { type ImportModule, importFrom } from "../../rules/filter/index.ts";
import { CrawlDirectory, fingerprintKeyBytes, type NewCrawl } from "../../store/directory/index.ts";
import { openDescriptor, type RowSink } from "../../store/export/index.ts";
import { INDEX_FILE } from "../../store/index/index.ts";
import { RemotePost } from "../../topology/launch/index.ts";
import type { ProviderDefinition } from "../../topology/unit/index.ts";
import { type FailedPage, failedIn } from "../control/failed-pages.ts";
import { NO_ORDERS, type Orders, readOrders } from "../control/orders.ts";
import { RecordedConfiguration } from "../control/recorded-configuration.ts";
import { RetriedPages } from "../control/retried-pages.ts";
import { laneCount } from "../lanes/lane-count.ts";
import { NodeLanes } from "../lanes/node-lanes.ts";
import { newLanedCrawl } from "../lanes/open-laned-crawl.ts";
import { relaneCrawl, removeOtherLanes } from "../lanes/relane-crawl.ts";
import type { DepthLimits } from "../links/link-gate.ts";
import { crawlOpenings } from "../providers/crawl-openings.ts";
import type { CrawlWorld, PagesOutput } from "../providers/crawl-world.ts";
import { CrawlKeeper } from "../providers/open-keeper.ts";
import { readBefore, recoveryOf } from "../recovery/read-before.ts";
import { CheckpointKeeper } from "../saving/checkpoint-keeper.ts";
import { ReadingMark } from "../saving/reading-mark.ts";
import type { SavedCrawl, SavedLane } from "../saving/saved-crawl.ts";
import type { SeedWatchOptions } from "../seeds/seed-watch.ts";
import { type CrawlTopology, loadCrawlTopology } from "../topology/crawl-topology.ts";
import { refuseHalfRebuilt, withRebuild } from "../verify/rebuild-state.ts";
import type { PageReader } from "../visit/page-reader.ts";
import { loadStore } from "../visit/user-store.ts";
import { answered } from "./answers.ts";
import { changedDepth } from "./changed-depth.ts";
import { Crawl } from "./crawl.ts";
import type { CrawlMember } from "./crawl-member.ts";
import type { RecoveryAccount } from "./crawl-options.ts";
import { heldAnswers, mayHoldAnswers } from "./held-answers.ts";
import { availableCores } from "./machine/process-limits.ts";
import { atStart } from "./machine/room-watch.ts";
import { NO_SECRETS, openNetwork, type RequestSecrets } from "./network/crawl-network.ts";
import { configurationFor } from "./network/fetching.ts";
import type { RunningCrawl } from "./running-crawl.ts";

export interface OpenCrawlOptions {
  readonly configuration: Configuration;
  /** The crawl directory. */
  readonly folder: string;
  /**
   * Given the configuration that the directory records, says with which the crawl goes on, or throws.
   * Called if the directory holds a crawl that is not started over.
   */
  readonly goOn: (recorded: Configuration) => Configuration;
  /**
   * Called with the configuration that counts, before anything is touched; may refuse by rejecting.
   * Gives the port of the API, which the crawl must not fetch from; null if there is none.
   */
  readonly ready?: (configuration: Configuration) => Promise<number | null>;
  /**
   * What to do if the directory holds a crawl with at least one recorded answer. Null goes on with
   * it; otherwise it is called before the crawl is removed, and can stop that by throwing.
   */
  readonly startOver: (() => Promise<void>) | null;
  /** Whether it waits for further seeds when nothing is left, instead of ending. */
  readonly stays?: boolean;
  /**
   * Whether it only works on what its archive has, so that everything else is made again from that: see
   * `rebuildCrawl`. Then nothing is fetched, and what was asked of it waits for its next run.
   */
  readonly rebuilds?: boolean;
  readonly version: string;
  readonly clock: Clock;
  /** Called for errors that belong to no single URL. */
  readonly report: (error: CrawlError) => void;
  /** Called when a crawl that was killed goes on, with what was done for that. */
  readonly recovered?: (account: RecoveryAccount) => void;
  /** Called for the first failure of each seed. */
  readonly seedFailed?: SeedWatchOptions["tell"];
  /** Where pages are written as rows while the crawl runs. */
  readonly output?: PagesOutput | null;
  /** Shown every page that is done, in this process. */
  readonly reader?: PageReader | null;
  /** Where pages go that are stored on standard output. */
  readonly openStdout?: () => Promise<RowSink>;
  /** Gives the modules that the configuration names; paths are relative to the working directory unless given. */
  readonly importModule?: ImportModule;
  /** Sent with requests and kept nowhere. */
  readonly secrets?: RequestSecrets;
  /** For a crawl that is one agent's part of a larger one. */
  readonly among?: {
    readonly member: CrawlMember;
    /** Of this agent, held by this process; closed by the crawl, or if that cannot be opened. */
    readonly directory: CrawlDirectory;
    /** Of the directory, prepared. */
    readonly storage: DiskStorage;
    /** Whether the agent has just come to it. */
    readonly isNew: boolean;
    /** Whether the last process that had the directory was killed. */
    readonly wasLeft: boolean;
  };
}

export async function openCrawl(options: OpenCrawlOptions): Promise<RunningCrawl> {
  const { among } = options;
  if (among?.isNew === true) return await openFirst(among, options);
  const path = resolve(options.folder);
  const isThere = CrawlDirectory.exists(path) && options.startOver === null;
  if (options.rebuilds !== true && isThere) refuseHalfRebuilt(path);
  // The directory of an agent among others is held by this process already.
  const wasLeft = among?.wasLeft ?? CrawlDirectory.wasLeft(path);
  const { existing = null, hasVisits = false } =
    among === undefined
      ? isThere
        ? await openToGoOn(options)
        : {}
      : { existing: among.directory };
  if (existing === null) {
    const begun = isThere ? { ...options, configuration: begunAgain(path, options) } : options;
    return await openNew({ ...begun, mayHaveVisited: wasLeft || hasVisits });
  }
  try {
    const recorded = existing.configuration();
    const isRebuilt = options.rebuilds === true;
    const orders = isRebuilt ? NO_ORDERS : readOrders(path);
    const retried = isRebuilt ? null : new RetriedPages(path);
    const requeued = await failedIn(path, orders.retries);
    // Seeds of agents among others are for all of them, and not only in this configuration.
    const own = among === undefined ? orders : { ...orders, seeds: [] };
    const changed = changedDepth(recorded, withOrders(options.goOn(recorded), own));
    const loaded = await loadParts({ ...options, ...changed });
    const port = (await options.ready?.(changed.configuration)) ?? null;
    const before = { recorded, orders, requeued, port, mayHaveVisited: wasLeft };
    const crawl = await openIn(existing, { ...options, ...changed, ...loaded, ...before });
    // Until then a kill would lose what was asked for.
    void crawl.life.recorded.then(() => {
      retried?.ordersTaken(requeued, options.report);
    });
    return crawl;
  } catch (error) {
    existing.close();
    throw withRebuild(error);
  }
}

async function loadParts(
  options: OpenCrawlOptions,
): Promise<{ readonly topology: CrawlTopology; readonly hasOwnStore: boolean }> {
  const { configuration } = options;
  const ownStore = await ownStoreOf(options);
  const topology = await loadCrawlTopology(configuration.topology, configuration, ownStore);
  return { topology, hasOwnStore: ownStore !== null };
}

async function openNew(
  options: OpenCrawlOptions & Pick<OpenInOptions, "mayHaveVisited">,
): Promise<RunningCrawl> {
  // A topology with mistakes touches no directory.
  const loaded = await loadParts(options);
  const { seeds } = options.configuration;
  const mayLackSeeds = loaded.topology.fetching === "asked" || options.stays === true;
  if (seeds.length === 0 && !mayLackSeeds) throw noSeeds("there is no seed");
  const port = (await options.ready?.(options.configuration)) ?? null;
  return await openEmpty(await makeDirectory(options), { ...options, ...loaded, port });
}

/** Of an agent that has just come to a crawl. */
async function openFirst(
  { directory, wasLeft }: NonNullable<OpenCrawlOptions["among"]>,
  options: OpenCrawlOptions,
): Promise<RunningCrawl> {
  const opened = async (): Promise<Pick<OpenInOptions, "topology" | "hasOwnStore" | "port">> => {
    const loaded = await loadParts(options);
    return { ...loaded, port: (await options.ready?.(options.configuration)) ?? null };
  };
  const loaded = await opened().catch((error: unknown) => {
    directory.close();
    throw error;
  });
  return await openEmpty(directory, { ...options, ...loaded, mayHaveVisited: wasLeft });
}

async function openEmpty(
  directory: CrawlDirectory,
  options: Omit<OpenInOptions, "recorded" | "depthsBefore" | "orders" | "requeued">,
): Promise<RunningCrawl> {
  try {
    const isNew = { recorded: null, depthsBefore: null, orders: NO_ORDERS, requeued: [] };
    return await openIn(directory, { ...options, ...isNew });
  } catch (error) {
    // The new directory stays; it has no record, so the next attempt may replace it.
    directory.close();
    throw error;
  }
}

interface OpenInOptions extends OpenCrawlOptions {
  readonly topology: CrawlTopology;
  readonly hasOwnStore: boolean;
  /** With what the crawl ran before; null for a new one. */
  readonly recorded: Configuration | null;
  readonly depthsBefore: DepthLimits | null;
  /** What was asked of it while it rested. */
  readonly orders: Orders;
  /** Whether the last process that had the directory may have visited hosts, and has kept no times of it. */
  readonly mayHaveVisited: boolean;
  /** Of the API; null if there is none. */
  readonly port: number | null;
  /** Pages to be tried again. */
  readonly requeued: readonly FailedPage[];
}

async function openIn(directory: CrawlDirectory, options: OpenInOptions): Promise<RunningCrawl> {
  const { clock } = options;
  const background = new ThreadBackground({ storageRoot: directory.path, clock });
  const databases = sqliteDatabases({ root: directory.path, clock });
  background.warmUp();
  try {
    return await openParts(directory, { background, databases }, options);
  } catch (error) {
    background.close(() => undefined);
    await new Promise<void>((resolve) => databases.close(INDEX_FILE, () => resolve()));
    throw isCrawlError(error) ? atStart(error) : error;
  }
}

async function openParts(
  directory: CrawlDirectory,
  { background, databases }: { background: ThreadBackground; databases: Databases },
  options: OpenInOptions,
): Promise<RunningCrawl> {
  const { clock, version, report, topology, seedFailed = () => {} } = options;
  const { fetching } = topology;
  const api = { ...options.configuration.api, port: options.port ?? ("auto" as const) };
  const configuration = configurationFor(fetching, { ...options.configuration, api });
  const { secrets = NO_SECRETS, importModule = importFrom(".", clock) } = options;
  const { identity, path } = directory;
  const storage = options.among?.storage ?? (await prepared(path));
  const scratch = new DiskStorage(join(path, "spool"));
  await answered((done) => scratch.prepare(done));
  // What the other processes of such a crawl have is in no checkpoint.
  const checkpoints =
    fetching === "here" ? new CheckpointKeeper(databases, background, identity.crawl) : null;
  const { recorded, folder, hasOwnStore } = options;
  const before = { recorded, folder, checkpoints, storage };
  const { read, isKilled } = await readBefore(before);
  const member = options.among?.member ?? null;
  const seeds = seedsToOffer(options, configuration, isKilled);
  const lanes = lanesOf(options, configuration);
  const memberLane = lanes === 1 ? (member?.openLane() ?? null) : null;
  let crawl: (Pick<Crawl, "life"> & Partial<Pick<Crawl, "woken">>) | null = null;
  const keeper = new CrawlKeeper();
  const tell = (error: CrawlError): void => (crawl?.life ?? options).report(error);
  const world: CrawlWorld = {
    ...{ databases, saved: read, savedLane: null, lane: null, wasKilled: isKilled },
    mayHaveVisited: isKilled || options.mayHaveVisited,
    ...{ clock, storage, scratch, background, version, report: tell, seedFailed, openNetwork },
    openBackground: () => new ThreadBackground({ storageRoot: path, clock }),
    ...{ importModule, secrets, output: options.output ?? null, reader: options.reader ?? null },
    ...{ folder: path, openStdout: options.openStdout ?? processStdout },
    wantsText: topology.wantsText,
    furtherStores: topology.hasStores ? topology.importModule : null,
    ...{ keeper, hasOwnStore, fetching, member: memberLane },
    agent: identity.agent,
    seed: identity.generation,
    fingerprintKey: fingerprintKeyBytes(identity),
    listener: {
      woken: () => crawl?.woken?.(),
      failed: (error) => crawl?.life.failed(error),
    },
    closeFailed: (error) => crawl?.life.closeFailed(error),
  };
  const closed = (): void => {
    background.close(() => undefined);
    directory.close();
  };
  // What is on its way to another process is of no use to anybody when this one has ended.
  const failed = (error: CrawlError): void => crawl?.life.failed(error);
  const remotes = new RemotePost({ clock, storage: scratch, report, failed });
  const saved =
    read === null || checkpoints === null || read.lanes.length === lanes
      ? read
      : await relaneCrawl(read, lanes, { configuration, world, checkpoints });
  if (saved !== null) await removeOtherLanes(storage, lanes);
  const common = {
    ...{ configuration, clock, storage, report, closed, saved, seeds },
    ...(options.recovered === undefined ? {} : { recovered: options.recovered }),
    recordStart: () => recordStart(directory, options),
    ...{ depthsBefore: options.depthsBefore, stays: options.stays === true },
    ...{ requeued: options.requeued, replaysOnly: options.rebuilds === true },
    recovery: isKilled ? recoveryOf(read, configuration, world) : null,
    ...recordsOf(directory, options, read),
  };
  const opened =
    lanes > 1 && checkpoints !== null
      ? newLanedCrawl({
          ...{ ...common, lanes, world, checkpoints, member, threads: new NodeLanes(clock) },
        })
      : new Crawl({
          ...{ ...common, topology, remotes, checkpoints, member, memberLane },
          openings: crawlOpenings(configuration, { ...world, savedLane: laneOf(saved) }),
        });
  crawl = opened;
  await prepareOr(opened, async () => {
    await keeper.close(world);
    await remotes.close();
  });
  return opened;
}

/** Where the only lane goes on from. */
function laneOf(saved: SavedCrawl | null): SavedLane | null {
  return saved?.lanes[0] ?? null;
}

async function prepareOr(
  crawl: { prepare(): Promise<unknown> },
  close: () => Promise<void>,
): Promise<void> {
  try {
    await crawl.prepare();
  } catch (error) {
    await close();
    throw error;
  }
}

async function prepared(path: string): Promise<DiskStorage> {
  const storage = new DiskStorage(path);
  await answered((done) => storage.prepare(done));
  return storage;
}

/** What the directory says about how the crawl goes on, and its checkpoints about how it reads links. */
function recordsOf(
  directory: CrawlDirectory,
  { configuration, version }: OpenInOptions,
  saved: SavedCrawl | null,
): { readonly recorded: RecordedConfiguration; readonly reading: ReadingMark } {
  const recorded = new RecordedConfiguration(configuration, (changed) =>
    directory.setConfiguration(changed),
  );
  const now = (): Configuration => recorded.configuration;
  return { recorded, reading: new ReadingMark({ saved, configuration: now, version }) };
}

/** Called when all has been opened: what could not be opened changes nothing. */
function recordStart(
  directory: CrawlDirectory,
  { recorded, configuration }: Pick<OpenInOptions, "recorded" | "configuration">,
): void {
  if (recorded !== null) directory.setConfiguration(configuration);
}

/**
 * Those of a crawl that was killed are all offered again, since it is not known which were. An agent among
 * others is told its seeds by them.
 */
function seedsToOffer(
  { recorded, orders, among }: OpenInOptions,
  { seeds }: Configuration,
  isKilled: boolean,
): readonly string[] {
  if (among !== undefined) return [];
  if (isKilled) return seeds;
  const known = new Set(recorded?.seeds);
  const ordered = new Set(orders.seeds);
  return seeds.filter((seed) => !known.has(seed) || ordered.has(seed));
}

function lanesOf(
  { topology, reader, importModule, rebuilds, among, stays = false }: OpenInOptions,
  configuration: Configuration,
): number {
  const { fetching } = topology;
  // The next run divides what this one makes.
  if (rebuilds === true) return 1;
  const hasOwnModules = importModule !== undefined;
  const hasReader = reader != null;
  const cores = availableCores();
  // What others will bring to an agent is not known when it starts.
  const isOpen = stays || among !== undefined;
  return laneCount({ configuration, fetching, hasReader, hasOwnModules, stays: isOpen, cores });
}

/**
 * With what a crawl without an answer is started over: with what is given, or where no seed is, with what
 * it recorded. Seeds that were ordered while it rested are part of it in any case.
 */
function begunAgain(path: string, { configuration, goOn }: OpenCrawlOptions): Configuration {
  const isGiven = configuration.seeds.length > 0;
  const whole = isGiven ? configuration : goOn(CrawlDirectory.configurationOf(path));
  return withOrders(whole, readOrders(path));
}

function withOrders(configuration: Configuration, { seeds }: Orders): Configuration {
  return { ...configuration, seeds: [...new Set([...configuration.seeds, ...seeds])] };
}

function isPart(folder: string): CrawlError {
  return new CrawlError(
    "CLUSTER_PART_CRAWL",
    `The crawl in ${quoted(folder)} is the part of an agent of a cluster. Go on with it by \`trobar agent\`, ` +
      "or name another directory with --out.",
  );
}

/** The provider that `store.kind` names, if it names one. A module that cannot be used touches no directory. */
async function ownStoreOf({
  configuration: { store },
  importModule = importFrom("."),
}: OpenCrawlOptions): Promise<ProviderDefinition | null> {
  if (store.kind === "warc" || store.kind === "jsonl") return null;
  const loaded = await loadStore(store.kind, importModule);
  return loaded.kind === "provider" ? loaded.definition : null;
}

/** For programs that say nothing about it. */
async function processStdout(): Promise<RowSink> {
  return openDescriptor(1, "-");
}

export function noSeeds(why: string): CrawlError {
  return new CrawlError(
    "USAGE_NO_SEEDS",
    `Nothing to crawl: ${why}. Name at least one URL, such as \`trobar crawl ` +
      "https://example.org/`, or a file of them with `--seeds FILE`.",
  );
}

/**
 * The directory of a crawl that is gone on with; null if a new one takes its place, because the user
 * wants that. One without a recorded answer, such as a first attempt with a mistyped host, is replaced
 * without asking; what a store of the user has recorded is not known, so that crawl is kept.
 */
async function openToGoOn({ folder, rebuilds }: OpenCrawlOptions): Promise<{
  readonly existing: CrawlDirectory | null;
  readonly hasVisits?: boolean;
}> {
  if (rebuilds !== true && CrawlDirectory.isOfAgent(resolve(folder))) throw isPart(folder);
  const directory = CrawlDirectory.open(resolve(folder));
  if (rebuilds === true) return { existing: directory };
  let isKept = false;
  try {
    const { mayBePages, hasVisits } = await heldAnswers(directory);
    isKept = mayBePages;
    return { existing: isKept ? directory : null, hasVisits };
  } finally {
    if (!isKept) directory.close();
  }
}

/** Makes the directory of a new crawl, in place of another one if there is one. */
async function makeDirectory(options: OpenCrawlOptions): Promise<CrawlDirectory> {
  const { configuration, startOver, version, clock } = options;
  const path = resolve(options.folder);
  const crawl: NewCrawl = {
    ...{ configuration, version },
    capacity: 1,
    createdAtMs: clock.wallMs(),
    random: new SeededRandom(freshSeed()),
  };
  if (!CrawlDirectory.exists(path)) return CrawlDirectory.create(path, crawl);
  const directory = openOrDamaged(path, startOver !== null);
  try {
    if (directory === null || (await mayHoldAnswers(directory))) await startOver?.();
  } catch (error) {
    directory?.close();
    throw error;
  }
  return directory?.startOver(crawl) ?? CrawlDirectory.replace(path, crawl);
}

/** Null for a damaged directory that may be started over. */
function openOrDamaged(path: string, mayBeDamaged: boolean): CrawlDirectory | null {
  try {
    return CrawlDirectory.open(path);
  } catch (error) {
    const isUnreadable = isCrawlError(error) && /^DIRECTORY_(?:DAMAGED|VERSION)$/.test(error.code);
    if (mayBeDamaged && isUnreadable) return null;
    throw error;
  }
}
