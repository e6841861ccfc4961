/**
 * One life of a node: the process from a start to the crash that ends it. Everything that must not
 * outlive the process hangs on its life: the clock with its timers, callbacks that are waiting, the
 * transport with its listeners. What outlives it (the disk) is kept by the code that boots the node,
 * which learns of the end by `onEnd`.
 *
 * Every callback into the code under test passes through `deliver`. So when the life has ended
 * nothing of it runs again, and while it is paused everything waits.
 */
import assert from "node:assert/strict";
import type { Random } from "../../../base/seams/index.ts";
import type { AgentId } from "../../../base/transport/index.ts";
import type { Kernel } from "./kernel.ts";
import type { Oscillator } from "./oscillator.ts";
import { SimClock } from "./sim-clock.ts";
import type { Undo } from "./undo.ts";

/** What woke the code: a timer, or something that arrived from outside. */
export type Wake = "timer" | "arrival";

export interface LifeParts {
  readonly kernel: Kernel;
  readonly nodeId: AgentId;
  readonly incarnation: number;
  readonly monotonic: Oscillator;
  readonly wall: Oscillator;
}

export class Life {
  readonly nodeId: AgentId;
  /** 1 for the first life of the node, then 2, … */
  readonly incarnation: number;
  readonly clock: SimClock;
  /** The random numbers of this life alone. */
  readonly random: Random;
  readonly #kernel: Kernel;
  readonly #ends: (() => void)[] = [];
  #waiting: { readonly wake: Wake; readonly run: () => void }[] = [];
  /** Counts down the callbacks after which something is to happen. */
  readonly #fuses = new Set<{ left: number; readonly burnt: () => void }>();
  #isPaused = false;
  #hasEnded = false;

  constructor(parts: LifeParts) {
    this.#kernel = parts.kernel;
    this.nodeId = parts.nodeId;
    this.incarnation = parts.incarnation;
    this.random = parts.kernel.random.fork(`life/${parts.nodeId}/${parts.incarnation}`);
    this.clock = new SimClock({
      kernel: parts.kernel,
      monotonic: parts.monotonic,
      wall: parts.wall,
      originMs: this.random.fork("origin").below(1_000_000),
      fire: (run) => this.deliver("timer", run),
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Runs a callback of this life: now, when the pause is over, or never if life is. */
  deliver(wake: Wake, run: () => void): void {
    if (this.#hasEnded) return;
    const { trace } = this.#kernel;
    if (this.#isPaused) {
      this.#waiting.push({ wake, run });
      if (trace.isOn) trace.add("~", this.nodeId, wake);
      return;
    }
    if (wake === "timer") trace.add("t", this.nodeId, "");
    run();
    if (this.#fuses.size > 0) this.#burn();
  }

  /**
   * Calls `burnt` right after this many more callbacks of this life have run. Instants of virtual
   * time mostly fall where nothing happens; counted in callbacks, a fault hits the short time
   * between two steps of the code as often as any other.
   */
  afterWakes(wakes: number, burnt: () => void): Undo {
    const fuse = { left: wakes, burnt };
    this.#fuses.add(fuse);
    return () => this.#fuses.delete(fuse);
  }

  /** Called once, when this life ends, for example for the node's disk. */
  onEnd(callback: () => void): void {
    assert(!this.#hasEnded, "a life that is over ends no second time");
    this.#ends.push(callback);
  }

  pause(): void {
    this.#isPaused = true;
  }

  /**
   * Lets everything that waited happen now, one event each, so that it can be checked in between.
   * An event loop that wakes up may see its timers first, or its sockets, or a mixture: `order`
   * chooses.
   */
  resume(order: "as-it-came" | "timers-first" | "arrivals-first"): void {
    this.#isPaused = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#kernel.trace.add("w", this.nodeId, `${waiting.length} waiting, ${order}`);
    const first: Wake = order === "arrivals-first" ? "arrival" : "timer";
    const isFirst = (wake: Wake): boolean => order === "as-it-came" || wake === first;
    const inOrder = [
      ...waiting.filter(({ wake }) => isFirst(wake)),
      ...waiting.filter(({ wake }) => !isFirst(wake)),
    ];
    for (const { wake, run } of inOrder) this.#kernel.schedule(0, () => this.deliver(wake, run));
  }

  #burn(): void {
    for (const fuse of this.#fuses) {
      fuse.left -= 1;
      if (fuse.left > 0) continue;
      this.#fuses.delete(fuse);
      fuse.burnt();
    }
  }

  end(): void {
    this.#hasEnded = true;
    this.#fuses.clear();
    this.#waiting = [];
    this.clock.end();
    for (const callback of this.#ends) callback();
  }
}
