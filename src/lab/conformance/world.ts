/**
 * How a suite lets the world go on. The real world goes on by itself and a test only waits; a
 * simulated one must be driven until the answer has come. Suites know only this difference, so the
 * same tests run in both.
 */
export interface World {
  /** Starts something and waits until it has answered. Fails when a simulated world falls silent. */
  answer<Value>(start: (answered: (value: Value) => void) => void): Promise<Value>;
}

/** The world as it is: answers come by themselves. */
export const REAL_WORLD: World = {
  answer: (start) => new Promise((resolve) => start(resolve)),
};
