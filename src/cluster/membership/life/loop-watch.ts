/**
 * Notices that this process was asleep: stopped, swapped out, starved, or on a machine that slept. While
 * it did the others may have given it up and taken its hosts over, so it must not go on as if nothing had
 * happened (B5). A time of day that is set forward looks like a sleep: then this agent joins once more
 * than it had to.
 */
import type { Clock } from "../../../base/seams/index.ts";
import { elapsedMs, type Moment, momentOf } from "./moment.ts";

export class LoopWatch {
  readonly #clock: Clock;
  readonly #silenceMsMax: number;
  #ranAt: Moment;

  constructor(clock: Clock, silenceMsMax: number) {
    this.#clock = clock;
    this.#silenceMsMax = silenceMsMax;
    this.#ranAt = momentOf(clock);
  }

  /** Whether nothing has run for too long; true until `runs` is called. */
  get wasSilent(): boolean {
    return elapsedMs(this.#clock, this.#ranAt) > this.#silenceMsMax;
  }

  /** Something runs now. */
  runs(): void {
    this.#ranAt = momentOf(this.#clock);
  }
}
