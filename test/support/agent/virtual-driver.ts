/** Lets virtual time pass, until what is waited for has come or the process is killed. */
import assert from "node:assert/strict";
import type { Kernel } from "../../../src/lab/simulator/index.ts";

/** Far more than any of these crawls needs. */
const STEPS_MAX = 200_000;

/** Lets virtual time pass until the promise is settled. */
export async function driven<Value>(kernel: Kernel, promise: Promise<Value>): Promise<Value> {
  return await new Driver(kernel, null).drive(promise);
}

export class Killed extends Error {}

/** Lets virtual time pass until a promise is settled, or the process is killed. */
export class Driver {
  readonly #kernel: Kernel;
  #left: number;
  readonly #counts: () => boolean;

  /** `steps` are those until it is killed; only those count after which `counts` says so. */
  constructor(kernel: Kernel, steps: number | null, counts: () => boolean = () => true) {
    this.#kernel = kernel;
    this.#left = steps ?? Number.POSITIVE_INFINITY;
    this.#counts = counts;
  }

  async drive<Value>(promise: Promise<Value>): Promise<Value> {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    promise.then(over, over);
    for (let step = 0; !isOver; step += 1) {
      assert.ok(step < STEPS_MAX, "the crawl came to no end");
      if (this.#counts()) this.#left -= 1;
      if (this.#left < 0) throw new Killed();
      this.#kernel.step();
      await promisesSettled();
    }
    return await promise;
  }
}

/**
 * Promises take no time: what they lead to comes before time passes. A tick that is asked for by a
 * promise comes when no promise is left; counting turns instead took a tenth of a crawl's time.
 */
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
