/**
 * How the thread of a topology steers its other threads: calls by name, each with one answer, and events
 * that the other side tells by itself. The names are the methods of a `System` that units elsewhere must
 * be reached by; their arguments and answers are plain values.
 */
import { carry, rebuild } from "../../base/background/index.ts";
import { CrawlError, isCrawlError } from "../../base/errors/index.ts";
import type { ConnectorStatus, System, UnitStatus } from "../runtime/index.ts";
import type { Port } from "./port.ts";

/** What can be asked of a thread. `open` is the first call, `close` the last. */
export interface ThreadControl
  extends Pick<
    System,
    | "start"
    | "drain"
    | "close"
    | "changeSettings"
    | "suspend"
    | "resume"
    | "setInstances"
    | "remove"
  > {
  open(): Promise<void>;
  units(): UnitStatus[];
  connectors(): ConnectorStatus[];
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

/** The steering side: calls, and hears of answers and events. */
export class ThreadCaller {
  readonly #port: Port<Call, Notice>;
  readonly #events: ThreadEvents;
  readonly #pending = new Map<number, Pending>();
  #number = 0;
  #death: CrawlError | null = null;

  constructor(port: Port<Call, Notice>, events: ThreadEvents) {
    this.#port = port;
    this.#events = events;
    port.listen((notice) => this.#hear(notice));
  }

  get isDead(): boolean {
    return this.#death !== null;
  }

  call<Name extends CallName>(
    name: Name,
    ...args: Parameters<ThreadControl[Name]>
  ): Promise<Awaited<ReturnType<ThreadControl[Name]>>> {
    if (this.#death !== null) return Promise.reject(this.#death);
    this.#number += 1;
    const number = this.#number;
    return new Promise((resolve, reject) => {
      // Throws, and so rejects, if the arguments cannot be copied.
      this.#port.post({ number, name, args });
      this.#pending.set(number, { resolve, reject });
    });
  }

  /** The thread has ended: nothing will be answered any more. */
  die(error: CrawlError): void {
    this.#death = error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
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
        this.#events.report(rebuild(notice.error));
        break;
      case "failed":
        this.#events.failed(rebuild(notice.error));
        break;
      case "finished":
        this.#events.finished();
        break;
    }
  }

  #settled(number: number): Pending | undefined {
    const pending = this.#pending.get(number);
    this.#pending.delete(number);
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
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new CrawlError(
    "INTERNAL_UNIT",
    `A unit on another thread failed: ${why}.`,
    { why },
    thrown,
  );
}
