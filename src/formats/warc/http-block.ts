/**
 * The block of an HTTP record: head and body as HTTP/1.1 would send them.
 *
 * What is stored must be true of the stored bytes. The fetcher hands bodies over without their
 * chunks, so a `Transfer-Encoding` that no longer applies, a `Content-Length` that does not count
 * the stored bytes, and a `Content-Encoding` that was undone are kept under `X-Crawler-` names
 * (the custom of other crawlers), and the true length is written.
 */
import type { Header } from "../../base/seams/index.ts";
import { headerValues } from "../http/index.ts";
import { UNUSUAL } from "./fields.ts";

export interface ResponseHead {
  readonly status: number;
  /** The text after the status; may be empty. */
  readonly reason: string;
  readonly headers: readonly Header[];
}

export interface BodyAccount {
  readonly bodyBytes: number;
  /** Whether the fetcher took the content encoding off; it does not by default. */
  readonly contentDecoded?: boolean;
}

/** Status line and headers with the empty line, in Latin-1: headers are bytes, not Unicode. */
export function responseHeadBytes(head: ResponseHead, body: BodyAccount): Uint8Array {
  const reason = oneLine(head.reason);
  let text = `HTTP/1.1 ${head.status}${reason === "" ? "" : ` ${reason}`}\r\n`;
  let lengthWritten = false;
  for (const [name, value] of head.headers) {
    const lower = name.toLowerCase();
    if (lower === "content-length" && value.trim() === String(body.bodyBytes)) {
      if (!lengthWritten) text += `${oneLine(name)}: ${body.bodyBytes}\r\n`;
      lengthWritten = true;
    } else {
      text += `${isUntrue(lower, body) ? "X-Crawler-" : ""}${oneLine(name)}: ${oneLine(value)}\r\n`;
    }
  }
  if (!lengthWritten) text += `Content-Length: ${body.bodyBytes}\r\n`;
  return Buffer.from(`${text}\r\n`, "latin1");
}

export interface RequestHead {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: readonly Header[];
}

/** Of the parts of a head, or of its text as it was sent, in Latin-1. */
export function requestHeadBytes(head: RequestHead | string): Uint8Array {
  if (typeof head === "string") return Buffer.from(head, "latin1");
  let text = `${oneLine(head.method)} ${oneLine(head.target).replaceAll(" ", "%20")} HTTP/1.1\r\n`;
  for (const [name, value] of head.headers) text += `${oneLine(name)}: ${oneLine(value)}\r\n`;
  return Buffer.from(`${text}\r\n`, "latin1");
}

function isUntrue(lowerName: string, body: BodyAccount): boolean {
  if (lowerName === "content-length" || lowerName === "transfer-encoding") return true;
  return lowerName === "content-encoding" && body.contentDecoded === true;
}

/** No header may smuggle a line end into the head. */
function oneLine(text: string): string {
  return (UNUSUAL.test(text) ? text.replace(/[\r\n\0]+/g, " ") : text).trim();
}

export interface HttpMessage {
  /** Status line or request line. */
  readonly startLine: string;
  readonly headers: readonly Header[];
  /** What follows the head, as stored. */
  readonly body: Uint8Array;
  /** The body with the transfer encoding taken off where there is one. */
  readonly payload: Uint8Array;
}

/** Takes a stored HTTP block apart; null where it does not begin like HTTP. */
export function parseHttpBlock(block: Uint8Array): HttpMessage | null {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const end = headEnd(bytes);
  const head = bytes.toString("latin1", 0, end.head);
  const [startLine = "", ...lines] = head.split(/\r?\n/);
  if (!/^HTTP\/|\sHTTP\/[\d.]+$/.test(startLine)) return null;
  const headers: Header[] = [];
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
  }
  const body = block.subarray(end.body);
  const codings = headerValues(headers, "transfer-encoding");
  const isChunked = codings.some((coding) => /\bchunked\b/i.test(coding));
  return { startLine, headers, body, payload: isChunked ? unchunked(body) : body };
}

function headEnd(bytes: Buffer): { head: number; body: number } {
  const proper = bytes.indexOf("\r\n\r\n", 0, "latin1");
  const bare = bytes.indexOf("\n\n", 0, "latin1");
  if (proper >= 0 && (bare < 0 || proper < bare)) return { head: proper, body: proper + 4 };
  return bare >= 0 ? { head: bare, body: bare + 2 } : { head: bytes.length, body: bytes.length };
}

/** The chunks joined. A body that says it is chunked and is not is taken as it is. */
function unchunked(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const pieces: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    const lineEnd = bytes.indexOf("\n", at, "latin1");
    if (lineEnd < 0 || lineEnd - at > 64) break;
    const size = /^([0-9a-f]{1,8})\s*(?:;.*)?$/i.exec(bytes.toString("latin1", at, lineEnd).trim());
    if (size?.[1] === undefined) break;
    const length = Number.parseInt(size[1], 16);
    if (length === 0) return joined(pieces);
    pieces.push(body.subarray(lineEnd + 1, lineEnd + 1 + length));
    at = lineEnd + 1 + length + (bytes[lineEnd + 1 + length] === 0x0d ? 2 : 1);
  }
  return pieces.length === 0 ? body : joined(pieces);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}
