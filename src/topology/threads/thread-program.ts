/** The program of a thread on which components of a topology are placed. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { SystemClock } from "../../base/time/index.ts";
import { ThreadPort } from "./thread-port.ts";
import { serveThread } from "./thread-runner.ts";
import { loadSourceAgain, type TopologySource } from "./topology-source.ts";

/** What a thread is given when it starts. */
export interface ThreadData {
  readonly thread: string;
  readonly source: TopologySource;
  /** This thread's ends of lanes, by the names of the lanes. */
  readonly lanes: ReadonlyMap<string, MessagePort>;
}

const { thread, source, lanes }: ThreadData = workerData;

if (parentPort !== null) {
  serveThread({
    thread,
    clock: new SystemClock(),
    port: new ThreadPort(parentPort),
    load: () => loadSourceAgain(source, thread),
    portOf(lane) {
      const port = lanes.get(lane);
      if (port === undefined) throw new Error(`the thread ${thread} has no lane ${lane}`);
      return new ThreadPort(port);
    },
  });
}
