/**
 * The lines of a robots.txt: bytes in, `key: value` pairs out, each with its line number.
 *
 * Text is handled as *octet strings*: one character per byte, code 0 to 255. RFC 9309 compares
 * octets, and a file that is not valid UTF-8 must not lose any. The mistakes of real files are
 * corrected here and nowhere else: byte order marks (even broken ones), UTF-16, NULs, every kind of
 * line end, lines without a colon, endless bodies.
 */

/** RFC 9309 §2.5 asks for at least 500 KiB; what follows is ignored. */
export const ROBOTS_BYTES_MAX: number = 500 * 1024;

/** As in Google's parser: the rest of a longer line is ignored. */
const LINE_OCTETS_MAX = 2083 * 8 - 1;

export interface RobotsLine {
  /** Counted from 1. */
  readonly number: number;
  /** Before the separator, in lower case. */
  readonly key: string;
  /** After the separator, without white space around it, as written. */
  readonly value: string;
  /** The line up to the value, as written: `head + value` is the line without its comment. */
  readonly head: string;
}

/** The whole file as an octet string, and whether its end had to be left out. */
export interface RobotsText {
  readonly text: string;
  readonly truncated: boolean;
}

/**
 * Cuts the body to the limit, at a line end: half of a rule may match more than the whole one.
 * `complete` is false when the transfer itself ended early.
 */
export function robotsText(body: Uint8Array, complete: boolean): RobotsText {
  const whole = complete && body.length <= ROBOTS_BYTES_MAX;
  const kept = whole ? body : body.subarray(0, ROBOTS_BYTES_MAX);
  const text = octets(inUtf8(kept)).replaceAll("\0", "");
  if (whole) return { text, truncated: false };
  const lastEnd = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
  return { text: text.slice(0, lastEnd + 1), truncated: true };
}

/** Calls `take` for every line that is a pair; comments, empty lines and garbage are skipped. */
export function eachLine(text: string, take: (line: RobotsLine) => void): void {
  let start = byteOrderMarkLength(text);
  let number = 0;
  for (let at = start; at <= text.length; at += 1) {
    const octet = at === text.length ? LF : text.charCodeAt(at);
    if (octet !== LF && octet !== CR) continue;
    number += 1;
    const end = Math.min(at, start + LINE_OCTETS_MAX);
    const line = pair(text.slice(start, end), number);
    if (line !== null) take(line);
    if (octet === CR && text.charCodeAt(at + 1) === LF) at += 1;
    start = at + 1;
  }
}

const LF = 0x0a;
const CR = 0x0d;
const UTF8_MARK = "\u00ef\u00bb\u00bf";

/** A broken mark is skipped as far as it goes, as in Google's parser. */
function byteOrderMarkLength(text: string): number {
  let length = 0;
  while (length < UTF8_MARK.length && text[length] === UTF8_MARK[length]) length += 1;
  return length;
}

/**
 * Files saved as UTF-16 begin with a mark. Those without one are read by dropping their NULs, which
 * is right for every file in ASCII.
 */
function inUtf8(body: Uint8Array): Uint8Array {
  const label = UTF16_LABELS[`${body[0]} ${body[1]}`];
  if (label === undefined) return body;
  return new TextEncoder().encode(new TextDecoder(label).decode(body));
}

const UTF16_LABELS: Readonly<Record<string, string>> = {
  "255 254": "utf-16le",
  "254 255": "utf-16be",
};

function octets(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/**
 * Without white space at both ends. JavaScript's own `trim` would also remove octets of UTF-8
 * characters, and a regular expression takes quadratic time on a long run of spaces.
 */
function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (from < to && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function isSpace(octet: number): boolean {
  return octet === 0x20 || octet === 0x09 || octet === 0x0b || octet === 0x0c;
}

function pair(raw: string, number: number): RobotsLine | null {
  const comment = raw.indexOf("#");
  const line = trimmed(comment === -1 ? raw : raw.slice(0, comment));
  const separator = separatorOf(line);
  if (separator === -1) return null;
  const key = trimmed(line.slice(0, separator)).toLowerCase();
  if (key === "") return null;
  if (isBareUrl(key, line)) return { number, key: "sitemap", value: line, head: "" };
  const value = trimmed(line.slice(separator + 1));
  return { number, key, value, head: line.slice(0, line.length - value.length) };
}

/** The colon; where it was forgotten, the white space between exactly two words. */
function separatorOf(line: string): number {
  const colon = line.indexOf(":");
  if (colon !== -1) return colon;
  const space = line.search(/[ \t]/);
  if (space === -1) return -1;
  return /[ \t]/.test(trimmed(line.slice(space))) ? -1 : space;
}

/** The URL of a sitemap on a line of its own: `Sitemap:` was forgotten. */
function isBareUrl(key: string, line: string): boolean {
  if (key !== "http" && key !== "https") return false;
  return /^https?:\/\/[^ \t]+$/i.test(line) && /sitemap|\.xml(?:\.gz)?$/i.test(line);
}
