/**
 * Which instances have something to do, and whose turn it is. Instances that were woken run one after
 * another, a batch of items each, in the order of waking, for a bounded time in each turn of the event
 * loop: sockets, disks and timers are served in between, however much there is to do.
 *
 * Waking costs no timer and no promise for each item: one timer of zero delay for all who wait.
 */
import type { Clock } from "../../../base/seams/index.ts";

export interface Runnable {
  /** Written by `Turns` alone: whether it waits for its turn. */
  isWoken: boolean;
  /** Does a bounded piece of work. Wakes itself if there is more. */
  run(): void;
}

const TURN_MS = 8;
/** The clock is looked at after this many runs. */
const RUNS_PER_LOOK = 8;
/** For units that keep each other busy while the clock stands still, as in a simulation. */
const RUNS_PER_TURN_MAX = 4096;

export class Turns {
  readonly #clock: Clock;
  #woken: Runnable[] = [];
  #isDue = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether nobody has anything to do. */
  get isIdle(): boolean {
    return this.#woken.length === 0;
  }

  wake(runnable: Runnable): void {
    if (runnable.isWoken) return;
    runnable.isWoken = true;
    this.#woken.push(runnable);
    this.#ask();
  }

  #ask(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#clock.after(0, () => this.#turn());
  }

  #turn(): void {
    const endsAtMs = this.#clock.nowMs() + TURN_MS;
    const woken = this.#woken;
    let done = 0;
    try {
      // It grows while it is walked: those who are woken meanwhile come after those who waited.
      while (done < woken.length && done < RUNS_PER_TURN_MAX) {
        const runnable = woken[done];
        done += 1;
        if (runnable === undefined) continue;
        runnable.isWoken = false;
        runnable.run();
        if (done % RUNS_PER_LOOK === 0 && this.#clock.nowMs() >= endsAtMs) break;
      }
    } finally {
      this.#woken = woken.slice(done);
      this.#isDue = false;
      if (this.#woken.length > 0) this.#ask();
    }
  }
}
