/**
 * Work that can wait, done for a bounded time in each turn of the event loop: however many large
 * bodies need work at once, answers and timers are served in between.
 *
 * Tasks run in the order of `later`, never inside that call. A turn ends with the first task after
 * which its time is used up, so one task should take a few milliseconds at most. When a task
 * throws, the tasks behind it run in the next turn.
 */
import type { Clock } from "../seams/index.ts";

const TURN_MS = 8;

export class TurnBudget {
  readonly #clock: Clock;
  #waiting: (() => void)[] = [];
  #isDue = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  later(task: () => void): void {
    this.#waiting.push(task);
    this.#wake();
  }

  #wake(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#clock.after(0, () => this.#turn());
  }

  #turn(): void {
    this.#isDue = false;
    const tasks = this.#waiting;
    // Tasks added meanwhile wait for the next turn, so that no caller is served twice in one.
    this.#waiting = [];
    const endsAtMs = this.#clock.nowMs() + TURN_MS;
    let done = 0;
    try {
      for (const task of tasks) {
        done += 1;
        task();
        if (this.#clock.nowMs() >= endsAtMs) break;
      }
    } finally {
      if (done < tasks.length) this.#waiting = [...tasks.slice(done), ...this.#waiting];
      if (this.#waiting.length > 0) this.#wake();
    }
  }
}
