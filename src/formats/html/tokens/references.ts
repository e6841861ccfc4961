/**
 * Character references, `&amp;` and 2230 others, by the standard's rules for text and for
 * attributes. The few that make up nearly all references on the web are compared byte by byte;
 * numbers are computed; the rest is looked up in the table of the package `entities`, once each.
 *
 * One rule is ours: a reference is at most `REFERENCE_BYTES_MAX` bytes long. The longest name has
 * 33; only a number with hundreds of leading zeros is longer, and it is cut there. So text can be
 * taken in pieces without ever having to hold back more than that.
 */
import { decodeHTML, decodeHTMLAttribute } from "entities/decode";
import type { Utf8Buffer } from "./utf8-buffer.ts";

export const REFERENCE_BYTES_MAX = 1024;

/** Longer than any name: no name is found beyond this. */
const NAME_BYTES_MAX = 40;

/** What the numbers 0x80 to 0x9F mean: authors wrote windows-1252 there. Zero: itself. */
const WINDOWS_1252_NUMBERS: readonly number[] = [
  0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152,
  0, 0x017d, 0, 0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161,
  0x203a, 0x0153, 0, 0x017e, 0x0178,
];

/** The number of bytes before `end` that may be a reference which goes on after it. */
export function referenceTail(bytes: Uint8Array, end: number): number {
  const from = Math.max(0, end - REFERENCE_BYTES_MAX + 1);
  for (let at = end - 1; at >= from; at--) {
    const byte = bytes[at] as number;
    if (byte === 0x26) return end - at;
    if (!isAlphanumeric(byte) && byte !== 0x23) return 0;
  }
  return 0;
}

/**
 * At an `&`: writes what it stands for and returns the position after it. An `&` that does not
 * begin a reference stands for itself.
 */
export function decodeReference(
  bytes: Uint8Array,
  at: number,
  end: number,
  out: Utf8Buffer,
  isAttribute: boolean,
): number {
  if (at + 1 < end && bytes[at + 1] === 0x23) {
    return numeric(bytes, at, Math.min(end, at + REFERENCE_BYTES_MAX), out);
  }
  const stop = Math.min(end, at + NAME_BYTES_MAX);
  let to = at + 1;
  while (to < stop && isAlphanumeric(bytes[to] as number)) to++;
  if (to === at + 1) {
    out.pushCodePoint(0x26);
    return to;
  }
  const isClosed = to < stop && bytes[to] === 0x3b;
  const known = isClosed ? wellKnown(bytes, at + 1, to) : 0;
  if (known !== 0) {
    out.pushCodePoint(known);
    return to + 1;
  }
  // In an attribute a name without its semicolon counts only if no `=` follows: `?a=1&copy=2`.
  if (isClosed || (isAttribute && to < end && bytes[to] === 0x3d)) to++;
  out.pushString(named(bytes, at, to, isAttribute));
  return to;
}

/** `amp`, `lt`, `gt`, `quot`, `nbsp`; 0 for any other name. */
function wellKnown(bytes: Uint8Array, from: number, to: number): number {
  const length = to - from;
  const first = bytes[from];
  const second = bytes[from + 1];
  if (length === 2 && second === 0x74) return first === 0x6c ? 0x3c : first === 0x67 ? 0x3e : 0;
  if (length === 3 && first === 0x61 && second === 0x6d && bytes[from + 2] === 0x70) return 0x26;
  if (length !== 4) return 0;
  const third = bytes[from + 2];
  const fourth = bytes[from + 3];
  if (first === 0x6e && second === 0x62 && third === 0x73 && fourth === 0x70) return 0xa0;
  if (first === 0x71 && second === 0x75 && third === 0x6f && fourth === 0x74) return 0x22;
  return 0;
}

function numeric(bytes: Uint8Array, at: number, stop: number, out: Utf8Buffer): number {
  const isHex = at + 2 < stop && ((bytes[at + 2] as number) | 0x20) === 0x78;
  const base = isHex ? 16 : 10;
  const digitsFrom = at + (isHex ? 3 : 2);
  let to = digitsFrom;
  let value = 0;
  for (; to < stop; to++) {
    const digit = digitOf(bytes[to] as number, base);
    if (digit === -1) break;
    value = Math.min(value * base + digit, 0x110000);
  }
  if (to === digitsFrom) {
    out.pushCodePoint(0x26);
    return at + 1;
  }
  out.pushCodePoint(scalarValue(value));
  return to < stop && bytes[to] === 0x3b ? to + 1 : to;
}

function digitOf(byte: number, base: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return base === 16 && lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function scalarValue(value: number): number {
  if (value === 0 || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return 0xfffd;
  if (value < 0x80 || value > 0x9f) return value;
  return WINDOWS_1252_NUMBERS[value - 0x80] || value;
}

/** Names decoded so far, by what was written; bounded, because that can be anything. */
const texts = new Map<string, string>();
const attributes = new Map<string, string>();
const REMEMBERED_MAX = 4096;

function named(bytes: Uint8Array, from: number, to: number, isAttribute: boolean): string {
  let written = "";
  for (let at = from; at < to; at++) written += String.fromCharCode(bytes[at] as number);
  const remembered = isAttribute ? attributes : texts;
  const known = remembered.get(written);
  if (known !== undefined) return known;
  const meaning = isAttribute ? decodeHTMLAttribute(written) : decodeHTML(written);
  if (remembered.size < REMEMBERED_MAX) remembered.set(written, meaning);
  return meaning;
}

function isAlphanumeric(byte: number): boolean {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}
