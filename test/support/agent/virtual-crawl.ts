/**
 * A whole crawl in virtual time, all but the sockets: configuration, offers, frontier, parser, store
 * and limits are the real ones; the network is a web written down as a graph, the disk is simulated.
 */

import assert from "node:assert/strict";
import { answered } from "../../../src/agent/crawl/answers.ts";
import { changedDepth } from "../../../src/agent/crawl/changed-depth.ts";
import { Crawl } from "../../../src/agent/crawl/crawl.ts";
import type { CrawlNetwork, NetworkWorld } from "../../../src/agent/crawl/network/crawl-network.ts";
import type { RunningCrawl } from "../../../src/agent/crawl/running-crawl.ts";
import type { CrawlSummary } from "../../../src/agent/index.ts";
import type { CrawlError } from "../../../src/base/errors/index.ts";
import type { FetchLimits, Row, Storage } from "../../../src/base/seams/index.ts";
import { type DiskSpeed, Kernel, SimDisk } from "../../../src/lab/simulator/index.ts";
import type { Configuration } from "../../../src/rules/config/index.ts";
import {
  type CrawlLine,
  type RefusedLine,
  readCrawlLog,
  readRefusedLog,
} from "../../../src/store/archive/index.ts";
import type { Graph } from "../frontier/graph-crawl.ts";
import type { TablePage } from "../lab/table-web.ts";
import { configured } from "../rules/configured.ts";
import { Driver, driven } from "./virtual-driver.ts";
import { openVirtualNetwork } from "./virtual-network.ts";
import { type Kill, runVirtually } from "./virtual-run.ts";
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
  /** By how much the wall clock is wrong now; right when left out. */
  readonly wallShiftMs?: () => number;
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
  /** Where a host is, null for nowhere; all are at one address when left out. */
  readonly addressOf?: (host: string) => string | null;
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
  /** Of its page index. */
  readonly rows: readonly Row[];
  /** Of its log of refused URLs, if it keeps one. */
  readonly refused: readonly RefusedLine[];
  /** Of its store, if that writes lines of JSON without compression. */
  readonly stored: readonly string[];
  /** What is left in the files of its spool when it has ended. */
  readonly spooled: readonly string[];
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
  for (const [at, { stopAt, kill }] of ends.entries()) {
    const given = configurationOf(options, options.settingsOfRuns?.[at]);
    const { configuration, depthsBefore } = changedDepth(recorded ?? given, given);
    recorded = configuration;
    options.beforeRun?.(at, disk, kernel);
    summary = await runVirtually({
      ...{ configuration, depthsBefore, seed, kernel, disk, reports, kill, isLater: at > 0 },
      isLast: at === ends.length - 1,
      ...(options.wallShiftMs === undefined ? {} : { wallShiftMs: options.wallShiftMs }),
      stays: options.stays ?? false,
      openNetwork: (config, network) => openGraph(config, network, asked),
      prepared: (crawl) => {
        if (crawl instanceof Crawl) options.prepared?.(crawl, kernel);
        options.controlled?.(crawl, kernel);
        const stop = (): void => {
          if (stopAt !== null && pages.length >= stopAt) crawl.life.stop();
          else kernel.schedule(1, stop);
        };
        if (stopAt !== null) stop();
      },
    });
  }
  assert(summary !== null, "there is at least one run");
  const driver = new Driver(kernel, null);
  const lines = await driver.drive(linesOf(disk.mount(clock)));
  const refused = await driver.drive(refusedIn(disk.mount(clock)));
  const storage = disk.mount(clock);
  const stored = await driver.drive(storedIn(storage));
  const spooled = await driver.drive(filesIn(storage, "spool"));
  const rows = disk.database("crawl.db").rowsAfter("pages", null, Number.POSITIVE_INFINITY);
  return { pages, askedAtMs, limits, lines, rows, refused, stored, spooled, summary, reports };
}

function linesOf(storage: Storage): Promise<readonly CrawlLine[]> {
  const lines: CrawlLine[] = [];
  const take = (line: CrawlLine): boolean => lines.push(line) > 0;
  return new Promise((resolve) => readCrawlLog(storage, take, () => resolve(lines)));
}

async function storedIn(storage: Storage): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const name of await filesIn(storage, "pages")) {
    const bytes = await answered<Uint8Array>((done) => storage.readWhole(name, done));
    lines.push(...Buffer.from(bytes).toString().trimEnd().split("\n"));
  }
  return lines;
}

function filesIn(storage: Storage, folder: string): Promise<readonly string[]> {
  return answered<readonly string[]>((done) => storage.list(folder, done));
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

function openGraph(
  configuration: Configuration,
  world: Pick<NetworkWorld, "clock" | "scratch">,
  { options, kernel, pages, askedAtMs, asked }: GraphWorld,
): Promise<CrawlNetwork> {
  return openVirtualNetwork(configuration, world, {
    ...{ web: webOf(options), random: kernel.random.fork("web") },
    addressOf: (host) => addressOf(options, host),
    asked: ({ url, limits }) => {
      options.requested?.(pageOf(url));
      pages.push(pageOf(url));
      askedAtMs.push(world.clock.nowMs());
      asked.push(limits);
      return () => undefined;
    },
  });
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
