/**
 * One process of a virtual crawl: it opens what an earlier one has left on the disk, goes on with it, and
 * ends by itself, or is killed at a given event.
 */
import { RecordedConfiguration } from "../../../src/agent/control/recorded-configuration.ts";
import { answered } from "../../../src/agent/crawl/answers.ts";
import { Crawl } from "../../../src/agent/crawl/crawl.ts";
import type { OpenNetwork } from "../../../src/agent/crawl/network/crawl-network.ts";
import type { RunningCrawl } from "../../../src/agent/crawl/running-crawl.ts";
import type { CrawlSummary } from "../../../src/agent/index.ts";
import { newLanedCrawl } from "../../../src/agent/lanes/open-laned-crawl.ts";
import {
  relaneCrawl,
  removeFrontiers,
  removeOtherLanes,
} from "../../../src/agent/lanes/relane-crawl.ts";
import type { DepthLimits } from "../../../src/agent/links/link-gate.ts";
import { crawlOpenings } from "../../../src/agent/providers/crawl-openings.ts";
import type { CrawlWorld } from "../../../src/agent/providers/crawl-world.ts";
import { CrawlKeeper } from "../../../src/agent/providers/open-keeper.ts";
import { recoveryOf } from "../../../src/agent/recovery/read-before.ts";
import { CheckpointKeeper, type FoundCrawl } from "../../../src/agent/saving/checkpoint-keeper.ts";
import { loadCrawlTopology } from "../../../src/agent/topology/crawl-topology.ts";
import { type CrawlError, isCrawlError } from "../../../src/base/errors/index.ts";
import type { Clock } from "../../../src/base/seams/index.ts";
import {
  type Kernel,
  SimBackground,
  SimDatabases,
  SimDisk,
} from "../../../src/lab/simulator/index.ts";
import type { Configuration } from "../../../src/rules/config/index.ts";
import { importFrom } from "../../../src/rules/filter/index.ts";
import { MortalClock } from "../lab/simulated-world.ts";
import { Driver, Killed } from "./virtual-driver.ts";
import { virtualLanes } from "./virtual-lanes.ts";

/** The end of a run that nobody asked for, during its opening too. */
export interface Kill {
  /** After this many events of the run. */
  readonly steps: number;
  /** Whether power fails, so that what was not synced may be lost. */
  readonly isPower: boolean;
  /** They are counted from when this many transactions of the run took effect; from its start when left out. */
  readonly afterCommits?: number;
}

export interface VirtualRun {
  readonly configuration: Configuration;
  readonly seed: string;
  readonly kernel: Kernel;
  readonly disk: SimDisk;
  readonly openNetwork: OpenNetwork;
  readonly reports: CrawlError[];
  /** Null if it is not killed. */
  readonly kill: Kill | null;
  /** Whether there was a run before. */
  readonly isLater: boolean;
  /** Whether there is none after it. */
  readonly isLast: boolean;
  readonly depthsBefore: DepthLimits | null;
  /** Whether it waits for seeds when nothing is left. */
  readonly stays?: boolean;
  /** By how much the wall clock is wrong now; right when left out. */
  readonly wallShiftMs?: () => number;
  /** The longest latency of background work; as in `SimBackground` when left out. */
  readonly backgroundMsMax?: number;
  /** How long a message from lane to lane may take; as in `virtualLanes` when left out. */
  readonly wayMsMax?: number | undefined;
  /** Called when the configuration is changed while it runs. */
  readonly changed?: (configuration: Configuration) => void;
  /** Called before the crawl runs, to look at it meanwhile. */
  readonly prepared?: (crawl: RunningCrawl) => void;
}

/** Null if it was killed, or could not be opened, which the last run must be. */
export async function runVirtually(run: VirtualRun): Promise<CrawlSummary | null> {
  const { disk, kill, kernel } = run;
  const clock = new MortalClock(kernel.clock, run.wallShiftMs);
  const driver = new Driver(kernel, kill?.steps ?? null, committed(disk, kill?.afterCommits ?? 0));
  const deaths: (() => void)[] = [];
  try {
    return await runUntilEnd(run, { clock, driver, deaths });
  } catch (error) {
    if (isCrawlError(error) && !run.isLast) run.reports.push(error);
    else if (!(error instanceof Killed)) throw error;
    clock.die();
    for (const die of deaths) die();
    if (kill?.isPower === true) disk.crash();
    else disk.kill();
    return null;
  }
}

/** Says whether this many transactions have taken effect from now on. */
function committed(disk: SimDisk, count: number): () => boolean {
  if (count === 0) return () => true;
  let left = count;
  let { bytes } = disk.database("crawl.db");
  return () => {
    const now = disk.database("crawl.db").bytes;
    if (now !== bytes) left -= 1;
    bytes = now;
    return left <= 0;
  };
}

interface Process {
  readonly clock: Clock;
  readonly driver: Driver;
  /** What ends with the process. */
  readonly deaths: (() => void)[];
}

async function runUntilEnd(
  run: VirtualRun,
  { clock, driver, deaths }: Process,
): Promise<CrawlSummary> {
  const { configuration, kernel, disk, reports, isLater, depthsBefore, seed } = run;
  const { random } = kernel;
  const { backgroundMsMax: latencyMsMax, wayMsMax } = run;
  const latency = latencyMsMax === undefined ? {} : { latencyMsMax };
  const background = new SimBackground({
    ...{ clock, random: random.fork("background"), disk, ...latency },
  });
  const databases = new SimDatabases({ clock, disk, random: random.fork("databases") });
  deaths.push(
    () => background.close(() => undefined),
    () => databases.kill(),
  );
  const checkpoints = new CheckpointKeeper(databases, background, "crawl");
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
    mayHaveVisited: isKilled,
    openBackground: () => background,
    ...{ clock, background, seed, agent: "one", version: "0.0.0" },
    ...{ storage: disk.mount(clock), scratch: new SimDisk(random.fork("scratch")).mount(clock) },
    fingerprintKey: new Uint8Array(16).fill(7),
    secrets: { credentials: [], cookies: [] },
    openNetwork: run.openNetwork,
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
  if (saved !== null) await driver.drive(removeOtherLanes(storage, lanes));
  const common = {
    ...{ configuration, clock, storage: disk.mount(clock), stays: run.stays ?? false },
    ...{ saved, checkpoints, depthsBefore },
    seeds: saved === null || isKilled ? configuration.seeds : [],
    recorded: new RecordedConfiguration(configuration, run.changed ?? (() => undefined)),
    requeued: [],
    recovery: isKilled ? recoveryOf(read, configuration, world) : null,
    report: (error: CrawlError): void => void reports.push(error),
    closed: (): void => undefined,
  };
  if (lanes > 1) {
    const threads = virtualLanes({ clock, random, disk, deaths, wayMsMax }, world.openNetwork);
    crawl = newLanedCrawl({
      member: null,
      ...common,
      lanes,
      world,
      threads,
    });
  } else {
    const savedLane = saved?.lanes[0] ?? null;
    const openings = crawlOpenings(configuration, { ...world, savedLane });
    crawl = new Crawl({ ...common, openings, topology, remotes: null });
  }
  await driver.drive(crawl.prepare());
  run.prepared?.(crawl);
  const summary = await driver.drive(crawl.life.run());
  await driver.drive(new Promise<void>((resolve) => background.close(resolve)));
  return summary;
}
