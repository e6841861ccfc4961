/**
 * When the sieve is asked to decide what it has before its batch is full: when a connection has
 * nothing to do, but not again before as much time has passed as the last flush took, since a flush
 * of a large sieve reads what it knows from disk. BUbiNG waits ten times as long, because its flush
 * stops everything; ours runs in the background, and a small crawl with nothing else to do would
 * only wait.
 */
import type { Clock } from "../../../base/seams/index.ts";
import type { Sieve } from "../../sieve/index.ts";

const PAUSE_MULTIPLE = 1;
/** How long to wait for a flush that does not end. */
const PATIENCE_MS = 1000;

export class SieveFlush {
  readonly #clock: Clock;
  #isGoingOn = false;
  #begunAtMs: number = Number.NEGATIVE_INFINITY;
  #againAtMs: number = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Asks the sieve, if there is something to decide and the time has come. */
  ask(sieve: Sieve): void {
    const nowMs = this.#clock.nowMs();
    if (nowMs < this.nextAtMs(sieve)) return;
    this.#isGoingOn = true;
    this.#begunAtMs = nowMs;
    sieve.flush();
  }

  /** The sieve has given URLs out, or has nothing left. */
  ended(): void {
    if (!this.#isGoingOn) return;
    const nowMs = this.#clock.nowMs();
    this.#isGoingOn = false;
    this.#againAtMs = nowMs + PAUSE_MULTIPLE * (nowMs - this.#begunAtMs);
  }

  /** When to ask next; Infinity while there is nothing to decide. */
  nextAtMs(sieve: Sieve): number {
    if (sieve.pending === 0) return Number.POSITIVE_INFINITY;
    return this.#isGoingOn ? this.#begunAtMs + PATIENCE_MS : this.#againAtMs;
  }
}
