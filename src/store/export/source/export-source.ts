/**
 * Where exports take pages from: rows in batches, and for each row the record of its answer, its
 * text and its links. `CrawlView` of the module `query` implements it.
 *
 * Contract for implementers: rows come in a stable order, and a batch is made only when it is asked
 * for, so that the reader sets the pace. A record that cannot be read is a value, never an
 * exception; a disk that fails is an exception.
 */
import type { Header } from "../../../base/seams/index.ts";
import type { ReadRecord } from "../../../formats/warc/index.ts";
import type { KeptText } from "../../texts/index.ts";
import type { PageRow, RowLink } from "../page-row.ts";

export interface PageBatch {
  readonly pages: readonly PageRow[];
  /** Reading after this cursor goes on with the next batch. */
  readonly cursor: number;
  /** Bytes of the source's own books that could not be read. */
  readonly damagedBytes: number;
}

/** An answer that the archive holds: of a page, a robots.txt or a sitemap. */
export interface ArchivedAnswer {
  readonly url: string;
  readonly fetchedAtMs: number;
  /** `warc/revisit` where the record refers to another one for its body. */
  readonly mime: string;
  /** Null where the protocol has none. */
  readonly status: number | null;
  readonly digest: string | null;
  readonly warc: string;
  readonly offset: number;
  readonly length: number;
  /** Null for a robots.txt and a sitemap, which are not pages. */
  readonly page: PageRow | null;
}

/** A file of the archive. */
export interface ArchiveFile {
  /** The name that it has when it is whole. */
  readonly name: string;
  /** How much of it belongs to finished fetches; more may be added while a crawl runs. */
  readonly lengthBytes: number;
}

/** The record of a page's answer, with the parts that exports need. */
export interface PageRecord {
  readonly answer: ReadRecord;
  /** Null where it was not asked for, or is not there. */
  readonly request: ReadRecord | null;
  /** `HTTP/1.1 200 OK`; "" where there was no HTTP. */
  readonly statusLine: string;
  readonly headers: readonly Header[];
  /** As received, without transfer encoding. Of a revisit, that of the original. */
  readonly payload: Uint8Array;
}

export type RecordOutcome =
  | { readonly kind: "record"; readonly record: PageRecord }
  /** Nothing was archived. */
  | { readonly kind: "absent" }
  | { readonly kind: "damaged"; readonly reason: string };

/** What a reader of the page sees, and what the page says of itself. */
export interface PageText {
  readonly title: string;
  readonly description: string;
  readonly charset: string;
  /** As the page declares it; "" when it does not. */
  readonly language: string;
  readonly text: string;
  /** What the crawl has kept beside its page index; absent where the page was read again. */
  readonly kept?: KeptText | undefined;
}

export interface ExportSource {
  /** What the export is called: the name of the crawl. */
  readonly name: string;
  /** Differs for every crawl: an interrupted export is only continued from the same source. */
  readonly id: string;
  pages(after?: number): AsyncIterable<PageBatch>;
  answers(): AsyncIterable<readonly ArchivedAnswer[]>;
  /** The page with this URL, or one with the same key. */
  find(url: string): Promise<PageRow | null>;
  record(page: PageRow, options?: { readonly request?: boolean }): Promise<RecordOutcome>;
  archiveFiles(): Promise<readonly ArchiveFile[]>;
  /** Reads a file of the archive from its beginning, up to the length given. */
  archiveBytes(file: ArchiveFile): AsyncIterable<Uint8Array>;
  /** How much of a file is there; null when there is no such file. */
  lengthOf(warc: string): Promise<number | null>;
  /** Null for what has no text, such as images, and for what is not archived. */
  text(page: PageRow): Promise<PageText | null>;
  /** With absolute URLs; null as for `text`. */
  links(page: PageRow): Promise<readonly RowLink[] | null>;
  close(): Promise<void>;
}
