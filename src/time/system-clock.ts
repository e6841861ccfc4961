/**
 * The real clock. `nowMs` is the operating system's monotonic clock; timers are Node's.
 *
 * Node rounds delays to whole milliseconds, fires early by up to one, and treats more than
 * 2^31 - 1 ms as 1 ms; the contract promises "at least `delayMs`", so a timer that wakes too soon
 * goes to sleep again for the rest.
 */
import type { Clock, Timer } from "../seams/index.ts";

const DELAY_MS_MAX = 2 ** 31 - 1;

export class SystemClock implements Clock {
  nowMs(): number {
    return performance.now();
  }

  wallMs(): number {
    return Date.now();
  }

  after(delayMs: number, callback: () => void): Timer {
    return new SystemTimer(this, this.nowMs() + delayMs, callback);
  }
}

class SystemTimer implements Timer {
  readonly #clock: Clock;
  readonly #dueAtMs: number;
  readonly #callback: () => void;
  #handle: NodeJS.Timeout;

  constructor(clock: Clock, dueAtMs: number, callback: () => void) {
    this.#clock = clock;
    this.#dueAtMs = dueAtMs;
    this.#callback = callback;
    this.#handle = this.#sleep();
  }

  cancel(): void {
    clearTimeout(this.#handle);
  }

  #sleep(): NodeJS.Timeout {
    const restMs = Math.ceil(this.#dueAtMs - this.#clock.nowMs());
    return setTimeout(() => this.#wake(), Math.min(Math.max(restMs, 0), DELAY_MS_MAX));
  }

  #wake(): void {
    if (this.#clock.nowMs() < this.#dueAtMs) this.#handle = this.#sleep();
    else this.#callback();
  }
}
