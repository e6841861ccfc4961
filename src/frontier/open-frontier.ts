/** Puts a frontier together. Memory or disk: only the sieve and the queues differ. */
import { type HostQueues, MemoryHostQueues, type QueueOrder } from "../queues/index.ts";
import type { Clock, Random } from "../seams/index.ts";
import { MemorySieve, type Sieve, type SieveListener } from "../sieve/index.ts";
import { AddressTable } from "./address-table.ts";
import { DepthBook } from "./depth-book.ts";
import { Distributor } from "./distributor.ts";
import type { Frontier, FrontierListener, Ticket } from "./frontier.ts";
import { DEFAULT_FRONTIER_SETTINGS, type FrontierSettings } from "./frontier-settings.ts";
import { HostFrontier } from "./host-frontier.ts";
import { HostLedger } from "./host-ledger.ts";
import { Schedule } from "./schedule.ts";
import { Tally } from "./tally.ts";
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
  /** The order of the URLs of one host; the oldest first when left out. */
  readonly order?: QueueOrder;
  /** Shared by all lanes of an agent; one of its own when left out. */
  readonly addresses?: AddressTable;
}

/** A frontier that is gone with the process. */
export function openMemoryFrontier(options: FrontierOptions): Frontier {
  const { clock, settings, order = "fifo" } = options;
  const { keepsDepths } = { ...DEFAULT_FRONTIER_SETTINGS, ...settings };
  const queues = new MemoryHostQueues({ clock, order, memoryBytes: Number.POSITIVE_INFINITY });
  return assembled(options, queues, (listener) => {
    return new MemorySieve({ clock, listener, withDepth: keepsDepths, marks: null });
  });
}

function assembled(
  options: FrontierOptions,
  queues: HostQueues,
  openSieve: (listener: SieveListener) => Sieve,
): Frontier {
  const { clock, random, listener, order = "fifo", mayFetch = () => true } = options;
  const settings = { ...DEFAULT_FRONTIER_SETTINGS, ...options.settings };
  const ledger = new HostLedger();
  const tally = new Tally();
  const states = new VisitStates(settings);
  const addresses = options.addresses ?? new AddressTable();
  const workbench = new Workbench({ addresses, addressDelayMs: settings.addressDelayMs });
  const schedule = new Schedule({ clock, states, workbench, resolvesMax: settings.resolvesMax });
  const depths = settings.keepsDepths ? new DepthBook() : null;
  const distributor = new Distributor({
    ...{ clock, settings, queues, order, ledger, states, schedule, tally },
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
  const frontier = new HostFrontier({ ...parts, distributor, tally, depths });
  return frontier;
}
