/** Mistakes of a command line that the table of flags cannot find, told all at once. */
import { CrawlError, type ErrorCode, isCrawlError } from "../../base/errors/index.ts";

export class Mistakes {
  readonly #found: { readonly code: ErrorCode; readonly problem: string }[] = [];

  /** A sentence that says what is wrong and what to do. */
  add(problem: string, code: ErrorCode = "USAGE_BAD_FLAG_VALUE"): void {
    this.#found.push({ code, problem });
  }

  /** The value, or null after adding what kept it from being read. */
  async tried<Value>(read: () => Value | Promise<Value>): Promise<Value | null> {
    try {
      return await read();
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      this.add(error.message, error.code);
      return null;
    }
  }

  throwIfAny(): void {
    const [first, ...more] = this.#found;
    if (first === undefined) return;
    if (more.length === 0) throw new CrawlError(first.code, first.problem);
    const list = this.#found.map(({ problem }) => `  - ${problem.replaceAll("\n", "\n    ")}`);
    throw new CrawlError(first.code, `${list.length} mistakes:\n${list.join("\n")}`);
  }
}
