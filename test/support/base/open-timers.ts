/** The real clock, which knows what is still waited for. */
import type { Timer } from "../../../src/base/seams/index.ts";
import { SystemClock } from "../../../src/base/time/index.ts";

interface OpenTimer {
  readonly delayMs: number;
  readonly ring: () => void;
}

export class OpenTimers extends SystemClock {
  /** Those that are neither over nor cancelled, by their numbers. */
  readonly #open = new Map<number, OpenTimer>();
  #lastNumber = 0;

  /** The longest delay of those that are open; 0 if none is. */
  get longestMs(): number {
    return Math.max(0, ...[...this.#open.values()].map(({ delayMs }) => delayMs));
  }

  /** Has those ring now that were to be waited for at least so long. */
  ring(atLeastMs: number): void {
    for (const { delayMs, ring } of [...this.#open.values()]) if (delayMs >= atLeastMs) ring();
  }

  override after(delayMs: number, callback: () => void): Timer {
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const ring = (): void => {
      cancel();
      callback();
    };
    const timer = super.after(delayMs, ring);
    const cancel = (): void => {
      this.#open.delete(number);
      timer.cancel();
    };
    this.#open.set(number, { delayMs, ring });
    return { cancel };
  }
}
