/**
 * Frames for people: one line of text each, with a field at its end that holds its length and
 * checksum:
 *
 *     <payload> TAB . 00005f . 1a2b3c4d NEWLINE      (without the spaces)
 *
 * The dot before the length is a plus in a frame that is the first after a sync. The length is
 * that of the whole line in bytes, the newline included: so a reader that finds two lines run into
 * one, because the newline between them was damaged, still finds the beginning of the second.
 *
 * After damage a reader looks only at line ends, and tries at most two places at each.
 */
import { checksum } from "./checksum.ts";
import { type Chunk, type Framing, type Salt, seedOf, tie, type Window } from "./framing.ts";
import { escapedBytes, escapeInto, unescaped } from "./line-escape.ts";

/** TAB, mark, six digits of length, dot, eight digits of checksum, newline. */
const TRAILER_BYTES = 18;
const LENGTH_DIGITS = 6;
const SUM_DIGITS = 8;
const LINE_BYTES_MAX = 2 ** 20;
const TAB = 0x09;
const NEWLINE = 0x0a;
const DOT = 0x2e;
const PLUS = 0x2b;
const DIGITS: Uint8Array = new TextEncoder().encode("0123456789abcdef");
const VALUES: Int8Array = new Int8Array(256).fill(-1).map((_, byte) => DIGITS.indexOf(byte));

export class LineFraming implements Framing {
  readonly frameBytesMax: number = LINE_BYTES_MAX;
  readonly #salt: Salt;

  constructor(salt: Salt) {
    this.#salt = salt;
  }

  frameBytes(payload: Uint8Array): number {
    return escapedBytes(payload) + TRAILER_BYTES;
  }

  encode(payload: Uint8Array, chunk: Chunk): void {
    const at = chunk.usedBytes;
    const end = escapeInto(chunk.bytes, at, payload) + TRAILER_BYTES;
    chunk.usedBytes = end;
    this.#writeTrailer(chunk, at, end, DOT);
  }

  markFirstAfterSync(chunk: Chunk, at: number): void {
    const end = chunk.bytes.indexOf(NEWLINE, at) + 1;
    this.#writeTrailer(chunk, at, end, PLUS);
  }

  check(window: Window, at: number): number {
    const { bytes } = window;
    const newline = bytes.indexOf(NEWLINE, at);
    const availableBytes = bytes.length - at;
    if (newline === -1) {
      if (window.isLast || availableBytes >= LINE_BYTES_MAX) return 0;
      // Doubling the request keeps reading linear, in one long line or many long ranges.
      return -(2 * availableBytes + TRAILER_BYTES);
    }
    const end = newline + 1;
    if (claimedBytes(bytes, end) !== end - at) return 0;
    const seed = this.#seed(window.position + at, end - at);
    const sum = checksum(window.view, at, end - SUM_DIGITS - 1, seed);
    return sum === numberAt(bytes, end - SUM_DIGITS - 1, SUM_DIGITS) ? end - at : 0;
  }

  seek(window: Window, at: number): number {
    const { bytes } = window;
    const newline = bytes.indexOf(NEWLINE, at);
    if (newline !== -1) {
      const start = newline + 1 - claimedBytes(bytes, newline + 1);
      return start > at && start < newline ? start : newline + 1;
    }
    if (window.isLast) return bytes.length;
    // Wherever the next newline is, its line cannot have begun before this.
    return Math.max(at + 1, bytes.length - LINE_BYTES_MAX + 1);
  }

  isFirstAfterSync(bytes: Uint8Array, at: number, frameBytes: number): boolean {
    return bytes[at + frameBytes - TRAILER_BYTES + 1] === PLUS;
  }

  payload(bytes: Uint8Array, at: number, frameBytes: number): Uint8Array {
    return unescaped(bytes.subarray(at, at + frameBytes - TRAILER_BYTES));
  }

  #writeTrailer(chunk: Chunk, from: number, to: number, mark: number): void {
    const { bytes } = chunk;
    const lengthAt = to - TRAILER_BYTES + 2;
    const sumAt = to - SUM_DIGITS - 1;
    bytes[lengthAt - 2] = TAB;
    bytes[lengthAt - 1] = mark;
    writeDigits(bytes, lengthAt, LENGTH_DIGITS, to - from);
    bytes[sumAt - 1] = DOT;
    const sum = checksum(chunk.view, from, sumAt, this.#seed(chunk.position + from, to - from));
    writeDigits(bytes, sumAt, SUM_DIGITS, sum);
    bytes[to - 1] = NEWLINE;
  }

  #seed(position: number, lineBytes: number): number {
    return seedOf(this.#salt, tie(this.#salt, position, lineBytes));
  }
}

/** The length that the line ending before `end` claims; -1 when it claims none. */
function claimedBytes(bytes: Uint8Array, end: number): number {
  const start = end - TRAILER_BYTES;
  if (start < 0 || bytes[start] !== TAB) return -1;
  const mark = bytes[start + 1];
  if ((mark !== DOT && mark !== PLUS) || bytes[start + 2 + LENGTH_DIGITS] !== DOT) return -1;
  const lineBytes = numberAt(bytes, start + 2, LENGTH_DIGITS);
  return lineBytes >= TRAILER_BYTES ? lineBytes : -1;
}

function writeDigits(bytes: Uint8Array, at: number, digits: number, value: number): void {
  let rest = value;
  for (let index = at + digits - 1; index >= at; index -= 1) {
    bytes[index] = DIGITS[rest & 15] ?? 0;
    rest >>>= 4;
  }
}

/** The number in these hexadecimal digits; -1 when they are not digits. */
function numberAt(bytes: Uint8Array, at: number, digits: number): number {
  let value = 0;
  for (let index = at; index < at + digits; index += 1) {
    const digit = VALUES[bytes[index] ?? 0] ?? -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}
