/** Several effects that were begun together, answered as one. */
import type { CrawlError } from "../errors/index.ts";
import type { Done } from "../seams/index.ts";

/** Answers when each of several was answered, with the first error if there was one. */
export class Gathered<Values extends object> {
  readonly #values: Partial<Values> = {};
  readonly #done: Done<Values>;
  #missing: number;
  #error: CrawlError | null = null;

  constructor(names: readonly (keyof Values)[], done: Done<Values>) {
    this.#missing = names.length;
    this.#done = done;
  }

  take<Name extends keyof Values>(name: Name): Done<Values[Name]> {
    return (error, value) => {
      if (error === null) this.#values[name] = value;
      else this.#error ??= error;
      this.#missing -= 1;
      if (this.#missing > 0) return;
      if (this.#error === null) this.#done(null, this.#values as Values);
      else this.#done(this.#error, undefined);
    };
  }
}
