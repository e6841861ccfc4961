/**
 * The time of one work in an instance, from its making to its end: what the work may call meanwhile, and
 * what it holds. A work that has been replaced may still have timers and promises of its own; when they
 * call, they are told from the work that stands in its place.
 */
import type { Emit, Workplace } from "../../unit/index.ts";
import type { OutputPort } from "../ports/output-port.ts";

/** The instance, as a work's calls reach it. */
export interface TenureHost {
  readonly inFlight: number;
  readonly waitingOut: number;
  readonly outputs: ReadonlyMap<string, OutputPort>;
  hold(): void;
  letGo(): void;
  wake(): void;
  finish(): void;
  /** This item is to wait at an output; false if it must not. */
  mayEmit(item: unknown): boolean;
  /** The work called what it must not call. */
  misused(problem: string): void;
}

export class Tenure implements Workplace {
  readonly emit: Readonly<Record<string, Emit<unknown>>>;
  readonly #host: TenureHost;
  #held = 0;
  #isOver = false;

  constructor(host: TenureHost) {
    this.#host = host;
    const emits = Array.from(host.outputs, ([role, port]) => [role, this.#emitter(role, port)]);
    this.emit = Object.fromEntries(emits);
  }

  /** Whether it has announced that it keeps something. */
  get holds(): boolean {
    return this.#held > 0;
  }

  get inFlight(): number {
    return this.#host.inFlight;
  }

  get waitingOut(): number {
    return this.#host.waitingOut;
  }

  readonly hold = (): void => {
    if (this.#isOver) return;
    this.#held += 1;
    this.#host.hold();
  };

  readonly letGo = (): void => {
    if (this.#isOver) return;
    if (this.#held === 0) {
      this.#host.misused("let go of more than it held");
      return;
    }
    this.#held -= 1;
    this.#host.letGo();
  };

  readonly wake = (): void => {
    if (!this.#isOver) this.#host.wake();
  };

  readonly finish = (): void => {
    if (!this.#isOver) this.#host.finish();
  };

  /** Nothing that the work calls has an effect from now on, and what it holds is given up. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (; this.#held > 0; this.#held -= 1) this.#host.letGo();
  }

  /** Emitting outside of a batch brings a run, which hands the items over. */
  #emitter(role: string, port: OutputPort): Emit<unknown> {
    const { emit } = port;
    const host = this.#host;
    return (item) => {
      if (this.#isOver) host.misused(`emitted an item to ${role} after its end, which is lost`);
      else if (item === undefined) host.misused(`emitted undefined to ${role}, which is no item`);
      else if (host.mayEmit(item)) emit(item);
      else host.misused(`emitted an item to ${role} that it had dropped, which is lost`);
    };
  }
}
