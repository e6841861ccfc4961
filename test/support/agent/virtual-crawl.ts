/**
 * A whole crawl in virtual time, all but the sockets: configuration, offers, frontier, parser, store
 * and limits are the real ones; the network is a web written down as a graph, the disk is simulated.
 */

import assert from "node:assert/strict";
import { RecordedConfiguration } from "../../../src/agent/control/recorded-configuration.ts";
import { answered } from "../../../src/agent/crawl/answers.ts";
import { changedDepth } from "../../../src/agent/crawl/changed-depth.ts";
import { Crawl } from "../../../src/agent/crawl/crawl.ts";
import {
  type CrawlNetwork,
  fetchLimits,
  type NetworkWorld,
} from "../../../src/agent/crawl/network/crawl-network.ts";
import type { RunningCrawl } from "../../../src/agent/crawl/running-crawl.ts";
import type { CrawlSummary } from "../../../src/agent/index.ts";
import { newLanedCrawl } from "../../../src/agent/lanes/open-laned-crawl.ts";
import { relaneCrawl, removeFrontiers } from "../../../src/agent/lanes/relane-crawl.ts";
import type { DepthLimits } from "../../../src/agent/links/link-gate.ts";
import { crawlOpenings } from "../../../src/agent/providers/crawl-openings.ts";
import type { CrawlWorld } from "../../../src/agent/providers/crawl-world.ts";
import { CrawlKeeper } from "../../../src/agent/providers/open-keeper.ts";
import { recoveryOf } from "../../../src/agent/recovery/read-before.ts";
import { CheckpointKeeper, type FoundCrawl } from "../../../src/agent/saving/checkpoint-keeper.ts";
import { loadCrawlTopology } from "../../../src/agent/topology/crawl-topology.ts";
import { AnswerReading } from "../../../src/agent/visit/answer-reading.ts";
import { type CrawlError, isCrawlError } from "../../../src/base/errors/index.ts";
import type {
  Clock,
  Fetcher,
  FetchLimits,
  FetchRequest,
  Storage,
} from "../../../src/base/seams/index.ts";
import {
  ContentDecoder,
  DECODING_LIMITS,
  openSpool,
  type PooledSpool,
} from "../../../src/fetch/body/index.ts";
import type { Resolver } from "../../../src/fetch/dns/index.ts";
import { AddressPolicy, connectRefusal } from "../../../src/formats/address/index.ts";
import {
  type DiskSpeed,
  Kernel,
  SimBackground,
  SimDatabases,
  SimDisk,
} from "../../../src/lab/simulator/index.ts";
import { SimWebFetcher } from "../../../src/lab/simweb/index.ts";
import type { Configuration } from "../../../src/rules/config/index.ts";
import { importFrom } from "../../../src/rules/filter/index.ts";
import {
  type CrawlLine,
  type RefusedLine,
  readCrawlLog,
  readRefusedLog,
} from "../../../src/store/archive/index.ts";
import type { Graph } from "../frontier/graph-crawl.ts";
import { MortalClock } from "../lab/simulated-world.ts";
import type { TablePage } from "../lab/table-web.ts";
import { configured } from "../rules/configured.ts";
import { Driver, driven, Killed } from "./virtual-driver.ts";
import { virtualLanes } from "./virtual-lanes.ts";
import { addressOf, pageOf, urlOf, webOf } from "./virtual-web.ts";

export interface VirtualCrawlOptions {
  /** Pages are named `host/page`; a link to a page that is not a key leads to a 404. */
  readonly graph: Graph;
  /** Pages that answer with something other than their links, by name. */
  readonly answers?: Readonly<Record<string, TablePage>>;
  /** The text of a link; its page's name when left out. */
  readonly anchorOf?: (page: string) => string;
  readonly seeds: readonly string[];
  /** `KEY=VALUE` of the configuration, on top of what suits a test. */
  readonly settings?: readonly string[];
  readonly seed?: string;
  /** How long the server thinks before it answers for a page; no time when left out. */
  readonly delayMsOf?: (page: string) => number;
  /** How fast the disk is; as in `CALM_DISK` when left out. */
  readonly diskSpeed?: Partial<DiskSpeed>;
  /** Called before each run, the first of which is 0: to let the disk fail or be full. */
  readonly beforeRun?: (run: number, disk: SimDisk, kernel: Kernel) => void;
  /** Called for every request, robots.txt included, when it begins. */
  readonly requested?: (page: string) => void;
  /** Called before the crawl runs, to look at it meanwhile. */
  readonly prepared?: (crawl: Crawl, kernel: Kernel) => void;
  /** The same, however many lanes it has. */
  readonly controlled?: (crawl: RunningCrawl, kernel: Kernel) => void;
  /** The crawl is stopped when this many pages were asked for, and goes on: once for each of these. */
  readonly stops?: readonly number[];
  /** The process dies this often, or power fails, and the crawl goes on. */
  readonly kills?: readonly Kill[];
  /** So many runs follow those that end otherwise; but for the last they may end as the test wants. */
  readonly furtherRuns?: number;
  /** Settings of the first, second, third run, on top of the others; none for runs that it lacks. */
  readonly settingsOfRuns?: readonly (readonly string[])[];
  /** Whether it waits for seeds when nothing is left. */
  readonly stays?: boolean;
  /** Where a host is; all are at one address when left out. */
  readonly addressOf?: (host: string) => string;
}

/** The end of a run that nobody asked for, during its opening too. */
export interface Kill {
  /** After this many events of the run. */
  readonly steps: number;
  /** Whether power fails, so that what was not synced may be lost. */
  readonly isPower: boolean;
}

export interface VirtualCrawl {
  /** The pages in the order in which they were asked for, robots.txt left out. */
  readonly pages: readonly string[];
  /** When each of them was asked for, in virtual time. */
  readonly askedAtMs: readonly number[];
  /** With what limits each of them was asked for. */
  readonly limits: readonly FetchLimits[];
  /** Of its crawl log. */
  readonly lines: readonly CrawlLine[];
  /** Of its log of refused URLs, if it keeps one. */
  readonly refused: readonly RefusedLine[];
  readonly summary: CrawlSummary;
  readonly reports: readonly CrawlError[];
}

const SETTINGS = [
  "scope=any",
  "frontier.memory=1Mi",
  "contact=me@example.org",
  "parse.language=false",
  "parse.nearDuplicates=false",
  "politeness.ipDelay=0",
  "politeness.robots=ignore",
];
export async function crawlVirtually(options: VirtualCrawlOptions): Promise<VirtualCrawl> {
  const { seed = "virtual crawl" } = options;
  const kernel = new Kernel({ seed });
  const { clock, random } = kernel;
  const disk = new SimDisk(random.fork("disk"));
  disk.speed = { ...disk.speed, ...options.diskSpeed };
  const pages: string[] = [];
  const askedAtMs: number[] = [];
  const limits: FetchLimits[] = [];
  const reports: CrawlError[] = [];
  const asked = { options, kernel, pages, askedAtMs, asked: limits };
  const { stops = [], kills = [], furtherRuns = 0 } = options;
  let summary: CrawlSummary | null = null;
  let recorded: Configuration | null = null;
  const ends = [
    ...stops.map((stopAt) => ({ stopAt, kill: null })),
    ...kills.map((kill) => ({ stopAt: null, kill })),
    ...Array.from({ length: 1 + furtherRuns }, () => ({ stopAt: null, kill: null })),
  ];
  for (const [at, end] of ends.entries()) {
    const given = configurationOf(options, options.settingsOfRuns?.[at]);
    const { configuration, depthsBefore } = changedDepth(recorded ?? given, given);
    recorded = configuration;
    options.beforeRun?.(at, disk, kernel);
    const isLater = at > 0;
    const isLast = at === ends.length - 1;
    const run = { disk, reports, asked, ...end, depthsBefore, isLater, isLast };
    summary = await runOnce(configuration, run);
  }
  assert(summary !== null, "there is at least one run");
  const driver = new Driver(kernel, null);
  const lines = await driver.drive(linesOf(disk.mount(clock)));
  const refused = await driver.drive(refusedIn(disk.mount(clock)));
  return { pages, askedAtMs, limits, lines, refused, summary, reports };
}

interface DrivenWorld extends RunWorld {
  readonly clock: Clock;
  readonly driver: Driver;
  /** What ends with the process. */
  readonly deaths: (() => void)[];
}

interface RunWorld {
  readonly disk: SimDisk;
  readonly reports: CrawlError[];
  readonly asked: GraphWorld;
  /** Null if it ends by itself. */
  readonly stopAt: number | null;
  /** Null if it is not killed. */
  readonly kill: Kill | null;
  /** Whether there was a run before. */
  readonly isLater: boolean;
  /** Whether there is none after it. */
  readonly isLast: boolean;
  readonly depthsBefore: DepthLimits | null;
}

/** Null if it was killed, or could not be opened, which the last run must be. */
async function runOnce(
  configuration: Configuration,
  world: RunWorld,
): Promise<CrawlSummary | null> {
  const { disk, kill, asked } = world;
  const { kernel } = asked;
  const clock = new MortalClock(kernel.clock);
  const driver = new Driver(kernel, kill?.steps ?? null);
  const deaths: (() => void)[] = [];
  try {
    return await runUntilEnd(configuration, { ...world, clock, driver, deaths });
  } catch (error) {
    if (isCrawlError(error) && !world.isLast) world.reports.push(error);
    else if (!(error instanceof Killed)) throw error;
    clock.die();
    for (const die of deaths) die();
    if (kill?.isPower === true) disk.crash();
    else disk.kill();
    return null;
  }
}

async function runUntilEnd(
  configuration: Configuration,
  { disk, reports, asked, stopAt, depthsBefore, isLater, clock, driver, deaths }: DrivenWorld,
): Promise<CrawlSummary> {
  const { kernel, options, pages } = asked;
  const { seed = "virtual crawl" } = options;
  const { random } = kernel;
  const background = new SimBackground({ clock, random: random.fork("background"), disk });
  const databases = new SimDatabases({ clock, disk, random: random.fork("databases") });
  deaths.push(
    () => background.close(() => undefined),
    () => databases.kill(),
  );
  const checkpoints = new CheckpointKeeper(databases, background);
  const found = await driver.drive(answered<FoundCrawl | null>((done) => checkpoints.read(done)));
  const isKilled = isLater && found?.isWhole !== true;
  const storage = disk.mount(clock);
  if (isKilled && found === null) await driver.drive(removeFrontiers(storage));
  const read = found?.saved ?? null;
  const topology = await loadCrawlTopology(configuration.topology, configuration);
  const lanes = configuration.lanes === "auto" ? 1 : configuration.lanes;
  let crawl: RunningCrawl | null = null;
  const world: CrawlWorld = {
    output: null,
    reader: null,
    importModule: importFrom("."),
    wantsText: topology.wantsText,
    tableRows: 1 << 10,
    folder: "",
    openStdout: () => Promise.reject(new Error("a virtual crawl has no standard output")),
    keeper: new CrawlKeeper(),
    hasOwnStore: false,
    furtherStores: topology.hasStores ? topology.importModule : null,
    fetching: topology.fetching,
    ...{ databases, saved: read, savedLane: null, lane: null, wasKilled: isKilled },
    openBackground: () => background,
    ...{ clock, background, seed, agent: "one", version: "0.0.0" },
    ...{ storage: disk.mount(clock), scratch: new SimDisk(random.fork("scratch")).mount(clock) },
    fingerprintKey: new Uint8Array(16).fill(7),
    secrets: { credentials: [], cookies: [] },
    openNetwork: (config, network) => openGraph(config, network, asked),
    listener: {
      woken: () => (crawl instanceof Crawl ? crawl.woken() : undefined),
      failed: (error) => crawl?.life.failed(error),
    },
    report: (error) => (crawl === null ? reports.push(error) : crawl.life.report(error)),
    seedFailed: () => {},
    closeFailed: (error) => crawl?.life.closeFailed(error),
  };
  const saved =
    read === null || read.lanes.length === lanes
      ? read
      : await driver.drive(relaneCrawl(read, lanes, { configuration, world, checkpoints }));
  const common = {
    ...{ configuration, clock, storage: disk.mount(clock), stays: options.stays ?? false },
    ...{ saved, checkpoints, depthsBefore },
    seeds: saved === null || isKilled ? configuration.seeds : [],
    recorded: new RecordedConfiguration(configuration, () => undefined),
    requeued: [],
    recovery: isKilled ? recoveryOf(read, world) : null,
    report: (error: CrawlError): void => void reports.push(error),
    closed: (): void => undefined,
  };
  if (lanes > 1) {
    const threads = virtualLanes({ clock, random, disk, deaths }, world.openNetwork);
    crawl = newLanedCrawl({ ...common, lanes, world, threads });
  } else {
    const savedLane = saved?.lanes[0] ?? null;
    const openings = crawlOpenings(configuration, { ...world, savedLane });
    crawl = new Crawl({ ...common, openings, topology, remotes: null });
  }
  await driver.drive(crawl.prepare());
  if (crawl instanceof Crawl) options.prepared?.(crawl, kernel);
  options.controlled?.(crawl, kernel);
  const stop = (): void => {
    if (stopAt !== null && pages.length >= stopAt) crawl?.life.stop();
    else kernel.schedule(1, stop);
  };
  if (stopAt !== null) stop();
  const summary = await driver.drive(crawl.life.run());
  await driver.drive(new Promise<void>((resolve) => background.close(resolve)));
  return summary;
}

function linesOf(storage: Storage): Promise<readonly CrawlLine[]> {
  const lines: CrawlLine[] = [];
  const take = (line: CrawlLine): boolean => lines.push(line) > 0;
  return new Promise((resolve) => readCrawlLog(storage, take, () => resolve(lines)));
}

async function refusedIn(storage: Storage): Promise<readonly RefusedLine[]> {
  const lines: RefusedLine[] = [];
  const take = (line: RefusedLine): boolean => lines.push(line) > 0;
  await answered((done) => readRefusedLog(storage, take, done));
  return lines;
}

function configurationOf(
  { seeds, settings = [] }: VirtualCrawlOptions,
  ofRun: readonly string[] = [],
): Configuration {
  const all = [...SETTINGS, ...settings, ...ofRun];
  const text = all.join("\n");
  const known = configurations.get(text) ?? configured(...all);
  configurations.set(text, known);
  return { ...known, seeds: seeds.map(urlOf) };
}

/** Reading one takes longer than some pages of a crawl. */
const configurations = new Map<string, Configuration>();

interface GraphWorld {
  readonly options: VirtualCrawlOptions;
  readonly kernel: Kernel;
  readonly pages: string[];
  readonly askedAtMs: number[];
  readonly asked: FetchLimits[];
}

async function openGraph(
  configuration: Configuration,
  { clock, scratch }: Pick<NetworkWorld, "clock" | "scratch">,
  { options, kernel, pages, askedAtMs, asked }: GraphWorld,
): Promise<CrawlNetwork> {
  const memoryBytes = 1_000_000;
  const spool = await answered<PooledSpool>((done) =>
    openSpool({ memoryBytes, storage: scratch, clock }, done),
  );
  const decoder = new ContentDecoder({ clock, spool, limits: DECODING_LIMITS });
  const random = kernel.random.fork("web");
  const web = new SimWebFetcher({ web: webOf(options), clock, random, latencyMsMax: 50 });
  const { blockAddresses: block } = configuration.politeness;
  const policy = new AddressPolicy({ allow: "any", block, ports: "any" });
  const fetcher: Fetcher = {
    fetch: (request: FetchRequest, done) => {
      const error = connectRefusal(policy, request.address ?? "", 80);
      if (error !== null) {
        clock.after(0, () => done({ kind: "failed", error }));
        return { cancel: () => undefined };
      }
      options.requested?.(pageOf(request.url));
      pages.push(pageOf(request.url));
      askedAtMs.push(clock.nowMs());
      asked.push(request.limits);
      return web.fetch(request, done);
    },
  };
  const resolver: Resolver = {
    resolve: (host, done) => {
      const expiresAtMs = Number.POSITIVE_INFINITY;
      const addresses = [addressOf(options, host)];
      clock.after(random.below(20), () => done({ kind: "resolved", addresses, expiresAtMs }));
    },
    close: () => undefined,
  };
  const answers = new AnswerReading({ clock, decoder, urlLengthMax: 2048 });
  const limits = fetchLimits(configuration);
  const adjust = ({ politeness }: Configuration): void => {
    policy.block = politeness.blockAddresses;
  };
  return {
    fetcher,
    http: { close: () => undefined },
    resolver,
    answers,
    roots: [],
    limits,
    adjust,
  };
}

/** The network alone, for what is fetched without a crawl; `pages` and `askedAtMs` as of a crawl. */
export async function virtualNetwork(
  options: VirtualCrawlOptions,
  kernel: Kernel,
): Promise<Pick<VirtualCrawl, "pages" | "askedAtMs"> & VirtualNetwork> {
  const configuration = configurationOf(options);
  const scratch = new SimDisk(kernel.random.fork("scratch")).mount(kernel.clock);
  const asked: GraphWorld = { options, kernel, pages: [], askedAtMs: [], asked: [] };
  const world = { clock: kernel.clock, scratch };
  const network = await driven(kernel, openGraph(configuration, world, asked));
  return { ...{ configuration, network }, ...asked };
}

interface VirtualNetwork {
  readonly configuration: Configuration;
  readonly network: CrawlNetwork;
}
