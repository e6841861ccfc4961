/**
 * How the thread of a topology steers its other threads: calls by name, each with one answer, and events
 * that the other side tells by itself. The names are the methods of a `System` that units elsewhere must
 * be reached by; their arguments and answers are plain values.
 */
import { carry, rebuild } from "../../base/background/index.ts";
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import type { Clock, Timer } from "../../base/seams/index.ts";
import { thrownReason } from "../../base/text/index.ts";
import {
  type ConnectorForm,
  type ConnectorStatus,
  refused,
  type System,
  type UnitStatus,
} from "../runtime/index.ts";
import type { Port } from "./port.ts";

/** What can be asked of a thread. `open` is the first call, `close` the last. */
export interface ThreadControl
  extends Pick<
    System,
    | "start"
    | "halt"
    | "drain"
    | "close"
    | "changeSettings"
    | "suspend"
    | "resume"
    | "setInstances"
    | "remove"
  > {
  open(): Promise<void>;
  /** Is answered at once, by a thread that can answer. */
  ping(): void;
  units(): UnitStatus[];
  connectors(): ConnectorStatus[];
  /** Puts another connector behind an id; of one that joins threads, the part of it that is here. */
  swapConnector(id: string, form: ConnectorForm): Promise<void>;
  /** All threads have swapped their parts: producers here may fill the whole of it. */
  widenConnector(id: string): void;
  /** Whether no item is on the way from here to another thread, or waits where one could come from. */
  areLanesSettled(): boolean;
}

type CallName = keyof ThreadControl;
type Carried = ReturnType<typeof carry>;

export interface Call {
  readonly number: number;
  readonly name: CallName;
  readonly args: readonly unknown[];
}

export type Notice =
  | { readonly kind: "answered"; readonly number: number; readonly value: unknown }
  | { readonly kind: "refused"; readonly number: number; readonly error: Carried }
  | { readonly kind: "reported" | "failed"; readonly error: Carried }
  | { readonly kind: "finished" };

export interface ThreadEvents {
  readonly report: (error: CrawlError) => void;
  readonly failed: (error: CrawlError) => void;
  readonly finished: () => void;
}

interface Pending {
  readonly resolve: (value: never) => void;
  readonly reject: (error: CrawlError) => void;
}

export interface ThreadCallerParts extends ThreadEvents {
  readonly clock: Clock;
  /** The name of the thread. */
  readonly thread: string;
  /** How long a thread may be silent while it is asked for something. */
  readonly patienceMs: number;
}

/** A thread is asked this often in its time of patience whether it still answers. */
const PINGS_PER_PATIENCE = 2;

/**
 * The steering side: calls, and hears of answers and events. An answer may take its time, but a thread
 * that is silent all the while is *stuck*: a unit there keeps it from doing anything else. Calls are
 * refused then, and are carried out again once something is heard of it.
 */
export class ThreadCaller {
  readonly #port: Port<Call, Notice>;
  readonly #parts: ThreadCallerParts;
  readonly #pending = new Map<number, Pending>();
  #number = 0;
  #death: CrawlError | null = null;
  #watch: Timer | null = null;
  /** Pings since something was last heard. */
  #silentPings = 0;

  constructor(port: Port<Call, Notice>, parts: ThreadCallerParts) {
    this.#port = port;
    this.#parts = parts;
    port.listen((notice) => {
      this.#silentPings = 0;
      this.#hear(notice);
    });
  }

  get isDead(): boolean {
    return this.#death !== null;
  }

  call<Name extends CallName>(
    name: Name,
    ...args: Parameters<ThreadControl[Name]>
  ): Promise<Awaited<ReturnType<ThreadControl[Name]>>> {
    if (this.#death !== null) return Promise.reject(this.#death);
    if (this.isStuck) return Promise.reject(this.#stuck());
    return new Promise((resolve, reject) => {
      // Throws, and so rejects, if the arguments cannot be copied.
      const number = this.#post(name, args);
      this.#pending.set(number, { resolve, reject });
      if (this.#watch === null) this.#ping();
    });
  }

  get isStuck(): boolean {
    return this.#silentPings > PINGS_PER_PATIENCE;
  }

  /** The thread has ended: nothing will be answered any more. */
  die(error: CrawlError): void {
    this.#death = error;
    this.#refuseAll(error);
  }

  #post(name: CallName, args: readonly unknown[]): number {
    this.#number += 1;
    this.#port.post({ number: this.#number, name, args });
    return this.#number;
  }

  /** Goes on while something is asked for. */
  #ping(): void {
    this.#silentPings += 1;
    if (this.isStuck) {
      this.#refuseAll(this.#stuck());
      return;
    }
    this.#post("ping", []);
    const { clock, patienceMs } = this.#parts;
    this.#watch = clock.after(patienceMs / PINGS_PER_PATIENCE, () => this.#ping());
  }

  #refuseAll(error: CrawlError): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.#stopWatching();
  }

  #stopWatching(): void {
    this.#watch?.cancel();
    this.#watch = null;
  }

  #stuck(): CrawlError {
    const { thread, patienceMs } = this.#parts;
    return new CrawlError(
      "TOPOLOGY_THREAD_STUCK",
      `The thread ${thread} of the topology has not answered for ${patienceMs} ms: a unit there ` +
        "computes without a pause, perhaps for ever. Let it do its work in pieces; closing the " +
        "topology ends the thread.",
      { thread, patienceMs },
    );
  }

  #hear(notice: Notice): void {
    switch (notice.kind) {
      case "answered":
        this.#settled(notice.number)?.resolve(notice.value as never);
        break;
      case "refused":
        this.#settled(notice.number)?.reject(rebuild(notice.error));
        break;
      case "reported":
        this.#parts.report(rebuild(notice.error));
        break;
      case "failed":
        this.#parts.failed(rebuild(notice.error));
        break;
      case "finished":
        this.#parts.finished();
        break;
    }
  }

  #settled(number: number): Pending | undefined {
    const pending = this.#pending.get(number);
    this.#pending.delete(number);
    if (this.#pending.size === 0) this.#stopWatching();
    return pending;
  }
}

/** The side that is steered: carries calls out, and tells of events. */
export class ThreadAnswerer implements ThreadEvents {
  readonly #port: Port<Notice, Call>;

  constructor(port: Port<Notice, Call>) {
    this.#port = port;
  }

  serve(control: ThreadControl): void {
    this.#port.listen((call) => void this.#answer(control, call));
  }

  readonly report = (error: CrawlError): void => {
    this.#port.post({ kind: "reported", error: carry(error) });
  };

  readonly failed = (error: CrawlError): void => {
    this.#port.post({ kind: "failed", error: carry(error) });
  };

  readonly finished = (): void => {
    this.#port.post({ kind: "finished" });
  };

  async #answer(control: ThreadControl, { number, name, args }: Call): Promise<void> {
    try {
      const method = control[name] as (...args: readonly unknown[]) => unknown;
      const value = await method.apply(control, [...args]);
      this.#port.post({ kind: "answered", number, value });
    } catch (thrown) {
      this.#port.post({ kind: "refused", number, error: carry(threadError(thrown)) });
    }
  }
}

/** An error with a code, whatever was thrown. */
export function threadError(thrown: unknown): CrawlError {
  if (isCrawlError(thrown)) return thrown;
  const why = thrownReason(thrown);
  return new CrawlError(
    "INTERNAL_UNIT",
    `A unit on another thread failed: ${why}.`,
    { why },
    thrown,
  );
}

/** For a thread that ended by itself. */
export function threadEnded(thread: string, cause: unknown): CrawlError {
  const why = thrownReason(cause);
  return new CrawlError(
    "TOPOLOGY_THREAD_ENDED",
    `The thread ${thread} of the topology ended: ${why}. Items that were there are lost; if memory ` +
      "ran out, give the process more, or spread its components over more threads.",
    { thread, why },
    cause,
  );
}

/** Values that cannot be given to another thread are refused like others. */
export async function asked(answer: Promise<unknown>, thread: string): Promise<void> {
  try {
    await answer;
  } catch (thrown) {
    if (!(thrown instanceof DOMException)) throw thrown;
    throw refused(`the values cannot be given to the thread ${thread}: ${thrown.message}`);
  }
}
