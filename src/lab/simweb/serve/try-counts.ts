/**
 * How often each URL was asked for, as far as the answer depends on it. Only a failure can change at
 * the next try, so a URL is counted from its first answer that was an error or odd; all others cost
 * nothing. The oldest counts are forgotten when there are too many.
 */

const COUNTS_MAX = 1_000_000;

export class TryCounts {
  readonly #counts = new Map<string, number>();
  readonly #countsMax: number;

  constructor(countsMax: number = COUNTS_MAX) {
    this.#countsMax = countsMax;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** Tries that were noted before. */
  earlierTries(host: string, target: string): number {
    // Most webs have few errors, and then no key needs to be made.
    return this.#counts.size === 0 ? 0 : (this.#counts.get(`${host} ${target}`) ?? 0);
  }

  /** To be told of every answer. */
  note(host: string, target: string, wentWrong: boolean): void {
    if (!wentWrong && this.#counts.size === 0) return;
    const key = `${host} ${target}`;
    const earlier = this.#counts.get(key);
    if (earlier === undefined && !wentWrong) return;
    this.#counts.set(key, (earlier ?? 0) + 1);
    if (this.#counts.size > this.#countsMax) this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const key of this.#counts.keys()) {
      this.#counts.delete(key);
      return;
    }
  }
}
