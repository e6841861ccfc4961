/** Puts a frontier together. Memory or disk: only the sieve and the queues differ. */
import type { CrawlError } from "../../base/errors/index.ts";
import { type KeyTable, MemoryKeyTable, openRunTable } from "../../base/runs/index.ts";
import {
  type Background,
  type Clock,
  type Done,
  type FileName,
  type Random,
  type Storage,
  withValue,
} from "../../base/seams/index.ts";
import {
  type HostQueues,
  type HostTable,
  MemoryHostQueues,
  memoryHostTable,
  openDiskHostQueues,
  openHostTable,
} from "../queues/index.ts";
import {
  type FreshBatch,
  MemorySieve,
  openDiskSieve,
  type Sieve,
  type SieveListener,
} from "../sieve/index.ts";
import type { Ticket } from "../ticket/index.ts";
import {
  PromotingQueues,
  TRAVERSALS,
  type Traversal,
  type TraversalName,
  withRequisites,
} from "../traversal/index.ts";
import { AddressTable } from "./bench/address-table.ts";
import { VisitShares } from "./bench/visit-shares.ts";
import { Workbench } from "./bench/workbench.ts";
import type { Frontier, FrontierListener, RefusedSeed } from "./frontier.ts";
import { FrontierMemory } from "./frontier-memory.ts";
import { DEFAULT_FRONTIER_SETTINGS, type FrontierSettings } from "./frontier-settings.ts";
import { HostFrontier } from "./host-frontier.ts";
import { Distributor } from "./hosts/distributor.ts";
import { HostLedger } from "./hosts/host-ledger.ts";
import { Tally } from "./hosts/tally.ts";
import { VisitLines } from "./hosts/visit-lines.ts";
import { VisitStates } from "./hosts/visit-states.ts";
import { DEPTH_ENTRY_BYTES, DepthBook } from "./visits/depth-book.ts";

export interface FrontierOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly listener: FrontierListener;
  /** What is left out is as in the configuration's defaults. */
  readonly settings?: Partial<FrontierSettings>;
  /** The `fetch` filter, asked just before the fetch; everything when left out. */
  readonly mayFetch?: (ticket: Ticket) => boolean;
  /** Told of each seed that is refused, inside the call that refuses it; must not call back. */
  readonly seedRefused?: (refused: RefusedSeed) => void;
  /** Told of internal faults that ended the work on this URL alone. */
  readonly faulted?: (error: CrawlError, url: string) => void;
  /** Breadth-first per host when left out. */
  readonly traversal?: TraversalName;
  /** Shared by all lanes of an agent; one of its own when left out. */
  readonly addresses?: AddressTable;
}

/** A frontier that is gone with the process. */
export function openMemoryFrontier(options: FrontierOptions): Frontier {
  const { clock, random, settings } = options;
  const { order, repeats: forgets } = traversalOf(options);
  const { keepsDepths, takesRequisites } = { ...DEFAULT_FRONTIER_SETTINGS, ...settings };
  const withDepth = keepsDepths || takesRequisites;
  const queues = new MemoryHostQueues({ clock, order, memoryBytes: Number.POSITIVE_INFINITY });
  const opened = {
    queues,
    table: memoryHostTable(random.fork("hosts")),
    depths: null,
    sieveBytes: Number.POSITIVE_INFINITY,
    queueBytes: Number.POSITIVE_INFINITY,
  };
  return assembled(options, opened, (listener) => {
    return new MemorySieve({ clock, listener, withDepth, forgets, marks: null });
  });
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
}

/** A frontier whose memory does not depend on the number of URLs: what was seen and what waits is on disk. */
export function openDiskFrontier(options: DiskFrontierOptions, done: Done<Frontier>): void {
  const { storage, random, folder, listener } = options;
  const { order, repeats } = traversalOf(options);
  const queueOptions = {
    ...{ storage, random, order, folder: `${folder}/queues`, memoryBytes: options.queueBytes },
    marks: null,
    report: listener.failed.bind(listener),
  };
  const chance = random.fork("hosts");
  const tableOptions = { storage, random: chance, folder: `${folder}/hosts`, marks: null };
  const openNames = (queues: HostQueues): void => {
    const openSieve = (table: HostTable): void => {
      const { sieveBytes, queueBytes } = options;
      const hosts = { queues, table, sieveBytes, queueBytes };
      const walk = (target: SieveListener): Sieve => walkSieve(options, target);
      const assemble = (depths: KeyTable | null): void => {
        if (repeats) done(null, assembled(options, { ...hosts, depths }, walk));
        else openWithSieve(options, { ...hosts, depths }, done);
      };
      openDepths(options, withValue(done, assemble));
    };
    openHostTable(tableOptions, withValue(done, openSieve));
  };
  openDiskHostQueues(queueOptions, withValue(done, openNames));
}

const DEPTHS_PART = 8;
const DEPTHS_BYTES_MAX = 16 * 1024 * 1024;

/** Where every URL may come again there is nothing to remember, and nothing to put on disk. */
function walkSieve({ clock }: DiskFrontierOptions, listener: SieveListener): Sieve {
  return new MemorySieve({ clock, listener, withDepth: false, forgets: true, marks: null });
}

/** A part of the memory for hosts is for what has ended, when that must be known. */
function openDepths(options: DiskFrontierOptions, done: Done<KeyTable | null>): void {
  const { storage, background, listener } = options;
  const settings = { ...DEFAULT_FRONTIER_SETTINGS, ...options.settings };
  const isNeeded = settings.keepsDepths || settings.takesRequisites;
  if (!isNeeded || traversalOf(options).repeats) {
    done(null, null);
    return;
  }
  const memoryBytes = Math.min(DEPTHS_BYTES_MAX, settings.memoryBytes / DEPTHS_PART);
  const report = listener.failed.bind(listener);
  const folder = `${options.folder}/depths`;
  const table = { storage, background, folder, memoryBytes, report };
  openRunTable({ ...table, valueBytes: DEPTH_ENTRY_BYTES }, done);
}

function openWithSieve(
  options: DiskFrontierOptions,
  opened: OpenedHosts,
  done: Done<Frontier>,
): void {
  const { storage, background, random, folder, settings, sieveBytes: memoryBytes } = options;
  const { keepsDepths, takesRequisites } = { ...DEFAULT_FRONTIER_SETTINGS, ...settings };
  const withDepth = keepsDepths || takesRequisites;
  const later = new LaterSieve();
  const sieveOptions = {
    ...{ storage, background, random, withDepth, folder: `${folder}/sieve`, marks: null },
    ...{ memoryBytes, listener: later },
  };
  const assemble = (sieve: Sieve): void => {
    done(
      null,
      assembled(options, opened, (target) => later.opened(sieve, target)),
    );
  };
  openDiskSieve(sieveOptions, withValue(done, assemble));
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

/** A sieve is opened before there is a frontier to listen to it; nothing is told before. */
class LaterSieve implements SieveListener {
  #target: SieveListener | null = null;

  opened(sieve: Sieve, target: SieveListener): Sieve {
    this.#target = target;
    return sieve;
  }

  fresh(batch: FreshBatch, more: () => void): void {
    this.#target?.fresh(batch, more);
  }

  improved(high: number, low: number, depth: number): void {
    this.#target?.improved(high, low, depth);
  }

  room(): void {
    this.#target?.room();
  }

  idle(): void {
    this.#target?.idle();
  }

  failed(error: CrawlError): void {
    this.#target?.failed(error);
  }
}

function traversalOf({ traversal = "breadth-first", settings }: FrontierOptions): Traversal {
  const plain = TRAVERSALS[traversal];
  return settings?.takesRequisites === true ? withRequisites(plain) : plain;
}

function assembled(
  options: FrontierOptions,
  opened: OpenedHosts,
  openSieve: (listener: SieveListener) => Sieve,
): Frontier {
  const { clock, random, listener, mayFetch = () => true, seedRefused = () => {} } = options;
  const { faulted = () => {} } = options;
  const traversal = traversalOf(options);
  const { order, ranksHosts, promotes } = traversal;
  const settings = { ...DEFAULT_FRONTIER_SETTINGS, ...options.settings };
  const ledger = new HostLedger(opened.table);
  const tally = new Tally();
  const states = new VisitStates(clock, settings);
  const addresses = options.addresses ?? new AddressTable();
  const { addressDelayMs, resolvesMax } = settings;
  const workbench = new Workbench({ addresses, addressDelayMs, ranks: ranksHosts });
  const shares = new VisitShares(clock, settings.visitsMax);
  const lines = new VisitLines({ clock, states, workbench, resolvesMax, shares, ranksHosts });
  const promoting = promotes ? new PromotingQueues(opened.queues) : null;
  const queues = promoting ?? opened.queues;
  const { keepsDepths: comparesPages, takesRequisites } = settings;
  const depths =
    comparesPages || takesRequisites
      ? new DepthBook({
          comparesPages,
          table: opened.depths ?? new MemoryKeyTable(),
          woken: () => frontier.tell(() => listener.woken()),
          failed: (error) => listener.failed(error),
        })
      : null;
  const distributor = new Distributor({
    ...{ clock, random, settings, queues, order, ledger, states, lines, tally },
    statesBytesMax: () => memory.statesBytesMax,
    woken: () => frontier.tell(() => listener.woken()),
    failed: (error) => listener.failed(error),
  });
  const sieve = openSieve({
    fresh: (batch, more) => distributor.fresh(batch, more),
    improved: (high, low, depth) => {
      depths?.improved(high, low, depth);
      frontier.tell(() => listener.woken());
    },
    room: () => frontier.offerAgain(),
    idle: () => distributor.sieveIdle(),
    failed: (error) => listener.failed(error),
  });
  const parts = {
    clock,
    random,
    settings,
    mayFetch,
    sieve,
    queues,
    ledger,
    states,
    lines,
    shares,
  };
  const memory = new FrontierMemory({
    ...{ sieve, queues, states, depths, hosts: [ledger, distributor] },
    memoryBytes: settings.memoryBytes,
    sieveBytes: opened.sieveBytes,
    queueBytes: opened.queueBytes,
  });
  const frontier = new HostFrontier({
    ...parts,
    ...{ traversal, promoting, distributor, tally, depths, seedRefused, faulted },
    memory,
    closeNames: (done) => opened.table.close(done),
  });
  return frontier;
}
