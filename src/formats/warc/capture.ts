/**
 * Makes the records of one capture: the request, the response, or that nothing new was received.
 * The request names the other record of its exchange by `WARC-Concurrent-To`.
 */
import type { Field } from "./fields.ts";
import { uriValue } from "./fields.ts";
import { type ResponseHead, responseHeadBytes } from "./http-block.ts";
import { sha1Digest } from "./payload-digest.ts";
import type { WarcRecord } from "./warc-record.ts";

/** What every record of an exchange shares. */
export interface Capture {
  /** The address that was fetched. */
  readonly url: string;
  /** When the answer arrived, in wall-clock milliseconds. */
  readonly dateMs: number;
  /** The address that was connected to, if known. */
  readonly ipAddress?: string;
  /** The protocol used, if it was not the HTTP/1.1 that records are written in: `h2`. */
  readonly protocol?: string;
  /** Id of the file's `warcinfo` record. */
  readonly warcinfoId: string;
}

/** Why a body is incomplete, in the words of the standard. */
export type Truncation = "length" | "time" | "disconnect" | "unspecified";

export interface ResponseCapture extends Capture {
  readonly id: string;
  readonly head: ResponseHead;
  readonly body: Uint8Array;
  /** `sha1:…` of the body, if the caller already has it; otherwise it is computed. */
  readonly payloadDigest?: string;
  readonly truncated?: Truncation;
}

export function responseRecord(capture: ResponseCapture): WarcRecord {
  const { body } = capture;
  const payloadDigest = capture.payloadDigest ?? sha1Digest(body);
  const record = responseHeadRecord({ ...capture, bodyBytes: body.length, payloadDigest });
  return { ...record, block: [...record.block, body] };
}

export interface ResponseHeadCapture extends Omit<ResponseCapture, "body"> {
  readonly bodyBytes: number;
  readonly payloadDigest: string;
}

/** A response whose block has only the head: the writer of the record appends the body. */
export function responseHeadRecord(capture: ResponseHeadCapture): WarcRecord {
  const head = responseHeadBytes(capture.head, capture.bodyBytes);
  const fields = captureFields(capture, "application/http; msgtype=response");
  fields.push(["WARC-Payload-Digest", capture.payloadDigest]);
  if (capture.truncated !== undefined) fields.push(["WARC-Truncated", capture.truncated]);
  return { type: "response", ...idAndDate(capture), fields, block: [head] };
}

export interface RequestCapture extends Capture {
  readonly id: string;
  /** The text that was sent, in Latin-1. */
  readonly head: string;
  /** Id of the response or revisit record of the same exchange. */
  readonly concurrentTo: string;
}

export function requestRecord(capture: RequestCapture): WarcRecord {
  const fields = captureFields(capture, "application/http; msgtype=request");
  fields.push(["WARC-Concurrent-To", `<${capture.concurrentTo}>`]);
  return {
    type: "request",
    ...idAndDate(capture),
    fields,
    block: [Buffer.from(capture.head, "latin1")],
  };
}

/** The capture whose record holds the body that a revisit leaves out. */
export interface Original {
  readonly url: string;
  readonly dateMs: number;
}

export interface RevisitCapture extends Capture {
  readonly id: string;
  /** Null for what was not fetched by HTTP: then the record is empty. */
  readonly head: ResponseHead | null;
  /** The length of the body, which is not stored again. */
  readonly bodyBytes: number;
  readonly payloadDigest?: string;
  readonly original: Original;
}

const SAME_PAYLOAD = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

/** A revisit holds the head alone: the same body is in the record referred to. */
export function revisitRecord(capture: RevisitCapture): WarcRecord {
  const isHttp = capture.head !== null;
  const fields = captureFields(capture, isHttp ? "application/http; msgtype=response" : null);
  fields.push(["WARC-Profile", SAME_PAYLOAD]);
  if (capture.payloadDigest !== undefined) {
    fields.push(["WARC-Payload-Digest", capture.payloadDigest]);
  }
  fields.push(["WARC-Refers-To-Target-URI", uriValue(capture.original.url)]);
  fields.push(["WARC-Refers-To-Date", isoDate(capture.original.dateMs)]);
  fields.push(["WARC-Truncated", "length"]);
  const { head, bodyBytes } = capture;
  const block = head === null ? [] : [responseHeadBytes(head, bodyBytes)];
  return { type: "revisit", ...idAndDate(capture), fields, block };
}

export interface MetadataCapture extends Capture {
  readonly id: string;
  /** Written as `application/warc-fields`. */
  readonly entries: readonly Field[];
  /** The id of the record that it describes, if that is another one. */
  readonly refersTo?: string;
}

export function metadataRecord(capture: MetadataCapture): WarcRecord {
  const fields = captureFields(capture, "application/warc-fields");
  const { refersTo } = capture;
  if (refersTo !== undefined) {
    fields.push(["WARC-Refers-To", `<${refersTo}>`], ["WARC-Concurrent-To", `<${refersTo}>`]);
  }
  return {
    type: "metadata",
    ...idAndDate(capture),
    fields,
    block: [warcFields(capture.entries)],
  };
}

export interface ContentCapture extends Capture {
  readonly id: string;
  readonly contentType: string;
  /** Null: the writer of the record appends them. */
  readonly bytes: Uint8Array | null;
  /** `sha1:…` of the bytes, needed if they are not given; otherwise it can be computed. */
  readonly payloadDigest?: string;
  readonly truncated?: Truncation;
  /** For a conversion: the record it was made from. */
  readonly refersTo?: string;
}

/**
 * Bytes without HTTP around them: a resource, such as a file by FTP, or a conversion of a record to
 * another form.
 */
export function contentRecord(
  type: "resource" | "conversion",
  capture: ContentCapture,
): WarcRecord {
  const { contentType, bytes, truncated, refersTo } = capture;
  const fields = captureFields(capture, contentType);
  const digest = capture.payloadDigest ?? (bytes === null ? null : sha1Digest(bytes));
  if (digest !== null) fields.push(["WARC-Payload-Digest", digest]);
  if (truncated !== undefined) fields.push(["WARC-Truncated", truncated]);
  if (refersTo !== undefined) fields.push(["WARC-Refers-To", `<${refersTo}>`]);
  return { type, ...idAndDate(capture), fields, block: bytes === null ? [] : [bytes] };
}

export interface WarcinfoCapture {
  readonly id: string;
  readonly dateMs: number;
  readonly fileName: string;
  /** `software`, `format`, `conformsTo`, `robots`, `operator`, … */
  readonly entries: readonly Field[];
}

/** The first record of a file: who made it, with what. */
export function warcinfoRecord(capture: WarcinfoCapture): WarcRecord {
  const fields: Field[] = [
    ["WARC-Filename", capture.fileName],
    ["Content-Type", "application/warc-fields"],
  ];
  return {
    type: "warcinfo",
    ...idAndDate(capture),
    fields,
    block: [warcFields(capture.entries)],
  };
}

/** `2026-01-31T12:00:00.000Z`, as fields of WARC 1.1 have it. */
export function isoDate(dateMs: number): string {
  return new Date(dateMs).toISOString();
}

function idAndDate(capture: { readonly id: string; readonly dateMs: number }): {
  id: string;
  dateMs: number;
} {
  return { id: capture.id, dateMs: capture.dateMs };
}

/** A record without a block has no type. */
function captureFields(capture: Capture, contentType: string | null): Field[] {
  const fields: Field[] = [["WARC-Target-URI", uriValue(capture.url)]];
  if (capture.ipAddress !== undefined) fields.push(["WARC-IP-Address", capture.ipAddress]);
  if (capture.protocol !== undefined) fields.push(["WARC-Protocol", capture.protocol]);
  fields.push(["WARC-Warcinfo-ID", `<${capture.warcinfoId}>`]);
  if (contentType !== null) fields.push(["Content-Type", contentType]);
  return fields;
}

function warcFields(entries: readonly Field[]): Uint8Array {
  const lines = entries.map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, " ")}\r\n`);
  return Buffer.from(lines.join(""), "utf8");
}
