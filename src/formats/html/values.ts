/**
 * Attribute values from bytes to UTF-8: references decoded, line ends normalised, NUL replaced, the
 * bytes of a single-byte encoding converted.
 */
import { isWhitespace } from "../charset/index.ts";
import { decodeReference } from "./tokens/references.ts";
import type { Utf8Buffer } from "./tokens/utf8-buffer.ts";

/** The characters of the bytes from 0x80 on; undefined if the bytes are UTF-8. */
export type HighBytes = Uint16Array | undefined;

/** Bytes that are copied as they are: ASCII except `&`, NUL and carriage return. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x80 && byte !== 0x26 && byte !== 0 && byte !== 0x0d ? 1 : 0,
);

/** Appends the value [from, to). */
export function writeValue(
  bytes: Uint8Array,
  from: number,
  to: number,
  out: Utf8Buffer,
  highBytes: HighBytes,
): void {
  let at = from;
  while (at < to) {
    at = writePlain(bytes, at, to, out);
    if (at < to) at = writeSpecial(bytes, at, to, out, highBytes);
  }
}

function writePlain(bytes: Uint8Array, from: number, to: number, out: Utf8Buffer): number {
  out.reserve(to - from);
  const written = out.bytes;
  let length = out.length;
  let at = from;
  for (; at < to; at++) {
    const byte = bytes[at] as number;
    if (IS_PLAIN[byte] === 0) break;
    written[length++] = byte;
  }
  out.length = length;
  return at;
}

function writeSpecial(
  bytes: Uint8Array,
  at: number,
  to: number,
  out: Utf8Buffer,
  highBytes: HighBytes,
): number {
  const byte = bytes[at] as number;
  if (byte === 0x26) return decodeReference(bytes, at, to, out, true);
  if (byte === 0x0d) {
    out.pushCodePoint(0x0a);
    return at + (at + 1 < to && bytes[at + 1] === 0x0a ? 2 : 1);
  }
  if (byte === 0) out.pushCodePoint(0xfffd);
  else if (highBytes === undefined) out.pushHighByte(byte);
  else out.pushCodePoint(highBytes[byte - 0x80] as number);
  return at + 1;
}

/** Removes white space at both ends of what was written since `start`. */
export function trim(out: Utf8Buffer, start: number): void {
  const bytes = out.bytes;
  while (out.length > start && isWhitespace(bytes[out.length - 1] as number)) out.length--;
  let from = start;
  while (from < out.length && isWhitespace(bytes[from] as number)) from++;
  if (from === start) return;
  bytes.copyWithin(start, from, out.length);
  out.length -= from - start;
}
