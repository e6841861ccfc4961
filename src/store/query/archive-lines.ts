/**
 * Records of archives that others made, as lines of a crawl log: with such lines an archive is read
 * like a crawl of ours. Requests, metadata and what was not fetched from a server (`dns:`, `urn:`) are
 * left out.
 */
import { headerValue, parseContentType } from "../../formats/http/index.ts";
import { parseUrl } from "../../formats/url/index.ts";
import { parseHttpBlock, type ReadRecord, sha1Digest } from "../../formats/warc/index.ts";
import { type CrawlLine, type CrawlNote, WARC_FOLDER } from "../archive/index.ts";

/** Fetched by other protocols, with URLs of the same form. */
const SCHEMES: ReadonlySet<string> = new Set(["ftp", "ftps", "gopher", "sftp"]);
const ANSWERS: ReadonlySet<string> = new Set(["response", "revisit", "resource"]);

/** What an archive is read by: two URLs with one key are the same page. */
export function parseArchiveUrl(url: string): ReturnType<typeof parseUrl> {
  return parseUrl(url, { files: true, schemes: SCHEMES });
}

/** Null for records that are not answers. `file` is the name of the archive file. */
export function lineOfRecord(record: ReadRecord, file: string): CrawlLine | null {
  const { type, targetUri, fields, offset, lengthBytes } = record;
  const parsed = targetUri === null || !ANSWERS.has(type) ? null : parseArchiveUrl(targetUri);
  if (parsed === null || parsed.kind === "refused") return null;
  const http = type === "resource" ? null : parseHttpBlock(record.block);
  const isRevisit = type === "revisit";
  const status = http === null ? null : statusOf(http.startLine);
  if (type === "response" && status === null) return null;
  const header = http === null ? undefined : headerValue(http.headers, "content-type");
  const stated = type === "resource" ? (fields.get("Content-Type") ?? undefined) : header;
  const payload = http?.payload ?? record.block;
  return {
    atMs: dateOf(fields.get("WARC-Date")),
    result: status ?? 200,
    bodyBytes: isRevisit ? statedLength(http?.headers ?? []) : payload.length,
    ...{ url: parsed.url, depth: 0, via: null },
    mime: parseContentType(stated).media || null,
    digest: fields.get("WARC-Payload-Digest") ?? (isRevisit ? null : sha1Digest(payload)),
    ...{ durationMs: 0, attempt: 1, address: fields.get("WARC-IP-Address") },
    place: { file: `${WARC_FOLDER}/${file}`, offset, lengthBytes },
    notes: notesOf(record, { url: parsed.url, status, headers: http?.headers ?? [] }),
  };
}

type Headers = readonly (readonly [string, string])[];

function notesOf(
  { type, fields }: ReadRecord,
  { url, status, headers }: { url: string; status: number | null; headers: Headers },
): CrawlNote[] {
  const notes: CrawlNote[] = [];
  if (type === "revisit") notes.push(["duplicate", fields.get("WARC-Refers-To-Target-URI") ?? url]);
  const truncated = fields.get("WARC-Truncated");
  if (truncated !== null && type !== "revisit") notes.push(["truncated", truncated]);
  const location = headerValue(headers, "location");
  if (status !== null && status >= 300 && status < 400 && location !== undefined) {
    const target = parseUrl(location, { base: url });
    if (target.kind === "accepted") notes.push(["redirect", target.url]);
  }
  return notes;
}

/** Null for a line that is not that of an answer. */
function statusOf(startLine: string): number | null {
  const digits = /^HTTP\/\S+\s+([1-9]\d{2})\b/.exec(startLine)?.[1];
  return digits === undefined ? null : Number(digits);
}

function statedLength(headers: Headers): number {
  const text = headerValue(headers, "content-length")?.trim() ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

const COMPACT = /^(\d{4})(\d{2})(\d{2})(\d{2})?(\d{2})?(\d{2})?/;

/** ISO 8601 as in WARC, or fourteen digits as in ARC; 1970 for anything else. */
function dateOf(text: string | null): number {
  const [, year, month, day, hour = "00", minute = "00", second = "00"] =
    COMPACT.exec(text ?? "") ?? [];
  const iso = year === undefined ? text : `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
  const atMs = Date.parse(iso ?? "");
  return Number.isNaN(atMs) ? 0 : atMs;
}
