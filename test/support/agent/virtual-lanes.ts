/** Lanes of a virtual crawl: in this thread, under simulated time, with ports whose messages are copied. */
import { LaneProxy } from "../../../src/agent/lanes/lane-proxy.ts";
import { type LaneWorld, openLane } from "../../../src/agent/lanes/open-lane.ts";
import type { LaneThreads } from "../../../src/agent/lanes/open-laned-crawl.ts";
import type { RouterMessage } from "../../../src/agent/lanes/router/link-router.ts";
import type { Clock, Random } from "../../../src/base/seams/index.ts";
import { SimBackground, SimDatabases, SimDisk } from "../../../src/lab/simulator/index.ts";
import { importFrom } from "../../../src/rules/filter/index.ts";
import { MemoryPort } from "../topology/memory-ports.ts";

/** How long a message may take to another thread. */
const DELAY_MS_MAX = 3;

export interface VirtualMachine {
  readonly clock: Clock;
  readonly random: Random;
  readonly disk: SimDisk;
  /** What ends with the process. */
  readonly deaths: (() => void)[];
  /** How long a message from lane to lane may take; as to the desk when left out. */
  readonly wayMsMax?: number | undefined;
}

export function virtualLanes(
  { clock, random: all, disk, deaths, wayMsMax = DELAY_MS_MAX }: VirtualMachine,
  openNetwork: LaneWorld["openNetwork"],
): LaneThreads {
  const random = all.fork("lanes");
  const pair = <One, Other>(delayMsMax: number) =>
    MemoryPort.pair<One, Other>(clock, random.below(delayMsMax));
  const backgrounds: SimBackground[] = [];
  return {
    start(lanes, parts) {
      const ports = lanes.map(() => new Map<number, MemoryPort<RouterMessage, RouterMessage>>());
      for (const [one, ways] of ports.entries()) {
        for (let other = one + 1; other < lanes.length; other += 1) {
          const [first, second] = pair<RouterMessage, RouterMessage>(wayMsMax);
          ways.set(other, first);
          ports[other]?.set(one, second);
        }
      }
      return lanes.map((data, number) => {
        const [atDesk, atLane] = pair<never, never>(DELAY_MS_MAX);
        const background = new SimBackground({
          clock,
          random: random.fork(`task ${number}`),
          disk,
        });
        const databases = new SimDatabases({
          clock,
          disk,
          random: random.fork(`databases ${number}`),
        });
        backgrounds.push(background);
        deaths.push(
          () => background.close(() => undefined),
          () => databases.kill(),
        );
        const world: LaneWorld = {
          ...{ clock, clockOffsetMs: 0, background, openBackground: () => background },
          ...{ openNetwork, importModule: importFrom(".") },
          storage: disk.mount(clock),
          scratch: new SimDisk(random.fork(`scratch ${number}`)).mount(clock),
          databases,
          port: atLane,
          ports: ports[number] ?? new Map(),
        };
        void openLane(data, world).then((run) => run.open());
        return new LaneProxy({ ...parts, number, clock, port: atDesk });
      });
    },
    async end() {
      for (const background of backgrounds) background.close(() => undefined);
    },
  };
}
