/**
 * How long the crawl has run: the longest time that any agent knows of. Agents tell each other how long,
 * never since when, so their clocks may show anything. What is heard is older than it was when it was
 * said, so nobody's time ever runs ahead of that of the agent whose clock is fastest. While all agents
 * are down no time passes.
 */
import type { Clock } from "../../base/seams/index.ts";

export class CrawlTime {
  readonly #clock: Clock;
  /** When it began, by the own clock. */
  #beganAtMs: number;

  /** `elapsedMs`: how long it had run when this disk last knew. */
  constructor(clock: Clock, elapsedMs: number) {
    this.#clock = clock;
    this.#beganAtMs = clock.nowMs() - elapsedMs;
  }

  get elapsedMs(): number {
    return Math.max(0, this.#clock.nowMs() - this.#beganAtMs);
  }

  /** Another agent has said how long; whether that is longer than was known. */
  heard(elapsedMs: number): boolean {
    const beganAtMs = this.#clock.nowMs() - elapsedMs;
    if (!(beganAtMs < this.#beganAtMs)) return false;
    this.#beganAtMs = beganAtMs;
    return true;
  }
}
