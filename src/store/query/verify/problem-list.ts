/** What a check has found: each problem with its place and what to do about it. */

export interface Problem {
  /** Relative to the crawl directory; the path of an archive. */
  readonly file: string;
  /** Where in the file, in bytes; null for all of it. */
  readonly at: number | null;
  readonly url: string | null;
  readonly problem: string;
  readonly remedy: string;
}

/** A directory can have millions of problems; these are enough to see what happened. */
const KEPT_MAX = 1000;

export class ProblemList {
  readonly kept: Problem[] = [];
  #count = 0;

  /** Also of those that are not kept. */
  get count(): number {
    return this.#count;
  }

  add(problem: Problem): void {
    this.#count += 1;
    if (this.kept.length < KEPT_MAX) this.kept.push(problem);
  }
}
