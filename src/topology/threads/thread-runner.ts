/**
 * What a thread does for its topology: loads it, runs a `System` of the components that are placed here,
 * and lets the thread of the topology steer that.
 */
import type { Clock } from "../../base/seams/index.ts";
import { type LoadedTopology, wireAgain } from "../description/index.ts";
import { type ConnectorForm, type ConnectorWiring, System } from "../runtime/index.ts";
import {
  type Call,
  type Notice,
  ThreadAnswerer,
  type ThreadControl,
  threadError,
} from "./control.ts";
import type { LaneEnds, ThreadSurroundings } from "./lane-ends.ts";
import type { Port } from "./port.ts";
import { wiringOfThread } from "./thread-wiring.ts";

export interface ThreadRunnerParts extends Pick<ThreadSurroundings, "thread" | "portOf"> {
  readonly clock: Clock;
  readonly port: Port<Notice, Call>;
  /** The whole topology, of which this thread runs its part. */
  readonly load: () => Promise<Pick<LoadedTopology, "wiring" | "library">>;
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
  let lanes: ReadonlyMap<string, LaneEnds> = new Map();
  let wire: (id: string, form: ConnectorForm) => ConnectorWiring;
  const open = async (): Promise<void> => {
    const { wiring, library } = await load();
    const part = wiringOfThread(wiring, surroundings);
    lanes = part.lanes;
    wire = (id, form) => wireAgain(id, form, library);
    await system.open(part);
  };
  const control: ThreadControl = {
    open,
    ping: () => undefined,
    start: () => system.start(),
    halt: () => system.halt(),
    drain: () => system.drain(),
    close: (ending) => system.close(ending),
    units: () => system.units(),
    connectors: () => system.connectors(),
    changeSettings: (id, values) => system.changeSettings(id, values),
    suspend: (id) => system.suspend(id),
    resume: (id) => system.resume(id),
    setInstances: (id, count) => system.setInstances(id, count),
    remove: (id) => system.remove(id),
    swapConnector: async (id, form) => {
      const wiring = wire(id, form);
      await system.swapConnector(lanes.get(id)?.successor(wiring) ?? wiring);
    },
    widenConnector: (id) => lanes.get(id)?.widen(),
    areLanesSettled: () => [...lanes.values()].every(({ isSettled }) => isSettled),
  };
  answerer.serve(control);
}
