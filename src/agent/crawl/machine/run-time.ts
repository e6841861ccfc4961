/**
 * How long a crawl has run, in all its runs, and the limit on that: the time during which it is paused
 * does not count. The end of the time is told even if nothing happens in the crawl.
 */
import type { Clock, Timer } from "../../../base/seams/index.ts";

export class RunTime {
  readonly #clock: Clock;
  readonly #reached: () => void;
  /** Up to the last pause. */
  #passedMs = 0;
  /** Since when it runs; null while it does not. */
  #sinceMs: number | null = null;
  #limitMs: number | null = null;
  #timer: Timer | null = null;

  /** `reached` is called when the time is up. */
  constructor(clock: Clock, reached: () => void) {
    this.#clock = clock;
    this.#reached = reached;
  }

  get elapsedMs(): number {
    return this.#passedMs + (this.#sinceMs === null ? 0 : this.#clock.nowMs() - this.#sinceMs);
  }

  /** What has passed in earlier runs; the time begins to run, without a limit. */
  start(passedMs: number): void {
    this.#passedMs = passedMs;
    this.#sinceMs = this.#clock.nowMs();
  }

  /** A limit on the whole time; null for none. */
  limit(limitMs: number | null): void {
    this.#limitMs = limitMs;
    this.#setTimer();
  }

  /** Also for the end, after which it does not go on. */
  pause(): void {
    this.#passedMs = this.elapsedMs;
    this.#sinceMs = null;
    this.#setTimer();
  }

  resume(): void {
    this.#sinceMs ??= this.#clock.nowMs();
    this.#setTimer();
  }

  #setTimer(): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#limitMs === null || this.#sinceMs === null) return;
    const leftMs = this.#limitMs - this.elapsedMs;
    this.#timer = this.#clock.after(Math.max(0, leftMs), this.#reached);
  }
}
