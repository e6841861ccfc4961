/** Answers that the archive has, once more as they came from the web: by the lines of the crawl log. */
import { answered, type Storage } from "../../base/seams/index.ts";
import { type FoundAnswers, findAnswers, type JournaledAnswer } from "../answers/index.ts";
import type { CrawlLine } from "../archive/index.ts";
import { rowOf } from "./line-row.ts";
import { PageRecords } from "./page-records.ts";

export type PastAnswer = JournaledAnswer;

export class PastAnswers {
  readonly #storage: Storage;
  readonly #records: PageRecords;
  #kept: Promise<FoundAnswers> | null = null;

  /** `keyOf` is what a URL is compared by; null for what is not a URL. */
  constructor(storage: Storage, keyOf: (url: string) => string | null) {
    this.#storage = storage;
    // A revisit is found by the digest of its body, which its line has too.
    this.#records = new PageRecords({ storage, keyOf, find: async () => null });
  }

  /** Null if there is no answer, or it can no longer be read. */
  async of(line: CrawlLine): Promise<PastAnswer | null> {
    const { url, atMs } = line;
    this.#kept ??= answered<FoundAnswers>((done) => findAnswers(this.#storage, done));
    const kept = await this.#kept;
    if (kept.has(url, atMs)) {
      return await answered<PastAnswer | null>((done) => kept.answer(url, atMs, done));
    }
    // A robots.txt or a sitemap has a record like a page.
    const notes = line.notes.filter(([word]) => word !== "robots" && word !== "sitemap");
    const row = rowOf({ ...line, notes });
    if (row === null) return null;
    const found = await this.#records.record(row, { request: false });
    if (found.kind !== "record") return null;
    const { statusLine, headers, payload } = found.record;
    return { reason: statusLine.split(" ").slice(2).join(" "), headers, payload };
  }

  close(): Promise<void> {
    return this.#records.reader.close();
  }
}
