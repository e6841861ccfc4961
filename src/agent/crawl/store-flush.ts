/** Hands what was fetched to the disk twice a second, so that others read it within a second. */
import type { Acknowledge, Clock, Timer } from "../../base/seams/index.ts";

const FLUSH_MS = 500;

export class StoreFlush {
  readonly #clock: Clock;
  readonly #store: { flush(done: Acknowledge): void };
  #timer: Timer | null = null;
  #isStopped = false;

  constructor(clock: Clock, store: { flush(done: Acknowledge): void }) {
    this.#clock = clock;
    this.#store = store;
  }

  /** A flush that fails is not told: the commit after it meets the same disk, and tells. */
  start(): void {
    this.#timer = this.#clock.after(FLUSH_MS, () =>
      this.#store.flush(() => {
        if (!this.#isStopped) this.start();
      }),
    );
  }

  /** To be called before the store is closed. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }
}
