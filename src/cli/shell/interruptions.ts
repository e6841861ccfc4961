/**
 * How often the user has asked the command to end. One wish may arrive as several signals: `timeout`
 * sends its signal to the process and then to its whole group, a service manager may send SIGTERM
 * and SIGHUP, and under an older Node the launcher (`bin/newer-node.js`) gets the same signal as we
 * do and passes it on. Counted twice, the wish to end gracefully would become the one to end at
 * once. So:
 *
 * - what arrives on one way while the wish before it on that way settles belongs to that wish;
 * - what arrives on different ways is not added up: the way with the most wishes counts.
 */

/** As a signal of our own, from the launcher, or because the launcher is gone. */
export type Way = "signal" | "launcher" | "launcher-gone";

export interface InterruptionsOptions {
  /** Calls back when whatever was sent together with what has just arrived has arrived too. */
  settle(then: () => void): void;
  /** Told of each wish, with how many there were: 1, then 2, and so on. */
  wished(count: number): void;
}

export class Interruptions {
  readonly #options: InterruptionsOptions;
  readonly #counts = new Map<Way, number>();
  readonly #settling = new Set<Way>();
  #count = 0;

  constructor(options: InterruptionsOptions) {
    this.#options = options;
  }

  arrived(way: Way): void {
    if (this.#settling.has(way)) return;
    this.#settling.add(way);
    this.#options.settle(() => this.#settling.delete(way));
    const count = (this.#counts.get(way) ?? 0) + 1;
    this.#counts.set(way, count);
    if (count <= this.#count) return;
    this.#count = count;
    this.#options.wished(count);
  }
}
