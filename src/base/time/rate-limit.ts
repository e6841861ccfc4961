/**
 * A limit on how much may happen per second, for all threads that share its memory. What happened may
 * be told afterwards, so it never waits itself: it says how long to wait before the next begins.
 *
 * Its whole state is one instant, up to which everything so far is paid for: each amount moves it
 * forward by the time that the amount takes at this rate. While it is in the past there is room; after
 * a pause at most one second's worth of it. (ITU-T I.371: the generic cell rate algorithm.) So in any
 * time of t seconds no more begins than the rate allows in t + 1 seconds, and one more. The instant is in
 * microseconds, because only whole numbers can be exchanged atomically.
 */
import type { Clock } from "../seams/index.ts";

const BYTES = BigInt64Array.BYTES_PER_ELEMENT;
/** Unused time that can be made up for. */
const BURST_MS = 1000;
const MICROS = 1000;

export interface RateLimitOptions {
  readonly clock: Clock;
  /** Shared by all threads for which the rate is one, from `RateLimit.memory`; its own when left out. */
  readonly memory?: SharedArrayBuffer | undefined;
  /** What must be added to this thread's clock to get the clock that all of them agree upon. */
  readonly clockOffsetMs?: number | undefined;
}

export class RateLimit {
  readonly #clock: Clock;
  readonly #paidUntil: BigInt64Array;
  readonly #clockOffsetMs: number;
  #perSecond: number | null = null;

  constructor({ clock, memory = RateLimit.memory(), clockOffsetMs = 0 }: RateLimitOptions) {
    this.#clock = clock;
    this.#paidUntil = new BigInt64Array(memory);
    this.#clockOffsetMs = clockOffsetMs;
    // Nothing has happened yet, at whatever instant the clock begins.
    Atomics.compareExchange(this.#paidUntil, 0, 0n, this.#inMicros(-BURST_MS));
  }

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(BYTES);
  }

  /** Null for no limit. What is owed from before keeps its time. */
  get perSecond(): number | null {
    return this.#perSecond;
  }

  set perSecond(perSecond: number | null) {
    this.#perSecond = perSecond;
  }

  /** How long to wait before more may begin; 0 when it may now. */
  get waitMs(): number {
    if (this.#perSecond === null) return 0;
    const aheadMicros = Atomics.load(this.#paidUntil, 0) - this.#inMicros(0);
    return aheadMicros <= 0n ? 0 : Number(aheadMicros) / MICROS;
  }

  /** Counts what happens now, or has happened. */
  take(amount: number): void {
    const perSecond = this.#perSecond;
    if (perSecond === null || amount === 0) return;
    const micros = BigInt(Math.round((amount / perSecond) * 1000 * MICROS));
    // A single item is as much as there may be at once, if a second has no room for more.
    const earliest = this.#inMicros(-Math.max(0, BURST_MS - 1000 / perSecond));
    for (;;) {
      const before = Atomics.load(this.#paidUntil, 0);
      const after = (before > earliest ? before : earliest) + micros;
      if (Atomics.compareExchange(this.#paidUntil, 0, before, after) === before) return;
    }
  }

  /** An instant this long from now, by the clock of all. */
  #inMicros(fromNowMs: number): bigint {
    const atMs = this.#clock.nowMs() + this.#clockOffsetMs + fromNowMs;
    return BigInt(Math.round(atMs * MICROS));
  }
}
