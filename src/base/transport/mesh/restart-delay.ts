/**
 * How long to wait before a server is started again: not at all noticeably after it has run for a while,
 * longer and longer if it ends again and again, and never the same for all agents of a machine.
 */
import type { Clock, Random } from "../../seams/index.ts";

const FIRST_MS = 50;
const LONGEST_MS = 5000;
/** A server that has run for so long is not one that cannot run. */
const STEADY_MS = 30_000;

export class RestartDelay {
  readonly #clock: Clock;
  readonly #random: Random;
  #startedAtMs: number;
  #nextMs = FIRST_MS;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
    this.#startedAtMs = clock.nowMs();
  }

  started(): void {
    this.#startedAtMs = this.#clock.nowMs();
  }

  /** From the end of a server, or a start that failed, to the next start. */
  next(): number {
    if (this.#clock.nowMs() - this.#startedAtMs >= STEADY_MS) this.#nextMs = FIRST_MS;
    const delayMs = this.#nextMs * (0.5 + this.#random.unit() / 2);
    this.#nextMs = Math.min(LONGEST_MS, this.#nextMs * 2);
    return delayMs;
  }
}
