/** Answers that the archive has, once more as they came from the web: by the lines of the crawl log. */
import type { Header, Storage } from "../../base/seams/index.ts";
import type { CrawlLine } from "../archive/index.ts";
import { rowOf } from "./line-row.ts";
import { PageRecords } from "./page-records.ts";

export interface PastAnswer {
  /** The text after the status; may be empty. */
  readonly reason: string;
  readonly headers: readonly Header[];
  /** With its content encoding. */
  readonly payload: Uint8Array;
}

export class PastAnswers {
  readonly #records: PageRecords;

  /** `keyOf` is what a URL is compared by; null for what is not a URL. */
  constructor(storage: Storage, keyOf: (url: string) => string | null) {
    // A revisit is found by the digest of its body, which its line has too.
    this.#records = new PageRecords({ storage, keyOf, find: async () => null });
  }

  /** Null if the body was not kept, or can no longer be read. */
  async of(line: CrawlLine): Promise<PastAnswer | null> {
    // A robots.txt has a record like a page.
    const row = rowOf({ ...line, notes: line.notes.filter(([word]) => word !== "robots") });
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
