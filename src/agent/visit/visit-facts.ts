/** What a visit is recorded as: a page for the store, or a line of the crawl log alone. */
import type { ErrorCode } from "../../base/errors/index.ts";
import type { FetchOutcome, Header } from "../../base/seams/index.ts";
import { headerValue, parseContentType } from "../../formats/http/index.ts";
import type { PageErrand } from "../../frontier/front/index.ts";
import type { CrawlLine, CrawlNote, FetchedPage } from "../../store/archive/index.ts";

export interface VisitFacts {
  readonly errand: PageErrand;
  /** In wall-clock milliseconds. */
  readonly fetchedAtMs: number;
  readonly durationMs: number;
  readonly notes: readonly CrawlNote[];
}

/** What becomes of the answer. */
export interface Keeping extends Pick<FetchedPage, "sha1" | "keep" | "failure" | "isPage"> {
  /** Null for what the answer says by itself. */
  readonly mime: string | null;
}

export function fetchedPage(
  { errand, fetchedAtMs, durationMs, notes }: VisitFacts,
  outcome: FetchOutcome & { readonly kind: "fetched" },
  { mime, ...keeping }: Keeping,
): FetchedPage {
  const { ticket, address, attempt } = errand;
  const { status, reason, headers, body, truncatedBy, request } = outcome;
  return {
    ...{ url: ticket.url, fetchedAtMs, request, body, truncatedBy },
    address,
    response: { status, reason, headers },
    ...keeping,
    crawl: {
      depth: ticket.depth,
      via: ticket.via,
      mime: mime ?? mimeOf(headers),
      durationMs,
      attempt: attempt + 1,
      notes,
    },
  };
}

/** A fetch that left nothing to store. */
export function crawlLine(
  { errand, fetchedAtMs, durationMs, notes }: VisitFacts,
  result: number | ErrorCode,
  bodyBytes: number,
): CrawlLine {
  const { ticket, address, attempt } = errand;
  return {
    atMs: fetchedAtMs,
    result,
    bodyBytes,
    url: ticket.url,
    depth: ticket.depth,
    via: ticket.via,
    mime: null,
    digest: null,
    durationMs,
    attempt: attempt + 1,
    address,
    place: null,
    notes,
  };
}

export function mimeOf(headers: readonly Header[]): string | null {
  return parseContentType(headerValue(headers, "content-type")).media || null;
}
