/**
 * Waiting that ends. Whatever a change waits for is code of authors: an item in flight, a `create`, a
 * `close`. One that never settles may cost a change, never the control over the whole topology.
 */
import type { Clock } from "../../../base/seams/index.ts";
import { promised } from "../../unit/index.ts";

export const LATE: unique symbol = Symbol("late");

export class Patience {
  readonly limitMs: number;
  readonly #clock: Clock;

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.limitMs = limitMs;
  }

  /** What the promise gives, or `LATE`; its rejection is passed on if it comes in time. */
  wait<Value>(given: Value | Promise<Value>): Promise<Value | typeof LATE> {
    const promise = promised<Value>(given);
    if (promise === null) return Promise.resolve(given as Value);
    return new Promise((resolve, reject) => {
      const timer = this.#clock.after(this.limitMs, () => resolve(LATE));
      promise.then(resolve, reject).finally(() => timer.cancel());
    });
  }
}
