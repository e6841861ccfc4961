/**
 * How long a host is left alone: its rest, which is politeness and for which its pace and its answers
 * decide, and a hold, for any other reason.
 */
import { Pace, type PaceSettings } from "./pace.ts";

export class HostWaits {
  readonly #pace: Pace;
  #restsUntilMs: number;
  #heldUntilMs: number = Number.NEGATIVE_INFINITY;

  constructor(settings: PaceSettings, crawlDelayMs: number, restsUntilMs: number) {
    this.#pace = new Pace(settings);
    this.#pace.crawlDelayMs = crawlDelayMs;
    this.#restsUntilMs = restsUntilMs;
  }

  /** Nothing is asked of the host before. */
  get restsUntilMs(): number {
    return this.#restsUntilMs;
  }

  /** Nothing new is begun before. */
  get heldUntilMs(): number {
    return this.#heldUntilMs;
  }

  setCrawlDelay(crawlDelayMs: number): void {
    this.#pace.crawlDelayMs = crawlDelayMs;
  }

  answered(status: number, answerMs: number): void {
    this.#pace.answered(status, answerMs);
  }

  /** Rests from now on: for its delay, or for as long as it asks. */
  rest(nowMs: number, askedMs: number): void {
    const untilMs = nowMs + Math.max(this.#pace.delayMs, askedMs);
    this.#restsUntilMs = Math.max(this.#restsUntilMs, untilMs);
  }

  /** Rests and is held until then, or for as long as it was anyway. */
  restAndHold(untilMs: number): void {
    this.#restsUntilMs = Math.max(this.#restsUntilMs, untilMs);
    this.#heldUntilMs = Math.max(this.#heldUntilMs, untilMs);
  }

  holdUntil(atMs: number): void {
    this.#heldUntilMs = atMs;
  }
}
