/**
 * CDXJ, the index that replay tools read: one line for each capture, `key timestamp {json}`, sorted
 * by bytes. The key is the address in SURT form (`org,example)/path`).
 */
import { headerValue, parseContentType } from "../http/index.ts";
import { parseHttpBlock } from "./http-block.ts";
import type { ReadRecord } from "./warc-record.ts";

export interface CdxjEntry {
  readonly surt: string;
  /** Fourteen or seventeen digits, UTC. */
  readonly timestamp: string;
  readonly url: string;
  readonly mime: string;
  readonly status: number | null;
  readonly digest: string | null;
  readonly lengthBytes: number;
  readonly offset: number;
  readonly fileName: string;
}

/** One line without its line end. JSON members are strings, as the readers in use expect. */
export function cdxjLine(entry: CdxjEntry): string {
  const members = {
    url: entry.url,
    mime: entry.mime,
    ...(entry.status === null ? {} : { status: String(entry.status) }),
    ...(entry.digest === null ? {} : { digest: entry.digest }),
    length: String(entry.lengthBytes),
    offset: String(entry.offset),
    filename: entry.fileName,
  };
  return `${entry.surt.replaceAll(" ", "%20")} ${entry.timestamp} ${JSON.stringify(members)}`;
}

/** Orders lines as `LC_ALL=C sort` does: by their UTF-8 bytes. */
export function compareCdxj(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left, "utf8"), Buffer.from(right, "utf8"));
}

/** The entry of a record; null for records that are not indexed (requests, metadata, …). */
export function cdxjEntry(
  record: ReadRecord,
  fileName: string,
  surtOf: (url: string) => string,
): CdxjEntry | null {
  if (record.targetUri === null) return null;
  if (record.type !== "response" && record.type !== "revisit" && record.type !== "resource") {
    return null;
  }
  const http = record.type === "resource" ? null : parseHttpBlock(record.block);
  return {
    surt: surtOf(record.targetUri),
    timestamp: timestampOf(record.fields.get("WARC-Date") ?? ""),
    url: record.targetUri,
    mime: mimeOf(record, http?.headers ?? []),
    status: http === null ? null : statusOf(http.startLine),
    digest: record.fields.get("WARC-Payload-Digest"),
    lengthBytes: record.lengthBytes,
    offset: record.offset,
    fileName,
  };
}

function mimeOf(record: ReadRecord, headers: readonly (readonly [string, string])[]): string {
  if (record.type === "revisit") return "warc/revisit";
  const header = headerValue(headers, "content-type");
  const value = record.type === "resource" ? record.fields.get("Content-Type") : header;
  return parseContentType(value ?? undefined).media || "unk";
}

function statusOf(startLine: string): number | null {
  const digits = /^HTTP\/\S+\s+(\d{3})\b/.exec(startLine)?.[1];
  return digits === undefined ? null : Number(digits);
}

function timestampOf(date: string): string {
  return date.replace(/\D/g, "").slice(0, 14).padEnd(14, "0");
}
