/** How a visit is recorded: as a page for the store, or as a line of the crawl log alone. */
import type { ErrorCode } from "../../base/errors/index.ts";
import type { FetchedOutcome } from "../../base/seams/index.ts";
import { headerValue, parseContentType } from "../../formats/http/index.ts";
import type { CrawlLine, FetchedPage } from "../../store/archive/index.ts";

/** What the crawl knows of a visit, whatever came of it. */
export type VisitFacts = Pick<
  CrawlLine,
  "atMs" | "url" | "address" | "depth" | "via" | "durationMs" | "attempt" | "notes"
>;

/** What becomes of the answer. */
export interface Keeping
  extends Pick<FetchedPage, "sha1" | "keep" | "failure" | "isPage" | "outlinks" | "absent"> {
  /** Null for what the headers of the answer say. */
  readonly mime: string | null;
}

export function fetchedPage(
  { atMs, url, address, ...crawl }: VisitFacts,
  { status, reason, headers, body, truncatedBy, request }: FetchedOutcome,
  { mime, ...keeping }: Keeping,
): FetchedPage {
  return {
    ...{ url, address, fetchedAtMs: atMs, request, body, truncatedBy },
    response: { status, reason, headers },
    ...keeping,
    crawl: { ...crawl, mime: mime ?? mimeOf(headers) },
  };
}

/** For a visit that left nothing to archive. */
export function crawlLine(
  facts: VisitFacts,
  result: number | ErrorCode,
  bodyBytes: number,
): CrawlLine {
  return { ...facts, result, bodyBytes, mime: null, digest: null, place: null };
}

function mimeOf(headers: FetchedOutcome["headers"]): string | null {
  return parseContentType(headerValue(headers, "content-type")).media || null;
}
