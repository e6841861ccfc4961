/**
 * Notices that this process was asleep: stopped, swapped out, or starved. While it slept the others may
 * have given it up and taken its hosts over, so it must not go on as if nothing had happened (B5).
 */
import type { Clock } from "../../base/seams/index.ts";

export class LoopWatch {
  readonly #clock: Clock;
  readonly #silenceMsMax: number;
  #ranAtMs: number;

  constructor(clock: Clock, silenceMsMax: number) {
    this.#clock = clock;
    this.#silenceMsMax = silenceMsMax;
    this.#ranAtMs = clock.nowMs();
  }

  /** Whether nothing has run for too long; true until `runs` is called. */
  get wasSilent(): boolean {
    return this.#clock.nowMs() - this.#ranAtMs > this.#silenceMsMax;
  }

  /** Something runs now. */
  runs(): void {
    this.#ranAtMs = this.#clock.nowMs();
  }
}
