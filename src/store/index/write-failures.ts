/** What keeps the index from being written: something that passes, or a failure for good. */
import type { CrawlError } from "../../base/errors/index.ts";

/** Errors of a transaction that can be repeated. */
const PASSING: ReadonlySet<string> = new Set([
  "DATABASE_FULL",
  "DATABASE_LOCKED",
  "BACKGROUND_TASK_FAILED",
]);
/** A thread may die this often in a row. */
const DEATHS_MAX = 5;

export class WriteFailures {
  #last: CrawlError | null = null;
  #deaths = 0;

  /** The one that lasts; null if the last transaction went well. */
  get last(): CrawlError | null {
    return this.#last;
  }

  /** A transaction has failed: whether in another way than before, and whether for good. */
  add(error: CrawlError): { readonly isNew: boolean; readonly isForGood: boolean } {
    const isNew = this.#last?.code !== error.code;
    this.#last = error;
    this.#deaths += error.code === "BACKGROUND_TASK_FAILED" ? 1 : 0;
    return { isNew, isForGood: !PASSING.has(error.code) || this.#deaths > DEATHS_MAX };
  }

  /** One went well. */
  end(): void {
    this.#last = null;
    this.#deaths = 0;
  }
}
