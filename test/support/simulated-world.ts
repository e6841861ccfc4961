/**
 * Simulated time for tests: an event heap behind the `Clock` seam and the `World` that drives it.
 * Nothing happens by itself; asking for an answer runs event after event until it has come.
 */
import assert from "node:assert/strict";
import type { World } from "../../src/conformance/index.ts";
import type { Clock, Timer } from "../../src/seams/index.ts";

interface SimulatedEvent {
  readonly atMs: number;
  readonly callback: () => void;
  isCancelled: boolean;
}

export class SimulatedTime implements Clock {
  readonly #events: SimulatedEvent[] = [];
  #nowMs = 0;

  nowMs(): number {
    return this.#nowMs;
  }

  wallMs(): number {
    return 1_000_000_000_000 + this.#nowMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    const event = { atMs: this.#nowMs + delayMs, callback, isCancelled: false };
    const later = this.#events.findLastIndex((other) => other.atMs <= event.atMs) + 1;
    this.#events.splice(later, 0, event);
    return {
      cancel: () => {
        event.isCancelled = true;
      },
    };
  }

  /** Runs the next event; false when there is none. */
  step(): boolean {
    const event = this.#events.shift();
    if (event === undefined) return false;
    this.#nowMs = event.atMs;
    if (!event.isCancelled) event.callback();
    return true;
  }

  /** Runs until nothing is left to happen. */
  settle(): void {
    while (this.step());
  }
}

/** The clock of one machine: when that dies, whatever it still meant to do never happens. */
export class MortalClock implements Clock {
  readonly #time: Clock;
  #isDead = false;

  constructor(time: Clock) {
    this.#time = time;
  }

  nowMs(): number {
    return this.#time.nowMs();
  }

  wallMs(): number {
    return this.#time.wallMs();
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
  return {
    answer: <Value>(start: (answered: (value: Value) => void) => void) => {
      const answers: Value[] = [];
      start((value) => answers.push(value));
      while (answers.length === 0) {
        assert(time.step(), "the simulated world fell silent before it answered");
      }
      return Promise.resolve(answers[0] as Value);
    },
  };
}
