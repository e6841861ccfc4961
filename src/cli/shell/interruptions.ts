/**
 * How often the user has asked the command to end. One request may arrive as several signals:
 * `timeout` sends its signal to the process and then to its whole group, a service manager may send
 * SIGTERM and SIGHUP, and under an older Node the launcher (`bin/newer-node.js`) gets the same
 * signal as we do and passes it on. Counted twice, a request to end gracefully would become one to
 * end at once. So:
 *
 * - what arrives one way while the request before it that way settles belongs to that request;
 * - what arrives in different ways is not added up: the way with the most requests counts.
 */

/** As a signal of our own, from the launcher, or because the launcher is gone. */
export type Way = "signal" | "launcher" | "launcher-gone";

export interface InterruptionsOptions {
  /** Calls back when everything sent together with what has just arrived has arrived too. */
  settle(then: () => void): void;
  /** Called for each request, with how many there were: 1, then 2, and so on. */
  requested(count: number): void;
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
    this.#options.requested(count);
  }
}
