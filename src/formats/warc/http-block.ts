/**
 * The block of an HTTP record: head and body as HTTP/1.1 would send them.
 *
 * The stored headers must be true of the stored bytes. The fetcher delivers bodies without their
 * chunks, so a `Transfer-Encoding` that no longer applies and a `Content-Length` that does not
 * match are kept under `X-Crawler-` names, as other crawlers do, and the true length is written.
 * Bodies are stored with their `Content-Encoding`, so that one stays.
 */
import type { Header } from "../../base/seams/index.ts";
import { headerValues } from "../http/index.ts";
import { headEnd, parseFields, UNUSUAL } from "./fields.ts";

export interface ResponseHead {
  readonly status: number;
  /** The text after the status; may be empty. */
  readonly reason: string;
  readonly headers: readonly Header[];
}

/** Status line and headers with the empty line, in Latin-1: headers are bytes, not Unicode. */
export function responseHeadBytes(head: ResponseHead, bodyBytes: number): Uint8Array {
  const reason = oneLine(head.reason);
  let text = `HTTP/1.1 ${head.status}${reason === "" ? "" : ` ${reason}`}\r\n`;
  let lengthWritten = false;
  for (const [name, value] of head.headers) {
    const lower = name.toLowerCase();
    if (lower === "content-length" && value.trim() === String(bodyBytes)) {
      if (!lengthWritten) text += `${oneLine(name)}: ${bodyBytes}\r\n`;
      lengthWritten = true;
    } else {
      const isUntrue = lower === "content-length" || lower === "transfer-encoding";
      text += `${isUntrue ? "X-Crawler-" : ""}${oneLine(name)}: ${oneLine(value)}\r\n`;
    }
  }
  if (!lengthWritten) text += `Content-Length: ${bodyBytes}\r\n`;
  return Buffer.from(`${text}\r\n`, "latin1");
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
  /** The body without its transfer encoding, if it has one. */
  readonly payload: Uint8Array;
}

/** The parts of a stored HTTP block; null if it does not begin like HTTP. */
export function parseHttpBlock(block: Uint8Array): HttpMessage | null {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const bodyAt = headEnd(bytes) ?? bytes.length;
  const [startLine = "", ...lines] = bytes.toString("latin1", 0, bodyAt).split(/\r?\n/);
  if (!/^HTTP\/|\sHTTP\/[\d.]+$/.test(startLine)) return null;
  const headers = parseFields(lines).fields.list;
  const body = block.subarray(bodyAt);
  const codings = headerValues(headers, "transfer-encoding");
  const isChunked = codings.some((coding) => /\bchunked\b/i.test(coding));
  return { startLine, headers, body, payload: isChunked ? unchunked(body) : body };
}

/** The joined chunks. A body that is declared chunked but is not is returned as it is. */
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
