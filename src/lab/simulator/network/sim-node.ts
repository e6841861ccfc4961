/**
 * A node: a machine with a name on which one process lives, dies and lives again. The machine's
 * oscillators keep running through crashes; whatever else outlives one (a disk) belongs to the code
 * that made the node.
 *
 * A node is down, running, or paused. A paused one is a *zombie*: it does nothing, then wakes up
 * with old plans in a world that has moved on. Calls that make no sense in a state do nothing, so
 * that faults of any schedule can be combined.
 */
import type { Random } from "../../../base/seams/index.ts";
import type { AgentId } from "../../../base/transport/index.ts";
import { EPOCH_MS, type Kernel } from "../kernel/kernel.ts";
import { Life } from "../kernel/life.ts";
import { Oscillator } from "../kernel/oscillator.ts";

/** Starts the node's program: builds it from what this life offers. */
export type Boot = (life: Life) => void;

const WAKE_ORDERS = ["as-it-came", "timers-first", "arrivals-first"] as const;

export class SimNode {
  readonly id: AgentId;
  readonly #kernel: Kernel;
  readonly #boot: Boot;
  readonly #random: Random;
  readonly #monotonic: Oscillator;
  readonly #wall: Oscillator;
  #life: Life | null = null;
  #incarnation = 0;

  /** The node is down until `start`. */
  constructor(kernel: Kernel, id: AgentId, boot: Boot) {
    this.id = id;
    this.#kernel = kernel;
    this.#boot = boot;
    this.#random = kernel.random.fork(`node/${id}`);
    this.#monotonic = new Oscillator(kernel, 0);
    this.#wall = new Oscillator(kernel, EPOCH_MS);
  }

  /** The present life; null while the node is down. */
  get life(): Life | null {
    return this.#life;
  }

  /** How often the node was started. */
  get incarnation(): number {
    return this.#incarnation;
  }

  start(): void {
    if (this.#life !== null) return;
    this.#incarnation += 1;
    this.#kernel.trace.add("+", this.id, `life ${this.#incarnation}`);
    this.#life = new Life({
      kernel: this.#kernel,
      nodeId: this.id,
      incarnation: this.#incarnation,
      monotonic: this.#monotonic,
      wall: this.#wall,
    });
    this.#boot(this.#life);
  }

  /** Ends the present life at once: no timer, callback or listener of it runs any more. */
  crash(): void {
    const life = this.#life;
    if (life === null) return;
    this.#kernel.trace.add("x", this.id, `life ${this.#incarnation}`);
    this.#life = null;
    this.#monotonic.go();
    life.end();
  }

  /**
   * Holds back every callback until `resume`. When the whole `machine` sleeps, the monotonic clock
   * stands still too; when only the `process` is stopped, it runs on.
   */
  pause(what: "process" | "machine" = "process"): void {
    if (this.#life === null) return;
    this.#kernel.trace.add("z", this.id, what);
    this.#life.pause();
    if (what === "process") return;
    this.#monotonic.stop();
    this.#life.clock.retime();
  }

  resume(): void {
    if (this.#life === null || !this.#life.isPaused) return;
    if (this.#monotonic.isStopped) {
      this.#monotonic.go();
      this.#life.clock.retime();
    }
    this.#life.resume(WAKE_ORDERS[this.#random.below(WAKE_ORDERS.length)] ?? "as-it-came");
  }

  /** From now on both clocks of the machine gain `ppm` microseconds a second, or lose them. */
  drift(ppm: number): void {
    this.#kernel.trace.add("c", this.id, `drift ${ppm} ppm`);
    this.#monotonic.drift(ppm);
    this.#wall.drift(ppm);
    this.#life?.clock.retime();
  }

  /** Somebody sets the wall clock. */
  jumpWall(byMs: number): void {
    this.#kernel.trace.add("c", this.id, `wall ${byMs} ms`);
    this.#wall.jump(byMs);
  }
}
