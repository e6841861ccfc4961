/** Visit states with everything around them in memory, in virtual time. */
import type { FetchableUrl, HostName } from "../../../src/formats/url/index.ts";
import { AddressTable } from "../../../src/frontier/front/bench/address-table.ts";
import { VisitShares } from "../../../src/frontier/front/bench/visit-shares.ts";
import { Workbench } from "../../../src/frontier/front/bench/workbench.ts";
import {
  DEFAULT_FRONTIER_SETTINGS,
  type FrontierSettings,
} from "../../../src/frontier/front/frontier-settings.ts";
import { HostRules } from "../../../src/frontier/front/hosts/host-rules.ts";
import type { Supply, VisitHome } from "../../../src/frontier/front/hosts/state/visit-home.ts";
import { VisitLines } from "../../../src/frontier/front/hosts/state/visit-lines.ts";
import type { VisitState } from "../../../src/frontier/front/hosts/state/visit-state.ts";
import { VisitStates } from "../../../src/frontier/front/hosts/state/visit-states.ts";
import { CheckpointClock } from "../../../src/frontier/front/saving/checkpoint-clock.ts";
import { MemoryHostQueues, type QueueOrder } from "../../../src/frontier/queues/index.ts";
import { TicketWriter } from "../../../src/frontier/ticket/index.ts";
import { Kernel } from "../../../src/lab/simulator/index.ts";
import { toyFingerprint } from "./toy-crawl.ts";

export interface VisitHomeRig extends VisitHome {
  readonly kernel: Kernel;
  readonly workbench: Workbench;
  readonly shares: VisitShares;
  open(number: number): VisitState;
  /** Offers a new URL to a visit state. */
  offer(state: VisitState, path: string, priority?: number): void;
}

const WINDOW_RECORDS = 2;

export function visitHomeRig(
  order: QueueOrder = "fifo",
  settings: Partial<FrontierSettings> = {},
): VisitHomeRig {
  const kernel = new Kernel({ seed: "visit states" });
  const { clock } = kernel;
  const all = { ...DEFAULT_FRONTIER_SETTINGS, ...settings };
  const states = new VisitStates({
    ...{ clock, settings: all, rules: new HostRules(all), killedAtMs: null },
    crawlClock: CheckpointClock.begin(clock),
  });
  const ranksHosts = order === "priority";
  const { addressDelayMs, resolvesMax, visitsMax } = all;
  const workbench = new Workbench({
    ...{ addresses: new AddressTable(), addressDelayMs, ranks: ranksHosts },
  });
  const shares = new VisitShares(clock, visitsMax);
  const lines = new VisitLines({ clock, states, workbench, resolvesMax, shares, ranksHosts });
  const queues = new MemoryHostQueues(clock, order);
  const supply: Supply = {
    queues,
    order,
    hasRoom: ({ number, records }) =>
      order === "fifo" && queues.count(number) === 0 && records < WINDOW_RECORDS,
    isDormant: () => false,
    isDue: ({ number, records }) => records === 0 && queues.count(number) > 0,
    tryBegin: (state) => {
      queues.pull(state.number, order === "fifo" ? WINDOW_RECORDS : 1, (error, batch) => {
        if (error === null) state.fill(batch);
        else state.endFilling();
      });
      return true;
    },
  };
  const home = { states, lines, supply };
  const writer = new TicketWriter();
  return {
    ...home,
    ...{ kernel, workbench, shares },
    open: (number) => {
      const host = `h${number}.example` as HostName;
      return states.open({ number, host, crawlDelayMs: 0, end: null }, home);
    },
    offer: (state, path, priority = 0) => {
      const url = `http://${state.host}/${path}` as FetchableUrl;
      const from = { depth: 0, via: null, redirects: 0, priority };
      writer.tryWrite({ url, ...toyFingerprint(url), ...from }, 0);
      state.offer(writer.bytes, writer.queueFrom, writer.to, priority);
    },
  };
}
