/**
 * Until when lanes in other threads may begin visits, in memory that they share with their node. The node puts
 * it forward again and again while it runs; so after a sleep of the process, or of the machine, no lane begins
 * anything before the node has seen that it slept (B5). The time of day is a second witness, as for the node.
 */
import type { Clock } from "../../../base/seams/index.ts";

const UNTIL_AT = 0;
const WALL_UNTIL_AT = 1;
const TOKENS_AT = 2;
const WORDS = 3;

type LeaseClock = Pick<Clock, "nowMs" | "wallMs">;

export class FetchLease {
  readonly #words: BigInt64Array;
  readonly #clock: LeaseClock;
  /** What must be added to this thread's clock to get the node's. */
  readonly #clockOffsetMs: number;

  constructor(memory: SharedArrayBuffer, clock: LeaseClock, clockOffsetMs = 0) {
    this.#words = new BigInt64Array(memory);
    this.#clock = clock;
    this.#clockOffsetMs = clockOffsetMs;
  }

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(WORDS * BigInt64Array.BYTES_PER_ELEMENT);
  }

  /** Visits may begin for so long from now on; not at all if it is 0. */
  renew(forMs: number, hasTokens: boolean): void {
    const isUp = forMs > 0;
    const { nowMs, wallMs } = this.#now();
    Atomics.store(this.#words, TOKENS_AT, hasTokens ? 1n : 0n);
    Atomics.store(this.#words, WALL_UNTIL_AT, isUp ? wallMs + BigInt(Math.ceil(forMs)) : 0n);
    Atomics.store(this.#words, UNTIL_AT, isUp ? nowMs + BigInt(Math.ceil(forMs)) : 0n);
  }

  get mayFetch(): boolean {
    const { nowMs, wallMs } = this.#now();
    const isUp = nowMs < Atomics.load(this.#words, UNTIL_AT);
    return isUp && wallMs < Atomics.load(this.#words, WALL_UNTIL_AT);
  }

  get hasTokens(): boolean {
    return Atomics.load(this.#words, TOKENS_AT) === 1n;
  }

  #now(): { readonly nowMs: bigint; readonly wallMs: bigint } {
    const nowMs = this.#clock.nowMs() + this.#clockOffsetMs;
    return { nowMs: BigInt(Math.floor(nowMs)), wallMs: BigInt(Math.floor(this.#clock.wallMs())) };
  }
}
