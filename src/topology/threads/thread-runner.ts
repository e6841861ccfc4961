/**
 * What a thread does for its topology: loads it, runs a `System` of the components that are placed here,
 * and lets the thread of the topology steer that.
 */
import type { Clock } from "../../base/seams/index.ts";
import { System, type Wiring } from "../runtime/index.ts";
import {
  type Call,
  type Notice,
  ThreadAnswerer,
  type ThreadControl,
  threadError,
} from "./control.ts";
import type { Port } from "./port.ts";
import { type ThreadSurroundings, wiringOfThread } from "./thread-wiring.ts";

export interface ThreadRunnerParts extends Pick<ThreadSurroundings, "thread" | "portOf"> {
  readonly clock: Clock;
  readonly port: Port<Notice, Call>;
  /** The whole wiring, of which this thread runs its part. */
  readonly load: () => Promise<Wiring>;
}

/** Answers from now on; `open` is the first call. */
export function serveThread({ clock, port, load, ...placed }: ThreadRunnerParts): void {
  const answerer = new ThreadAnswerer(port);
  const { report, failed, finished } = answerer;
  const system = new System({ clock, report, failed, finished });
  const surroundings: ThreadSurroundings = {
    ...{ ...placed, clock, report },
    failed: (error) => failed(threadError(error)),
  };
  const control: ThreadControl = {
    open: async () => system.open(wiringOfThread(await load(), surroundings)),
    ping: () => undefined,
    start: () => system.start(),
    halt: () => system.halt(),
    drain: () => system.drain(),
    close: () => system.close(),
    units: () => system.units(),
    connectors: () => system.connectors(),
    changeSettings: (id, values) => system.changeSettings(id, values),
    suspend: (id) => system.suspend(id),
    resume: (id) => system.resume(id),
    setInstances: (id, count) => system.setInstances(id, count),
    remove: (id) => system.remove(id),
  };
  answerer.serve(control);
}
