/**
 * The clock of one life of a node. It counts by the oscillators of the node's machine, so it may
 * drift, its wall side may jump, and it stands still while the machine sleeps; its monotonic side
 * never goes back. Its origin is drawn for each life, so code that keeps a monotonic instant on disk
 * and compares it after a restart is caught.
 */
import assert from "node:assert/strict";
import type { Clock, Timer } from "../../../base/seams/index.ts";
import { type Kernel, onGrid } from "./kernel.ts";
import type { Oscillator } from "./oscillator.ts";

export interface SimClockParts {
  readonly kernel: Kernel;
  readonly monotonic: Oscillator;
  readonly wall: Oscillator;
  /** Added to what the monotonic oscillator shows. */
  readonly originMs: number;
  /** Runs what a timer of this clock is for, now or when the node is no longer paused. */
  readonly fire: (run: () => void) => void;
}

export class SimClock implements Clock {
  readonly #parts: SimClockParts;
  /** Every timer that has neither rung nor been cancelled, in the order of setting. */
  readonly #timers = new Set<SimTimer>();
  #hasEnded = false;

  constructor(parts: SimClockParts) {
    this.#parts = parts;
  }

  nowMs(): number {
    return this.#parts.originMs + this.#parts.monotonic.nowMs;
  }

  wallMs(): number {
    return Math.floor(this.#parts.wall.nowMs);
  }

  after(delayMs: number, callback: () => void): Timer {
    assert(delayMs >= 0 && Number.isFinite(delayMs), "a delay is a number of milliseconds");
    const shownMs = onGrid(this.nowMs() + delayMs) - this.#parts.originMs;
    const timer = new SimTimer(this.#timers, shownMs, callback);
    if (this.#hasEnded) return timer;
    this.#timers.add(timer);
    this.#arm(timer);
    return timer;
  }

  /** To be called whenever the oscillator was changed: the timers wait by the new rate. */
  retime(): void {
    for (const timer of this.#timers) {
      timer.event?.cancel();
      timer.event = null;
      this.#arm(timer);
    }
  }

  /** The life is over: no timer rings any more. */
  end(): void {
    this.#hasEnded = true;
    for (const timer of this.#timers) timer.cancel();
  }

  #arm(timer: SimTimer): void {
    const { kernel, monotonic, fire } = this.#parts;
    if (timer.isFired || monotonic.isStopped) return;
    const atMs = monotonic.reachesAtMs(timer.shownMs);
    timer.event = kernel.scheduleAt(atMs, () => {
      timer.event = null;
      timer.isFired = true;
      fire(() => timer.ring());
    });
  }
}

class SimTimer implements Timer {
  /** What the monotonic oscillator shows when this timer is due. */
  readonly shownMs: number;
  /** Set while the kernel has an event for it. */
  event: Timer | null = null;
  /** Its time has come, though the callback may have to wait for the end of a pause. */
  isFired = false;
  readonly #timers: Set<SimTimer>;
  readonly #callback: () => void;

  constructor(timers: Set<SimTimer>, shownMs: number, callback: () => void) {
    this.#timers = timers;
    this.shownMs = shownMs;
    this.#callback = callback;
  }

  ring(): void {
    if (this.#timers.delete(this)) this.#callback();
  }

  cancel(): void {
    this.#timers.delete(this);
    this.event?.cancel();
    this.event = null;
  }
}
