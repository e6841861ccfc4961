/**
 * What content looks like, from its first bytes. Servers often announce an encoding that they did
 * not apply; a page that is readable as received should not be lost for that.
 */
import type { ContentCoding } from "./content-codings.ts";

const ZSTD_MAGIC = 0xfd2fb528;
const ZSTD_SKIPPABLE_MAGIC = 0x184d2a50;

/** Enough to tell text from a compressed stream: fewer than half of all byte values are text. */
const TEXT_BYTES = 64;

/** False when the body certainly does not have this coding, because its magic bytes are missing. */
export function looksEncoded(coding: ContentCoding, body: Uint8Array): boolean {
  switch (coding) {
    case "gzip":
      return body[0] === 0x1f && (body.length < 2 || body[1] === 0x8b);
    case "zstd":
      return looksLikeZstd(body);
    case "deflate":
    case "br":
      return true;
  }
}

function looksLikeZstd(body: Uint8Array): boolean {
  if (body.length < 4) return body[0] === (ZSTD_MAGIC & 0xff);
  const magic = new DataView(body.buffer, body.byteOffset, 4).getUint32(0, true);
  return magic === ZSTD_MAGIC || (magic & ~0xf) >>> 0 === ZSTD_SKIPPABLE_MAGIC;
}

/** Whether the beginning is printable ASCII, with line ends and tabs. */
export function looksLikeText(body: Uint8Array): boolean {
  const looked = Math.min(body.length, TEXT_BYTES);
  for (let at = 0; at < looked; at += 1) {
    const byte = body[at] ?? 0;
    const isBlank = byte === 0x09 || byte === 0x0a || byte === 0x0d;
    if ((byte < 0x20 && !isBlank) || byte > 0x7e) return false;
  }
  // A few bytes prove nothing: they may also be a compressed stream.
  return looked >= TEXT_BYTES / 4;
}
