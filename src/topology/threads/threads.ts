/** What a topology needs of threads: channels between them, and to start and end them. */
import type { Call, Notice } from "./control.ts";
import type { Port } from "./port.ts";

/** `End` is one end of a channel, as it is given to a thread. */
export interface Threads<End> {
  openChannel(): Channel<End>;
  /** An end that stays on this thread. */
  portOf(end: End): Port<unknown, unknown>;
  start(start: ThreadStart<End>): RunningThread;
}

export type Channel<End> = readonly [End, End];

export interface ThreadStart<End> {
  readonly thread: string;
  /** The ends that the thread gets, by the names of their lanes. */
  readonly lanes: ReadonlyMap<string, End>;
  /** Told once, when the thread has ended, for whatever reason. */
  readonly died: (cause: unknown) => void;
}

export interface RunningThread {
  readonly port: Port<Call, Notice>;
  /** Ends it at once; resolves when it has ended. */
  end(): Promise<void>;
}
