/** Puts a frontier together. Memory or disk: only the sieve and the queues differ. */
import type { CrawlError } from "../../base/errors/index.ts";
import { EMPTY_TABLE, type KeyTable, MemoryKeyTable, openRunTable } from "../../base/runs/index.ts";
import {
  type Background,
  type Clock,
  type Done,
  type FileName,
  type Random,
  type Storage,
  withValue,
} from "../../base/seams/index.ts";
import type { HostName } from "../../formats/url/index.ts";
import {
  type HostQueues,
  HostTable,
  MemoryHostQueues,
  openDiskHostQueues,
  openHostTable,
} from "../queues/index.ts";
import { MemorySieve, openDiskSieve, type Sieve, type SieveListener } from "../sieve/index.ts";
import type { Ticket } from "../ticket/index.ts";
import { PromotingQueues, type TraversalName } from "../traversal/index.ts";
import { AddressTable } from "./bench/address-table.ts";
import { AliasBench } from "./bench/alias-bench.ts";
import type { AliasTable } from "./bench/alias-table.ts";
import { VisitShares } from "./bench/visit-shares.ts";
import { Workbench } from "./bench/workbench.ts";
import type { Frontier, FrontierListener, RefusalListener, RefusedSeed } from "./frontier.ts";
import { FrontierMemory } from "./frontier-memory.ts";
import { type FrontierPlan, planOf } from "./frontier-plan.ts";
import type { FrontierSettings } from "./frontier-settings.ts";
import { HostFrontier } from "./host-frontier.ts";
import { Distributor } from "./hosts/distributor.ts";
import { GoneUrls } from "./hosts/gone-urls.ts";
import { HostLedger } from "./hosts/host-ledger.ts";
import { HostRules } from "./hosts/host-rules.ts";
import { VisitLines } from "./hosts/state/visit-lines.ts";
import { VisitStates } from "./hosts/state/visit-states.ts";
import { Tally } from "./hosts/tally.ts";
import { CheckpointClock } from "./saving/checkpoint-clock.ts";
import type { FrontierCheckpoint } from "./saving/frontier-checkpoint.ts";
import { restoreFrontier, restSinceKill } from "./saving/restore-frontier.ts";
import { DEPTH_ENTRY_BYTES, DepthBook, type DepthBookParts } from "./visits/depth-book.ts";
import { EndedUrls } from "./visits/ended-urls.ts";
import { HeldErrands } from "./visits/held-errands.ts";
import type { RobotsElsewhere } from "./visits/robots-desk.ts";
import { TriedUrls } from "./visits/tried-urls.ts";

export interface FrontierOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly listener: FrontierListener;
  /** What is left out is as in the configuration's defaults. */
  readonly settings?: Partial<FrontierSettings>;
  /** The `fetch` filter, asked just before the fetch; everything when left out. */
  readonly mayFetch?: (ticket: Ticket) => boolean;
  /**
   * Whether tickets come from another frontier that waits for what becomes of each: none is dropped
   * because it came before, they are visited in the order in which they came, and `seedRefused` is told
   * of every one that is refused.
   */
  readonly isAsked?: boolean;
  /** Told of each seed that is refused, inside the call that refuses it; must not call back. */
  readonly seedRefused?: (refused: RefusedSeed) => void;
  /** Told of every URL that is refused; nobody is when left out. */
  readonly refusals?: RefusalListener | null;
  /** Told of internal faults that ended the work on this URL alone. */
  readonly faulted?: (error: CrawlError, url: string) => void;
  /** Has a robots.txt fetched by another lane, if that has its host; left out if there is no other. */
  readonly robotsElsewhere?: RobotsElsewhere | undefined;
  /** Gets URLs that come out for hosts that are with another agent by now; left out if there is none. */
  readonly passOn?: (ticket: Ticket) => void;
  /** Gets shorter ways to URLs of hosts here whose pages other agents may have; left out if there is none. */
  readonly nearer?: (ticket: Ticket) => void;
  /** Whether a host is this agent's, and not about to leave; left out if there is no other agent. */
  readonly isOurs?: (host: HostName) => boolean;
  /** Whether the owner says when errands are over, so that checkpoints have those that are not. */
  readonly holdsErrands?: boolean;
  /** Breadth-first per host when left out. */
  readonly traversal?: TraversalName;
  /** Shared by all lanes of an agent; one of its own when left out. */
  readonly addresses?: AddressTable;
  /** Shared in the same way; left out or null, every name is a host by itself. */
  readonly aliases?: AliasTable | null;
}

/** A frontier that is gone with the process. */
export function openMemoryFrontier(options: FrontierOptions): Frontier {
  const { clock, random } = options;
  const plan = planOf(options);
  const assembly = assembled(options, plan, {
    queues: new MemoryHostQueues(clock, plan.traversal.order),
    table: new HostTable(random.fork("hosts")),
    depths: null,
    sieveBytes: Number.POSITIVE_INFINITY,
    queueBytes: Number.POSITIVE_INFINITY,
  });
  return assembly.finish(memorySieve(options, plan, assembly.listener));
}

export interface DiskFrontierOptions extends FrontierOptions {
  readonly storage: Storage;
  readonly background: Background;
  readonly addresses: AddressTable;
  /** The frontier has this folder to itself. */
  readonly folder: FileName;
  /** For the sieve's batches. */
  readonly sieveBytes: number;
  /** For records that are not yet on disk. */
  readonly queueBytes: number;
  /** Up to how many URLs the sieve decides in memory; as it thinks best when left out. */
  readonly smallSieveUrls?: number;
  /** How long a file of its logs grows. */
  readonly segmentBytesMax?: number;
  /** What to go on from; null for an empty frontier. */
  readonly checkpoint?: FrontierCheckpoint | null;
  /**
   * Whether the process that took the checkpoint went on after it and was killed. What it did since is
   * undone, and every host and address is left alone for its whole delay first, since nobody knows when
   * it was visited.
   */
  readonly wasKilled?: boolean;
}

/**
 * A frontier whose memory does not depend on the number of URLs: what was seen and what waits is on
 * disk.
 */
export function openDiskFrontier(options: DiskFrontierOptions, done: Done<Frontier>): void {
  const { clock, storage, background, random, folder, listener } = options;
  const { sieveBytes, queueBytes, smallSieveUrls } = options;
  const { checkpoint = null, segmentBytesMax } = options;
  const files = segmentBytesMax === undefined ? {} : { segmentBytesMax };
  const marks = checkpoint?.marks ?? null;
  const plan = planOf(options);
  const { order, repeats } = plan.traversal;
  const openTable = (queues: HostQueues): void => {
    const chance = random.fork("hosts");
    const tableOptions = { storage, random: chance, folder: `${folder}/hosts` };
    openHostTable(
      { ...tableOptions, ...files, marks: marks?.names ?? null },
      withValue(done, (table) => {
        openDepths(
          options,
          plan,
          withValue(done, (depths) => openSieve({ queues, table, depths, sieveBytes, queueBytes })),
        );
      }),
    );
  };
  const openSieve = (opened: OpenedHosts): void => {
    const assembly = assembled(options, plan, opened);
    const finish = (sieve: Sieve): void => {
      const frontier = assembly.finish(sieve);
      const error = checkpoint === null ? null : assembly.restore(frontier, checkpoint);
      if (error === null) done(null, frontier);
      else frontier.close(() => done(error, undefined));
    };
    const sieveMarks = marks?.sieve ?? null;
    if (repeats) {
      finish(memorySieve(options, plan, assembly.listener, sieveMarks));
      return;
    }
    const sieveOptions = {
      ...{ clock, storage, background, random, folder: `${folder}/sieve`, marks: sieveMarks },
      ...{ withDepth: plan.withDepth, memoryBytes: sieveBytes, listener: assembly.listener },
      ...files,
      ...(smallSieveUrls === undefined ? {} : { smallKeysMax: smallSieveUrls }),
    };
    openDiskSieve(sieveOptions, withValue(done, finish));
  };
  const queueOptions = {
    ...{ storage, random, order, folder: `${folder}/queues`, memoryBytes: queueBytes },
    ...{ ...files, marks: marks?.queues ?? null },
    report: listener.failed.bind(listener),
  };
  openDiskHostQueues(queueOptions, withValue(done, openTable));
}

/** Where every URL may come again, the sieve has nothing to remember. */
function memorySieve(
  { clock }: FrontierOptions,
  { withDepth, traversal }: FrontierPlan,
  listener: SieveListener,
  marks: string | null = null,
): Sieve {
  return new MemorySieve({ clock, listener, withDepth, forgets: traversal.repeats, marks });
}

const DEPTHS_PART = 8;
const DEPTHS_BYTES_MAX = 16 * 1024 * 1024;

/** A part of the memory for hosts is for the URLs that have ended, if those must be known. */
function openDepths(
  options: DiskFrontierOptions,
  plan: FrontierPlan,
  done: Done<KeyTable | null>,
): void {
  const { storage, background, listener } = options;
  if (!plan.withDepth || plan.traversal.repeats) {
    done(null, null);
    return;
  }
  const memoryBytes = Math.min(DEPTHS_BYTES_MAX, plan.settings.memoryBytes / DEPTHS_PART);
  const report = listener.failed.bind(listener);
  const folder = `${options.folder}/depths`;
  const marks = options.checkpoint?.marks.depths ?? EMPTY_TABLE;
  const table = { storage, background, folder, memoryBytes, report, marks };
  openRunTable({ ...table, valueBytes: DEPTH_ENTRY_BYTES, fillsFilter: true }, done);
}

/** What a frontier keeps of all hosts. */
interface OpenedHosts {
  /** Null where better depths are not kept, or not on disk. */
  readonly depths: KeyTable | null;
  /** The shares of sieve and queues. */
  readonly sieveBytes: number;
  readonly queueBytes: number;
  readonly queues: HostQueues;
  readonly table: HostTable;
}

/** A frontier that lacks its sieve, which is opened with the listener. */
interface Assembly {
  readonly listener: SieveListener;
  finish(sieve: Sieve): HostFrontier;
  /** Goes on from a checkpoint; the error if that is not possible. */
  restore(frontier: HostFrontier, checkpoint: FrontierCheckpoint): CrawlError | null;
}

function assembled(
  options: FrontierOptions & Pick<DiskFrontierOptions, "checkpoint" | "wasKilled">,
  plan: FrontierPlan,
  opened: OpenedHosts,
): Assembly {
  const { clock, random, listener, mayFetch = () => true, seedRefused = () => {} } = options;
  const { faulted = () => {}, passOn = () => {}, nearer = () => {} } = options;
  const { refusals = null, isOurs = null, checkpoint = null, wasKilled = false } = options;
  const { settings, traversal, isAsked } = plan;
  const { order, ranksHosts, promotes } = traversal;
  let frontier: HostFrontier;
  let memory: FrontierMemory;
  const woken = (): void => frontier.tell(() => listener.woken());
  const failed = (error: CrawlError): void => listener.failed(error);
  const ledger = new HostLedger(opened.table);
  const tally = new Tally();
  const rules = new HostRules(settings);
  const crawlClock =
    checkpoint === null
      ? CheckpointClock.begin(clock)
      : CheckpointClock.since(clock, checkpoint.marks);
  const killedAtMs = wasKilled ? clock.nowMs() : null;
  const states = new VisitStates({ clock, settings, rules, crawlClock, killedAtMs });
  const held = new HeldErrands(options.holdsErrands ?? false);
  const addresses = options.addresses ?? new AddressTable();
  const { addressDelayMs, resolvesMax } = settings;
  const workbench = new Workbench({ addresses, addressDelayMs, ranks: ranksHosts });
  const shares = new VisitShares(clock, settings.visitsMax);
  const aliasTable = options.aliases ?? null;
  if (killedAtMs !== null) restSinceKill({ addresses, aliasTable, settings }, killedAtMs);
  const aliases = aliasTable === null ? null : new AliasBench(aliasTable, ranksHosts);
  const waited = { clock, states, workbench, aliases, resolvesMax, shares, ranksHosts };
  const lines = new VisitLines(waited);
  const promoting = promotes ? new PromotingQueues(opened.queues) : null;
  const queues = promoting ?? opened.queues;
  const compared = { depth: settings.keepsDepths, hostDepth: settings.keepsHostDepths };
  const depths = plan.withDepth
    ? depthBook({ compared, table: opened.depths, woken, failed, elsewhere: nearer })
    : null;
  const ended = new EndedUrls({ repeats: traversal.repeats, tally, ledger, depths });
  const tried = new TriedUrls();
  const gone = new GoneUrls({ ledger, passOn, nearer, isOurs });
  const distributor = new Distributor({
    ...{ clock, random, settings, queues, order, ledger, states, lines, tally, woken, failed },
    ...{ ended, gone, statesBytesMax: () => memory.statesBytesMax },
    refused: distributed(isAsked ? seedRefused : null, refusals),
  });
  const sieveListener: SieveListener = {
    fresh: (batch, more) => distributor.fresh(batch, more),
    improved: (high, low, depth, record) => {
      if (depths !== null) gone.improved(depths, { high, low, depth, record });
      woken();
    },
    room: () => frontier.offerAgain(),
    idle: () => distributor.sieveIdle(),
    failed,
  };
  const finish = (sieve: Sieve): HostFrontier => {
    memory = new FrontierMemory({
      ...{ sieve, queues, states, depths, hosts: [ledger, distributor] },
      get memoryBytes() {
        return settings.memoryBytes;
      },
      sieveBytes: opened.sieveBytes,
      queueBytes: opened.queueBytes,
    });
    frontier = new HostFrontier({
      ...{ clock, random, settings, mayFetch, sieve, queues, ledger, states, lines, shares },
      ...{ traversal, promoting, distributor, tally, depths, memory, faulted, isAsked },
      ...{ failed, seedRefused, addresses, aliasTable, rules, refusals, crawlClock, ended, held },
      ...{ tried, robotsElsewhere: options.robotsElsewhere },
      closeNames: (done) => opened.table.close(done),
    });
    return frontier;
  };
  const restore = (made: HostFrontier, saved: FrontierCheckpoint): CrawlError | null => {
    const parts = { queues, promoting, ledger, rules, states, tally, depths, distributor };
    const tables = { addresses, aliasTable, tried };
    const error = restoreFrontier({ crawlClock, ...tables, settings, ended, ...parts }, saved);
    if (error === null) made.restoreOverflow(saved.marks.overflow);
    return error;
  };
  return { listener: sieveListener, finish, restore };
}

function depthBook({
  table,
  ...parts
}: Omit<DepthBookParts, "table"> & { readonly table: KeyTable | null }): DepthBook {
  return new DepthBook({ ...parts, table: table ?? new MemoryKeyTable() });
}

/** Who is told of what is refused before it comes to its host; null if nobody is. */
function distributed(
  seedRefused: ((refused: RefusedSeed) => void) | null,
  refusals: RefusalListener | null,
): ((refused: RefusedSeed) => void) | null {
  if (refusals === null) return seedRefused;
  return (refused) => {
    seedRefused?.(refused);
    refusals.refused(refused, () => null);
  };
}
