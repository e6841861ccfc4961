/**
 * The row of a visit in the page index, and what is kept of its text: plain values, which may go to
 * another thread.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import type { Header } from "../../base/seams/index.ts";
import { headerValue } from "../../formats/http/index.ts";
import { reservationIn, TDM_RESERVATION } from "../../formats/robots/index.ts";
import { type FetchableUrl, hostOf, keyOf, type UrlRules } from "../../formats/url/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { digestHex } from "../../parse/page/index.ts";
import type { CrawlLine } from "../../store/archive/index.ts";
import { type IndexedPage, pageOfLine } from "../../store/index/index.ts";
import type { KeptText } from "../../store/texts/index.ts";
import { keptText } from "./kept-text.ts";
import type { PageVisit } from "./page-visit.ts";

/** What rows are made by. */
export interface RowRules {
  readonly rules: UrlRules;
  /** Null if nothing is kept of texts; `words` if not the texts themselves. */
  readonly texts: "whole" | "words" | null;
}

/** A page that was logged, on its way into the index. */
export interface LoggedPage {
  readonly ticket: Pick<Ticket, "url" | "high" | "low">;
  /** Null if it has none yet. */
  readonly number: number | null;
  readonly page: IndexedPage;
  readonly text: KeptText | null;
  /** Whether less is known of it than before the crawl was killed: a row that is there stays. */
  readonly isPast?: true;
}

/** Null unless it is the page's last visit. */
export function loggedPage(visit: PageVisit, { rules, texts }: RowRules): LoggedPage | null {
  const { url, high, low } = visit.errand.ticket;
  const content = contentOf(visit);
  if (content === null) return null;
  return {
    ticket: { url, high, low },
    number: visit.record.number,
    page: { ...common(visit.errand.ticket, rules), ...content },
    text: texts === null ? null : keptText(visit, texts === "whole"),
  };
}

/** A page that ended without a visit. */
export function failedPage(
  { url, high, low, ...rest }: Ticket,
  error: ErrorCode,
  atMs: number,
  rules: UrlRules,
): LoggedPage {
  const page = { ...common({ url, high, low, ...rest }, rules), ...failed(error, atMs) };
  return { ticket: { url, high, low }, number: null, page, text: null };
}

/** A page whose line is all that is left of it, after the crawl was killed. */
export function pastPage(line: CrawlLine, ticket: Ticket, rules: UrlRules): LoggedPage | null {
  const page = pageOfLine(line, (url) => keyOf(url as FetchableUrl, rules));
  const { url, high, low } = ticket;
  return page && { ticket: { url, high, low }, number: null, page, text: null, isPast: true };
}

function common({ url, depth, via, requisite }: Ticket, rules: UrlRules) {
  return {
    ...{ url, key: keyOf(url, rules), host: hostOf(url), depth, via },
    ...{ requisite: (requisite ?? 0) > 0, textBlock: null, textEntry: null },
  };
}

function contentOf(visit: PageVisit): PageContent | null {
  const { record, isFinal } = visit;
  if (record.isSitemap) return null;
  if (record.kept !== null) return answered(visit);
  const code = isFinal ? failureOf(visit) : null;
  return code === null ? null : failed(code, record.fetchedAtMs);
}

type PageContent = Omit<
  IndexedPage,
  "url" | "key" | "host" | "depth" | "via" | "requisite" | "textBlock" | "textEntry"
>;

/** What the page failed with in the end, if it did. */
export function failureOf({ isFinal, fault, line }: PageVisit): ErrorCode | null {
  if (!isFinal) return null;
  if (fault !== null) return fault.code;
  return typeof line?.result === "string" ? line.result : null;
}

function answered({ page, record }: PageVisit): PageContent | null {
  if (record.kept === null) return null;
  const { fetched, stored } = record.kept;
  const parsed = page?.parsed ?? null;
  const { headers, status } = fetched.response;
  return {
    status,
    mime: fetched.crawl.mime,
    bytes: fetched.absent?.bodyBytes ?? fetched.body.lengthBytes,
    digest: stored.digest,
    simhash: parsed?.near == null ? null : digestHex(parsed.near),
    duplicateOf: stored.duplicateOf ?? record.sameTextAs,
    nearDuplicateOf: record.nearDuplicateOf,
    redirectTo: record.redirectTo,
    truncated: fetched.truncatedBy,
    title: parsed?.title || null,
    language: parsed?.language || parsed?.declaredLanguage || null,
    fetchedAt: new Date(fetched.fetchedAtMs).toISOString(),
    warc: stored.place === null ? null : baseName(stored.place.file),
    offset: stored.place?.offset ?? null,
    length: stored.place?.lengthBytes ?? null,
    charset: parsed?.encoding || null,
    error: null,
    noindex: parsed?.directives.noindex ?? false,
    noarchive: parsed?.directives.noarchive ?? false,
    contentSignal: signalOf(headers, "content-signal"),
    contentUsage: signalOf(headers, "content-usage"),
    tdmReservation: reservationOf(headers) ?? parsed?.directives.tdmReservation ?? null,
  };
}

function failed(error: ErrorCode, atMs: number): PageContent {
  return {
    ...{ status: 0, mime: null, bytes: 0, digest: null, simhash: null },
    ...{ duplicateOf: null, nearDuplicateOf: null, redirectTo: null, truncated: null },
    ...{ title: null, language: null, fetchedAt: new Date(atMs).toISOString() },
    ...{ warc: null, offset: null, length: null, charset: null, error },
    ...{ noindex: false, noarchive: false },
    ...{ contentSignal: null, contentUsage: null, tdmReservation: null },
  };
}

/** Servers make these texts as long as they like. */
const SIGNAL_LENGTH_MAX = 512;

function signalOf(headers: readonly Header[], name: string): string | null {
  return headerValue(headers, name)?.slice(0, SIGNAL_LENGTH_MAX) || null;
}

function reservationOf(headers: readonly Header[]): number | null {
  return reservationIn(headerValue(headers, TDM_RESERVATION) ?? "");
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}
