/**
 * Which records an exchange becomes; the table is in docs/crawl-log.md.
 *
 * | answer                                   | records                              |
 * |------------------------------------------|--------------------------------------|
 * | 2xx with a body that the archive has     | request, revisit                     |
 * | any other                                | request, response                    |
 * | cut by a limit                           | request, response (`WARC-Truncated`) |
 * | asks not to be archived                  | metadata                             |
 * | sent by another agent without its body   | metadata                             |
 * | robots.txt, a sitemap                    | request, response                    |
 * | 2xx of a protocol module                 | resource, or revisit                 |
 * | any other of a protocol module           | metadata                             |
 * | with links to be archived (`outlinks`)   | metadata, before the others          |
 *
 * The request comes first, so that an exchange ends where the record of its answer ends.
 */
import type { Random } from "../../base/seams/index.ts";
import { headerValue } from "../../formats/http/index.ts";
import {
  type Capture,
  contentRecord,
  type Field,
  metadataRecord,
  recordId,
  requestRecord,
  responseHeadRecord,
  responseRecord,
  revisitRecord,
  type WarcRecord,
} from "../../formats/warc/index.ts";
import { KEPT_FIELDS } from "../answers/index.ts";
import { bodyBytesOf, type FetchedPage } from "./fetched-page.ts";
import type { PayloadOriginal } from "./payload-table.ts";

const BUILT_IN = /^(?:https?|file):/;

export interface ExchangeContext {
  readonly random: Random;
  readonly warcinfoId: string;
  /** `sha1:…` of the body. */
  readonly payloadDigest: string;
}

/** Whether another page with this body may be stored as a revisit of this one. */
export function isOriginal(page: FetchedPage): boolean {
  return page.keep === "whole" && mayRepeat(page);
}

/** Only whole bodies of good answers are compared: what was cut may differ where it was cut. */
export function mayRepeat(page: FetchedPage): boolean {
  if (page.isPage === false) return false;
  const { response, body, truncatedBy } = page;
  return isGood(response.status) && body.lengthBytes > 0 && truncatedBy === null;
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Whether a protocol module fetched it, so that there is no HTTP to archive. */
export function isResource(page: FetchedPage): boolean {
  return page.request === null && !BUILT_IN.test(page.url);
}

/** Whether the body is archived. A resource has no status, so it cannot say that it is an error. */
export function keepsBody(page: FetchedPage): boolean {
  if (page.keep !== "whole") return false;
  return !isResource(page) || isGood(page.response.status);
}

/** Request and response of a page whose body is in memory. */
export function wholeExchange(page: FetchedPage, context: ExchangeContext): WarcRecord[] {
  if (isResource(page)) {
    const resource = resourceOf(page, context, page.body.bytes ?? new Uint8Array(0));
    return [...outlinksOf(page, context, resource.id), resource];
  }
  const answer = answerCapture(page, context);
  const response = responseRecord({ ...answer, body: page.body.bytes ?? new Uint8Array(0) });
  return [
    ...outlinksOf(page, context, answer.id),
    ...requestOf(page, context, answer.id),
    response,
  ];
}

/** The same without the body, which the caller writes after the response. */
export function headExchange(
  page: FetchedPage,
  context: ExchangeContext,
): { readonly before: readonly WarcRecord[]; readonly response: WarcRecord } {
  if (isResource(page)) {
    const response = resourceOf(page, context, null);
    return { before: outlinksOf(page, context, response.id), response };
  }
  const answer = answerCapture(page, context);
  const response = responseHeadRecord({ ...answer, bodyBytes: page.body.lengthBytes });
  const links = outlinksOf(page, context, answer.id);
  return { before: [...links, ...requestOf(page, context, answer.id)], response };
}

/** Request and revisit of a page whose body is that of another record. */
export function revisitExchange(
  page: FetchedPage,
  context: ExchangeContext,
  original: PayloadOriginal,
): WarcRecord[] {
  const answer = answerCapture(page, context);
  const head = isResource(page) ? null : answer.head;
  const bodyBytes = page.body.lengthBytes;
  return [
    ...outlinksOf(page, context, answer.id),
    ...requestOf(page, context, answer.id),
    revisitRecord({ ...answer, head, bodyBytes, original }),
  ];
}

/**
 * All that is kept of a page that asks not to be archived, or is none: that it existed. Of one whose body is
 * kept elsewhere, also where, and what was found in it.
 */
export function metadataOnly(page: FetchedPage, context: ExchangeContext): WarcRecord[] {
  const { crawl, response, absent = null } = page;
  const entries: Field[] = [
    ["status", String(response.status)],
    ["bytes", String(bodyBytesOf(page))],
    ["fetchTimeMs", String(Math.round(crawl.durationMs))],
    ["hopsFromSeed", String(crawl.depth)],
  ];
  if (page.keep === "metadata" && absent === null) entries.push(["robots", "noarchive"]);
  if (crawl.via !== null) entries.push(["via", crawl.via]);
  const kept = absent?.kept ?? null;
  if (kept !== null) {
    entries.push([KEPT_FIELDS.at, kept.at], [KEPT_FIELDS.page, kept.page]);
  }
  return [metadataRecord({ ...captureOf(page, context), id: recordId(context.random), entries })];
}

/** The links of a page, as `outlink: URL KIND REL`, in a record that refers to that of the answer. */
function outlinksOf(page: FetchedPage, context: ExchangeContext, refersTo: string): WarcRecord[] {
  const { outlinks = [] } = page;
  if (outlinks.length === 0) return [];
  const entries = outlinks.map(({ url, kind, rel }): Field => {
    const relation = rel.trim().replace(/\s+/g, ",");
    return ["outlink", relation === "" ? `${url} ${kind}` : `${url} ${kind} ${relation}`];
  });
  const id = recordId(context.random);
  return [metadataRecord({ ...captureOf(page, context), id, refersTo, entries })];
}

function resourceOf(
  page: FetchedPage,
  context: ExchangeContext,
  bytes: Uint8Array | null,
): WarcRecord {
  const { head, ...answer } = answerCapture(page, context);
  const type = headerValue(head.headers, "content-type") ?? "";
  const contentType = type === "" ? "application/octet-stream" : type;
  return contentRecord("resource", { ...answer, contentType, bytes });
}

function answerCapture(page: FetchedPage, context: ExchangeContext) {
  const truncated = page.truncatedBy;
  return {
    ...captureOf(page, context),
    id: recordId(context.random),
    head: page.response,
    payloadDigest: context.payloadDigest,
    ...(truncated === null ? {} : { truncated }),
  };
}

/** None where nothing was sent. */
function requestOf(page: FetchedPage, context: ExchangeContext, concurrentTo: string) {
  if (page.request === null) return [];
  const id = recordId(context.random);
  const { head } = page.request;
  return [requestRecord({ ...captureOf(page, context), id, head, concurrentTo })];
}

function captureOf(page: FetchedPage, context: ExchangeContext): Capture {
  const { url, fetchedAtMs: dateMs, address } = page;
  const capture: Capture = {
    ...{ url, dateMs, warcinfoId: context.warcinfoId },
    ...(address === null ? {} : { ipAddress: address }),
  };
  return page.request?.protocol === "h2" ? { ...capture, protocol: "h2" } : capture;
}
