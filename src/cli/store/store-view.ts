/**
 * Pages as commands of `trobar store` read them: from a directory or archives, or from all agents that
 * share a crawl. A cursor is a text, whoever has printed it.
 */
import type { Clock } from "../../base/seams/index.ts";
import type { PageRecord, PageRow, RecordOutcome, RowLink } from "../../store/export/index.ts";

export interface StoreBatch {
  readonly pages: readonly PageRow[];
  /** For each page, what follows it. */
  readonly cursors: readonly string[];
  /** Of the crawl log. */
  readonly damagedBytes: number;
}

/** What pages are to have besides their fields. */
export interface StoreWishes {
  readonly text: boolean;
  readonly links: boolean;
}

/** As it was archived. */
export type StoredAnswer = Pick<PageRecord, "statusLine" | "headers" | "payload">;

export type AnswerOutcome =
  | { readonly kind: "record"; readonly record: StoredAnswer }
  | Extract<RecordOutcome, { readonly kind: "absent" | "damaged" }>;

export interface StoreView {
  /** Sentences about what is missing, as far as it was met until now. */
  readonly faults: readonly string[];
  /** Why there are no bodies, in words; null if there are. */
  readonly unarchived: string | null;
  /** A sentence that says where else pages of the crawl may be; null if all are here. */
  readonly partNote: string | null;
  /** Pages after a cursor, up to those that are there now. Rejects for a cursor that is not of this crawl. */
  pages(after: string | null): AsyncIterable<StoreBatch>;
  /** As `pages`, and then those that come, until the signal is given or nothing can come any more. */
  follow(
    after: string | null,
    how: { readonly clock: Clock; readonly signal: AbortSignal },
  ): AsyncIterable<StoreBatch>;
  /** Null for a page that is not there. */
  find(url: string): Promise<PageRow | null>;
  /** With what is wished for. */
  whole(page: PageRow, wishes: StoreWishes): Promise<PageRow>;
  record(page: PageRow): Promise<AnswerOutcome>;
  /** Null if nothing is known of its links. */
  linksOf(url: string): Promise<readonly RowLink[] | null>;
  linksTo(url: string): AsyncIterable<readonly RowLink[]>;
  close(): Promise<void>;
}
