/**
 * Simulated time for tests of one process: the simulator's kernel as a `Clock`, and the `World`
 * that drives it. Nothing happens by itself; asking for an answer runs event after event until it
 * has come.
 */

import type { Clock, Timer } from "../../../src/base/seams/index.ts";
import type { World } from "../../../src/lab/conformance/index.ts";
import { Kernel, simulatedWorld as worldOf } from "../../../src/lab/simulator/index.ts";

const SETTLED = { stepsMax: 10_000_000, virtualMsMax: 1e12 };

export class SimulatedTime implements Clock {
  readonly kernel: Kernel = new Kernel({ seed: "simulated time" });

  nowMs(): number {
    return this.kernel.nowMs;
  }

  wallMs(): number {
    return this.kernel.clock.wallMs();
  }

  after(delayMs: number, callback: () => void): Timer {
    return this.kernel.schedule(delayMs, callback);
  }

  /** Runs the next event; false when there is none. */
  step(): boolean {
    return this.kernel.step();
  }

  /** Runs until nothing is left to happen. */
  settle(): void {
    this.kernel.runUntil(() => false, SETTLED);
  }
}

/** The clock of one machine: when that dies, its timers never fire. Somebody may have set its wall clock. */
export class MortalClock implements Clock {
  readonly #time: Clock;
  readonly #wallShiftMs: () => number;
  #isDead = false;

  constructor(time: Clock, wallShiftMs: () => number = () => 0) {
    this.#time = time;
    this.#wallShiftMs = wallShiftMs;
  }

  nowMs(): number {
    return this.#time.nowMs();
  }

  wallMs(): number {
    return this.#time.wallMs() + this.#wallShiftMs();
  }

  after(delayMs: number, callback: () => void): Timer {
    return this.#time.after(delayMs, () => {
      if (!this.#isDead) callback();
    });
  }

  die(): void {
    this.#isDead = true;
  }
}

export function simulatedWorld(time: SimulatedTime): World {
  return worldOf(time.kernel);
}
