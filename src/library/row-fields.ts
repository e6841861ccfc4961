/** The fields of a program's own in the rows of pages: by selectors (`extract`), or pushed page by page. */
import { CrawlError } from "../base/errors/index.ts";
import { quoted } from "../base/text/index.ts";
import type { Extraction, Selectable } from "../formats/selector/index.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface RowFieldsOptions {
  /** Null if there is nothing to extract. */
  readonly extraction: Extraction | null;
  /** Whether there is a file of rows. */
  readonly isWritten: boolean;
  /** The names that rows may have besides those of every row; null if any. */
  readonly names: readonly string[] | null;
  /** Names that every row has. */
  readonly taken: readonly string[];
}

export class RowFields {
  readonly #options: RowFieldsOptions;

  constructor(options: RowFieldsOptions) {
    this.#options = options;
  }

  /** A copy that JSON can hold. Throws `USAGE_BAD_FIELD`. */
  checked(fields: Fields, url: string): Fields {
    const { isWritten, names, taken } = this.#options;
    if (!isWritten) throw refused(url, "no file is written: name one with the option `pages`");
    for (const name of Object.keys(fields)) {
      if (taken.includes(name)) throw refused(url, `every row has a field ${quoted(name)} already`);
      if (names !== null && !names.includes(name))
        throw refused(
          url,
          `the columns of CSV are fixed: name ${quoted(name)} in the option \`fields\``,
        );
    }
    try {
      return JSON.parse(JSON.stringify(fields)) as Fields;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw refused(url, `the fields cannot be written as JSON: ${reason}`);
    }
  }

  /** The rows of a page, as far as they differ from the plain one; none if they do not. */
  rows(pushed: readonly Fields[], document: () => Selectable): readonly Fields[] {
    const { extraction, isWritten } = this.#options;
    if (!isWritten || extraction === null) return pushed;
    const extracted = extraction.of(document());
    return pushed.length === 0 ? [extracted] : pushed.map((one) => ({ ...extracted, ...one }));
  }
}

function refused(url: string, problem: string): CrawlError {
  return new CrawlError("USAGE_BAD_FIELD", `No row can be pushed for ${url}: ${problem}.`, { url });
}
