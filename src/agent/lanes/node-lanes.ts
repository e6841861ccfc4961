/** Real threads for the lanes of a crawl, each with a way to the desk and to every other lane. */
import { type MessagePort, Worker } from "node:worker_threads";
import type { Clock } from "../../base/seams/index.ts";
import { openChannel, ThreadPort } from "../../topology/threads/index.ts";
import type { LaneThreadData } from "./lane-program.ts";
import { LaneProxy, type LaneProxyParts } from "./lane-proxy.ts";
import type { LaneData } from "./open-lane.ts";

/** Compiled, the program lies beside this file with another ending. */
const PROGRAM: URL = new URL(
  import.meta.url.endsWith(".ts") ? "./lane-program.ts" : "./lane-program.js",
  import.meta.url,
);

export class NodeLanes {
  readonly #clock: Clock;
  readonly #workers: Worker[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  start(
    lanes: readonly LaneData[],
    parts: Pick<LaneProxyParts, "take" | "died">,
  ): readonly LaneProxy[] {
    const ports = channels(lanes.length);
    return lanes.map((lane, number) => {
      const own = ports[number] ?? new Map();
      const workerData: LaneThreadData = {
        ...{ lane, ports: own, clockOriginMs: performance.timeOrigin },
      };
      const worker = new Worker(PROGRAM, {
        ...{ name: `trobar-lane-${number}`, workerData, transferList: [...own.values()] },
        // Inherited, some flags of the process would keep the thread from starting.
        execArgv: [],
      });
      this.#workers.push(worker);
      const proxy = new LaneProxy({
        ...parts,
        ...{ number, clock: this.#clock, port: new ThreadPort(worker) },
      });
      let cause: unknown;
      worker.on("error", (error) => {
        cause = error;
      });
      worker.on("exit", (code) => proxy.ended(cause ?? new Error(`exit code ${code}`)));
      return proxy;
    });
  }

  /** Whatever they do. */
  async end(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

/** A channel for every pair of lanes: by lane, its ends by the number of the other. */
function channels(count: number): Map<number, MessagePort>[] {
  const ends = Array.from({ length: count }, () => new Map<number, MessagePort>());
  for (let one = 0; one < count; one += 1) {
    for (let other = one + 1; other < count; other += 1) {
      const [first, second] = openChannel();
      ends[one]?.set(other, first);
      ends[other]?.set(one, second);
    }
  }
  return ends;
}
