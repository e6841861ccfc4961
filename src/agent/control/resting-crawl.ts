/**
 * What can be asked of a crawl by its directory alone, whether it rests or another process runs it. A
 * crawl that rests has a checkpoint, which says what waits; of one that runs, or did not end in order,
 * that is not known here.
 */
import { isCrawlError } from "../../base/errors/index.ts";
import type { CrawlView } from "../../store/query/index.ts";
import { explainUrl, memoryOf } from "../explain/explain-url.ts";
import type { Explanation } from "../explain/explanation.ts";
import { readSavedCrawl } from "../saving/read-saved.ts";
import type { SavedCrawl } from "../saving/saved-crawl.ts";

export class RestingCrawl {
  readonly #folder: string;
  readonly #saved: SavedCrawl | null;
  /** Why the checkpoint cannot be read; null if it can, or if there is none. */
  readonly trouble: string | null;

  private constructor(folder: string, saved: SavedCrawl | null, trouble: string | null) {
    this.#folder = folder;
    this.#saved = saved;
    this.trouble = trouble;
  }

  /** `folder` is absolute, and holds a crawl. */
  static async open(folder: string): Promise<RestingCrawl> {
    try {
      return new RestingCrawl(folder, await readSavedCrawl(folder), null);
    } catch (error) {
      if (!isCrawlError(error)) throw error;
      return new RestingCrawl(folder, null, error.message);
    }
  }

  /** What became of a URL; null for a text that is not a URL which this crawl could fetch. */
  explain(text: string, view: CrawlView, version: string): Promise<Explanation | null> {
    const memory = this.#saved === null ? null : memoryOf(this.#saved, this.#folder);
    return explainUrl(text, { folder: this.#folder, view, version, memory });
  }
}
