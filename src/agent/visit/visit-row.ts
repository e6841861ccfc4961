/**
 * A visit as "a page as JSON": the fields that every row has, and those that a row has on request. A
 * visit has a row when it is over and the page is not tried again.
 */
import type { ErrorCode } from "../../base/errors/index.ts";
import { resolveLink } from "../../formats/html/index.ts";
import type { Ticket } from "../../frontier/ticket/index.ts";
import { digestHex, type ParsedPage } from "../../parse/page/index.ts";
import type { PageRow, RowLink } from "../../store/export/index.ts";
import { failureOf } from "./indexed-row.ts";
import type { KeptPage, PageRecord } from "./page-record.ts";
import type { PageVisit } from "./page-visit.ts";

/** Which of the fields on request a row has. */
export interface RowFields {
  readonly text: boolean;
  readonly links: boolean;
}

/** Null if the page is tried again, or was given up. */
export function visitRow(visit: PageVisit): PageRow | null {
  const { record, errand } = visit;
  const { kept } = record;
  if (kept !== null) return answeredRow(errand.ticket, record, kept, visit.page?.parsed ?? null);
  const code = failureOf(visit);
  return code === null ? null : failedRow(errand.ticket, code, record.fetchedAtMs);
}

function answeredRow(
  ticket: Ticket,
  record: PageRecord,
  { fetched, stored }: KeptPage,
  parsed: ParsedPage | null,
): PageRow {
  const { place } = stored;
  const { url, depth, via } = ticket;
  return {
    url,
    status: fetched.response.status,
    mime: fetched.crawl.mime,
    charset: parsed?.encoding || null,
    bytes: fetched.absent?.bodyBytes ?? fetched.body.lengthBytes,
    ...{ depth, via },
    title: parsed?.title || null,
    language: parsed?.language || parsed?.declaredLanguage || null,
    fetchedAt: new Date(fetched.fetchedAtMs).toISOString(),
    digest: stored.digest,
    simhash: parsed?.near == null ? null : digestHex(parsed.near),
    duplicateOf: stored.duplicateOf ?? record.sameTextAs,
    nearDuplicateOf: record.nearDuplicateOf,
    redirectTo: record.redirectTo,
    truncated: fetched.truncatedBy,
    error: null,
    warc: place === null ? null : place.file.slice(place.file.lastIndexOf("/") + 1),
    offset: place?.offset ?? null,
    length: place?.lengthBytes ?? null,
    ...requisiteOf(ticket),
  };
}

/** A page that ended without an answer. */
export function failedRow(ticket: Ticket, error: ErrorCode, atMs: number): PageRow {
  const { url, depth, via } = ticket;
  return {
    ...{ url, status: 0, mime: null, charset: null, bytes: 0, depth, via },
    ...{ title: null, language: null, fetchedAt: new Date(atMs).toISOString() },
    ...{ digest: null, simhash: null, duplicateOf: null, nearDuplicateOf: null },
    ...{ redirectTo: null, truncated: null, error, warc: null, offset: null, length: null },
    ...requisiteOf(ticket),
  };
}

function requisiteOf(ticket: Ticket): { readonly requisite?: true } {
  return (ticket.requisite ?? 0) > 0 ? { requisite: true } : {};
}

/** The row with the fields that are requested, and with the words of the page, if those are counted. */
export function withFields(
  row: PageRow,
  parsed: ParsedPage | null,
  { text, links }: RowFields,
): PageRow {
  return {
    ...row,
    ...(text ? { text: parsed?.text || null } : {}),
    ...(parsed?.words == null ? {} : { words: Object.fromEntries(parsed.words) }),
    ...(links ? { links: parsed === null ? null : linksOf(parsed) } : {}),
  };
}

/** As `inspect links` shows them: links that are not URLs are left out. */
export function linksOf({ links, base, encoding }: ParsedPage): RowLink[] {
  return links.flatMap(({ url: written, kind, rel, text }) => {
    const url =
      encoding === ""
        ? (URL.parse(written, base)?.href ?? undefined)
        : resolveLink(written, base, encoding);
    return url === undefined ? [] : [{ url, kind, rel, text }];
  });
}
