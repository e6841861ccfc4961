/** Puts a frontier together. Memory or disk: only the sieve and the queues differ. */
import type { CrawlError } from "../errors/index.ts";
import { type HostQueues, MemoryHostQueues, openDiskHostQueues } from "../queues/index.ts";
import {
  type Background,
  type Clock,
  type Done,
  type FileName,
  type Random,
  type Storage,
  withValue,
} from "../seams/index.ts";
import {
  type FreshBatch,
  MemorySieve,
  openDiskSieve,
  type Sieve,
  type SieveListener,
} from "../sieve/index.ts";
import { AddressTable } from "./address-table.ts";
import { DepthBook } from "./depth-book.ts";
import { Distributor } from "./distributor.ts";
import type { Frontier, FrontierListener, RefusedSeed, Ticket } from "./frontier.ts";
import { DEFAULT_FRONTIER_SETTINGS, type FrontierSettings } from "./frontier-settings.ts";
import { HostFrontier } from "./host-frontier.ts";
import { HostLedger } from "./host-ledger.ts";
import { PromotingQueues } from "./promoting-queues.ts";
import { Schedule } from "./schedule.ts";
import { Tally } from "./tally.ts";
import { TRAVERSALS, type Traversal, type TraversalName } from "./traversal.ts";
import { VisitStates } from "./visit-states.ts";
import { Workbench } from "./workbench.ts";

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
  /** Breadth-first per host when left out. */
  readonly traversal?: TraversalName;
  /** Shared by all lanes of an agent; one of its own when left out. */
  readonly addresses?: AddressTable;
}

/** A frontier that is gone with the process. */
export function openMemoryFrontier(options: FrontierOptions): Frontier {
  const { clock, settings } = options;
  const { order, repeats: forgets } = traversalOf(options);
  const { keepsDepths: withDepth } = { ...DEFAULT_FRONTIER_SETTINGS, ...settings };
  const queues = new MemoryHostQueues({ clock, order, memoryBytes: Number.POSITIVE_INFINITY });
  return assembled(options, queues, (listener) => {
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
  const { clock, storage, background, random, folder, listener, settings } = options;
  const { order, repeats } = traversalOf(options);
  const { keepsDepths: withDepth } = { ...DEFAULT_FRONTIER_SETTINGS, ...settings };
  const queueOptions = {
    ...{ storage, random, order, folder: `${folder}/queues`, memoryBytes: options.queueBytes },
    marks: null,
    report: listener.failed.bind(listener),
  };
  const openSieve = (queues: HostQueues): void => {
    if (repeats) {
      const sieve = { clock, withDepth: false, forgets: true, marks: null };
      const listen = (target: SieveListener): Sieve =>
        new MemorySieve({ ...sieve, listener: target });
      done(null, assembled(options, queues, listen));
      return;
    }
    const later = new LaterSieve();
    const sieveOptions = {
      ...{ storage, background, random, withDepth, folder: `${folder}/sieve`, marks: null },
      ...{ memoryBytes: options.sieveBytes, listener: later },
    };
    const opened = (sieve: Sieve): void => {
      done(
        null,
        assembled(options, queues, (target) => later.opened(sieve, target)),
      );
    };
    openDiskSieve(sieveOptions, withValue(done, opened));
  };
  openDiskHostQueues(queueOptions, withValue(done, openSieve));
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

function traversalOf({ traversal = "breadth-first" }: FrontierOptions): Traversal {
  return TRAVERSALS[traversal];
}

function assembled(
  options: FrontierOptions,
  opened: HostQueues,
  openSieve: (listener: SieveListener) => Sieve,
): Frontier {
  const { clock, random, listener, mayFetch = () => true, seedRefused = () => {} } = options;
  const traversal = traversalOf(options);
  const { order, ranksHosts, promotes } = traversal;
  const settings = { ...DEFAULT_FRONTIER_SETTINGS, ...options.settings };
  const ledger = new HostLedger();
  const tally = new Tally();
  const states = new VisitStates(settings);
  const addresses = options.addresses ?? new AddressTable();
  const { addressDelayMs, resolvesMax } = settings;
  const workbench = new Workbench({ addresses, addressDelayMs, ranks: ranksHosts });
  const schedule = new Schedule({ clock, states, workbench, resolvesMax, ranksHosts });
  const promoting = promotes ? new PromotingQueues(opened) : null;
  const queues = promoting ?? opened;
  const depths = settings.keepsDepths ? new DepthBook() : null;
  const distributor = new Distributor({
    ...{ clock, settings, queues, promoting, order, ledger, states, schedule, tally },
    woken: () => frontier.tell(() => listener.woken()),
    failed: (error) => listener.failed(error),
  });
  schedule.refill = distributor;
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
  const parts = { clock, random, settings, mayFetch, sieve, queues, ledger, states, schedule };
  const frontier = new HostFrontier({
    ...parts,
    ...{ traversal, promoting, distributor, tally, depths, seedRefused },
  });
  return frontier;
}
