/**
 * Keepers: what stores of the kinds `jsonl` and module have in common. A keeper is given every page that
 * has its line in the crawl log and is not tried again, once; after a crash it may be given some of them
 * again. A page is held, its body included, until the keeper is done with it; what is held holds up the
 * crawl.
 */
import type { Acknowledge, Body, Done, Header } from "../../base/seams/index.ts";
import type { ParsedPage } from "../../parse/page/index.ts";
import type { FetchedPage } from "../../store/archive/index.ts";
import type { PageRow, RowMark } from "../../store/export/index.ts";
import type { Duplication } from "../../store/pages/index.ts";
import type { PageVisit } from "./page-visit.ts";
import { type RowFields, visitRow } from "./visit-row.ts";

/** A page that is done. */
export interface EndedPage {
  /** Without fields on request. */
  readonly row: PageRow;
  /** Null for what was not parsed. */
  readonly parsed: ParsedPage | null;
  /** As they came; none if there was no answer. */
  readonly headers: readonly Header[];
  /** The content without its encodings; null if there is none. */
  readonly body: Body | null;
  /** What the page and the user's filter allow to be kept. */
  readonly keep: FetchedPage["keep"];
  /** Null if it repeats no other. */
  readonly duplicate: Duplication | null;
}

export interface PageKeeper {
  /** What it looks at besides the fields of every row. */
  readonly fields: RowFields;
  readonly needsBodies: boolean;
  /** Whether more pages should be begun; `whenRoom` calls back, later, when there is room again. */
  readonly hasRoom: boolean;
  whenRoom(callback: () => void): void;
  /** Null if it is done with the page; else a promise, which does not reject. */
  keep(page: EndedPage): Promise<void> | null;
  /** Answers when everything that was given before is durable. */
  flush(done: Acknowledge): void;
  /** Its files, if it has some that can be cut. */
  readonly files?: {
    readonly name: string;
    /** Answers, when all that was given before is durable, where that ends. */
    mark(done: Done<RowMark | null>): void;
  };
  /** After the last page and a flush. */
  close(done: Acknowledge): void;
  /** Ends a flush that a reader blocks. */
  abandon(): void;
}

/** Null for a visit that leaves no row. */
export function endedPage(visit: PageVisit): EndedPage | null {
  const { page, record } = visit;
  // A sitemap has no row.
  const row = record.isSitemap ? null : visitRow(visit);
  if (row === null) return null;
  return {
    row,
    parsed: page?.parsed ?? null,
    headers: page?.outcome.headers ?? [],
    body: record.decoded,
    keep: record.kept?.fetched.keep ?? "whole",
    duplicate: duplicationOf(visit),
  };
}

export function failedPage(row: PageRow): EndedPage {
  return { row, parsed: null, headers: [], body: null, keep: "whole", duplicate: null };
}

function duplicationOf({ page, record }: PageVisit): Duplication | null {
  if (record.kept === null) return null;
  if (record.kept.stored.duplicateOf !== null) return "payload";
  if (record.hasKnownText) return "text";
  return page?.facts.isNearDuplicate === true ? "near" : null;
}
