/**
 * How far an exchange is, and when its time is up. Every phase has its own limit, and there is one on
 * the whole; in the body two more apply, on the silence between two pieces and on the average rate.
 * The next limit is computed on demand, so that a piece that arrives costs two assignments and no
 * timer.
 */
import type { FetchLimits } from "../../../base/seams/index.ts";

/** `ending`: the body is being closed. `over`: the outcome is known. */
export type Phase = "connect" | "header" | "body" | "ending" | "over";

/** The limit that a fetch without a head has exceeded. */
export type ExceededLimit = "connect" | "header" | "total";

export class HttpProgress {
  receivedBytes = 0;
  #phase: Phase = "connect";
  readonly #limits: FetchLimits;
  #startedAtMs: number;
  #phaseAtMs: number;
  #lastByteAtMs = 0;
  /** Since when the body's sink is behind; that time does not count against the server. */
  #behindSinceMs: number | null = null;
  /** Whether it is we who read no faster, not the sink; that time counts for no limit at all. */
  #isSlowed = false;

  constructor(limits: FetchLimits, nowMs: number) {
    this.#limits = limits;
    this.#startedAtMs = nowMs;
    this.#phaseAtMs = nowMs;
  }

  get phase(): Phase {
    return this.#phase;
  }

  get isDone(): boolean {
    return this.#phase === "ending" || this.#phase === "over";
  }

  /** How long the phase has lasted. */
  inPhaseMs(nowMs: number): number {
    return nowMs - this.#phaseAtMs;
  }

  enter(phase: Phase, nowMs: number): void {
    this.#phase = phase;
    this.#phaseAtMs = nowMs;
    this.#lastByteAtMs = nowMs;
  }

  /** Without an instant: nothing is measured from the end. */
  finish(phase: "ending" | "over"): void {
    this.#phase = phase;
  }

  received(bytes: number, nowMs: number): void {
    this.receivedBytes += bytes;
    this.#lastByteAtMs = nowMs;
  }

  fallBehind(nowMs: number): void {
    this.#behindSinceMs = nowMs;
  }

  /** Nothing is read for a while, because all fetches together are too fast. */
  slowDown(nowMs: number): void {
    this.#isSlowed = true;
    this.fallBehind(nowMs);
  }

  /** False when the sink was not behind, and nothing slowed down. */
  catchUp(nowMs: number): boolean {
    if (this.#behindSinceMs === null) return false;
    this.#phaseAtMs += nowMs - this.#behindSinceMs;
    if (this.#isSlowed) this.#startedAtMs += nowMs - this.#behindSinceMs;
    this.#isSlowed = false;
    this.#lastByteAtMs = nowMs;
    this.#behindSinceMs = null;
    return true;
  }

  /** When the first of the limits will be reached. */
  get limitAtMs(): number {
    const { connectTimeoutMs, headerTimeoutMs } = this.#limits;
    const totalAtMs = this.#startedAtMs + this.#limits.totalTimeoutMs;
    if (this.#isSlowed) return Number.POSITIVE_INFINITY;
    if (this.#phase === "connect") return Math.min(totalAtMs, this.#phaseAtMs + connectTimeoutMs);
    if (this.#phase === "header") return Math.min(totalAtMs, this.#phaseAtMs + headerTimeoutMs);
    return this.#behindSinceMs === null ? Math.min(totalAtMs, this.#bodyLimitAtMs()) : totalAtMs;
  }

  /** Which limit an exchange without a head has exceeded at this moment, and how long it is. */
  exceeded(nowMs: number): { readonly limit: ExceededLimit; readonly limitMs: number } {
    const { totalTimeoutMs, connectTimeoutMs, headerTimeoutMs } = this.#limits;
    if (this.#startedAtMs + totalTimeoutMs <= Math.min(nowMs, this.limitAtMs)) {
      return { limit: "total", limitMs: totalTimeoutMs };
    }
    return this.#phase === "connect"
      ? { limit: "connect", limitMs: connectTimeoutMs }
      : { limit: "header", limitMs: headerTimeoutMs };
  }

  #bodyLimitAtMs(): number {
    const { idleTimeoutMs, bytesPerSecondMin } = this.#limits;
    const idleAtMs = this.#lastByteAtMs + idleTimeoutMs;
    if (bytesPerSecondMin <= 0) return idleAtMs;
    const allowedMs = Math.max(idleTimeoutMs, (this.receivedBytes / bytesPerSecondMin) * 1000);
    return Math.min(idleAtMs, this.#phaseAtMs + allowedMs);
  }
}
