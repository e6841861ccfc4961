/** Real threads: Node's workers, with the ends of lanes that they need. */
import { type MessagePort, Worker } from "node:worker_threads";
import { openChannel, ThreadPort } from "./thread-port.ts";
import type { ThreadData } from "./thread-program.ts";
import type { Channel, RunningThread, ThreadStart, Threads } from "./threads.ts";
import type { TopologySource } from "./topology-source.ts";

/** Compiled, the program of the thread lies beside this file with another ending. */
const PROGRAM: URL = new URL(
  import.meta.url.endsWith(".ts") ? "./thread-program.ts" : "./thread-program.js",
  import.meta.url,
);

export interface NodeThreadsOptions {
  /** How large the heap of a thread may grow before it dies; not given, what Node allows. */
  readonly heapMiBMax?: number;
}

export class NodeThreads implements Threads<MessagePort> {
  readonly #source: TopologySource;
  readonly #options: NodeThreadsOptions;

  constructor(source: TopologySource, options: NodeThreadsOptions = {}) {
    this.#source = source;
    this.#options = options;
  }

  openChannel(): Channel<MessagePort> {
    return openChannel();
  }

  portOf(end: MessagePort): ThreadPort<unknown, unknown> {
    return new ThreadPort(end);
  }

  start({ thread, lanes, died }: ThreadStart<MessagePort>): RunningThread {
    const { heapMiBMax } = this.#options;
    const workerData: ThreadData = { thread, source: this.#source, lanes };
    const worker = new Worker(PROGRAM, {
      ...{ name: `trobar-${thread}`, workerData, transferList: [...lanes.values()] },
      resourceLimits: heapMiBMax === undefined ? {} : { maxOldGenerationSizeMb: heapMiBMax },
      // Inherited, some flags of the process would keep the thread from starting.
      execArgv: [],
    });
    let cause: unknown;
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", (code) => died(cause ?? new Error(`it ended with exit code ${code}`)));
    return {
      port: new ThreadPort(worker),
      async end() {
        await worker.terminate();
      },
    };
  }
}
