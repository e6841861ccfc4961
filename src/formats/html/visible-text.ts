/**
 * The text of a page as a reader would see it: references decoded, white space folded into one
 * space, one line for each block. It is written as UTF-8 bytes, which become a string once, at the
 * end. The text of a link is a part of it, so links are served by the same pass; where only their
 * text is wanted, or the page's limit is reached, the end of the buffer is their scratch space.
 *
 * Invariant: no two white space bytes stand side by side, and none at the beginning. A space or
 * line feed at the end is the gap before the next word, if one comes.
 */
import { decodeReference } from "./tokens/references.ts";
import { Utf8Buffer } from "./tokens/utf8-buffer.ts";
import type { HighBytes } from "./values.ts";

/** What a byte is. */
const PLAIN = 0;
const WHITE_SPACE = 1;
/** Needs more than a table: references, characters of other encodings, NUL. */
const SPECIAL = 2;

/**
 * By byte: below 256 what is written for it, all white space as a space; above that, what it is.
 * One table, because a look into a second one for every byte took a fifth of the time.
 */
const FOLDING = Uint16Array.from({ length: 256 }, (_, byte) => byte);
for (const byte of [0x09, 0x0a, 0x0c, 0x0d, 0x20]) FOLDING[byte] = (WHITE_SPACE << 8) | 0x20;
FOLDING[0] = SPECIAL << 8;
/** The same for text with references. */
const REFERENCE_FOLDING = FOLDING.slice();
REFERENCE_FOLDING[0x26] = SPECIAL << 8;
/** UTF-8 is copied as it is; in other encodings every high byte is a character to be converted. */
const HIGH_FOLDING = FOLDING.slice().fill(SPECIAL << 8, 0x80);
const HIGH_REFERENCE_FOLDING = REFERENCE_FOLDING.slice().fill(SPECIAL << 8, 0x80);

export interface TextOptions {
  readonly highBytes: HighBytes;
  /** How much of the page's text is kept; 0 to keep none. */
  readonly textBytesMax: number;
  /** How much text a link may have. */
  readonly linkTextBytesMax: number;
}

export class VisibleText {
  readonly #out: Utf8Buffer;
  readonly #highBytes: HighBytes;
  readonly #folding: Uint16Array;
  readonly #referenceFolding: Uint16Array;
  readonly #textBytesMax: number;
  readonly #linkTextBytesMax: number;
  /** No more than this is written. */
  #limit: number;
  #linkFrom = 0;
  isCut = false;

  constructor(options: TextOptions) {
    const isUtf8 = options.highBytes === undefined;
    this.#out = new Utf8Buffer(options.textBytesMax === 0 ? 512 : 16_384);
    this.#highBytes = options.highBytes;
    this.#folding = isUtf8 ? FOLDING : HIGH_FOLDING;
    this.#referenceFolding = isUtf8 ? REFERENCE_FOLDING : HIGH_REFERENCE_FOLDING;
    this.#textBytesMax = options.textBytesMax;
    this.#linkTextBytesMax = options.linkTextBytesMax;
    this.#limit = options.textBytesMax;
  }

  clear(): void {
    this.#out.clear();
    this.#limit = this.#textBytesMax;
    this.#linkFrom = 0;
    this.isCut = false;
  }

  /** Whether more text would be kept. */
  get isOpen(): boolean {
    return this.#out.length < this.#limit;
  }

  /** The next text begins a new line. */
  breakLine(): void {
    const out = this.#out;
    if (out.length === 0 || out.length >= this.#limit) return;
    if (this.#isAtGap()) out.bytes[out.length - 1] = 0x0a;
    else out.pushCodePoint(0x0a);
  }

  /** Text in which `&` begins a reference. */
  text(bytes: Uint8Array, from: number, to: number): void {
    this.#append(bytes, from, to, this.#referenceFolding);
  }

  rawText(bytes: Uint8Array, from: number, to: number): void {
    this.#append(bytes, from, to, this.#folding);
  }

  beginLink(): void {
    if (this.#out.length > this.#textBytesMax) this.#out.length = this.#textBytesMax;
    this.#linkFrom = this.#out.length;
    this.#limit = Math.max(this.#textBytesMax, this.#linkFrom + this.#linkTextBytesMax);
  }

  /** Appends the text since `beginLink`. */
  endLink(target: Utf8Buffer): void {
    const bytes = this.#out.bytes;
    let from = this.#linkFrom;
    let to = Math.min(this.#out.length, from + this.#linkTextBytesMax);
    if (to < this.#out.length || to === this.#limit) to = characterEnd(bytes, from, to);
    while (from < to && isGap(bytes[from] as number)) from++;
    while (from < to && isGap(bytes[to - 1] as number)) to--;
    target.reserve(to - from);
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number;
      if (byte >= 0x80) target.isAscii = false;
      target.bytes[target.length++] = FOLDING[byte] as number;
    }
    this.#limit = this.#textBytesMax;
  }

  finish(): string {
    const bytes = this.#out.bytes;
    let to = Math.min(this.#out.length, this.#textBytesMax);
    if (this.isCut || to < this.#out.length) to = characterEnd(bytes, 0, to);
    while (to > 0 && isGap(bytes[to - 1] as number)) to--;
    return this.#out.slice(0, to);
  }

  #isAtGap(): boolean {
    const { bytes, length } = this.#out;
    return length === 0 || isGap(bytes[length - 1] as number);
  }

  #append(bytes: Uint8Array, from: number, to: number, folding: Uint16Array): void {
    let at = from;
    while (at < to) {
      const room = this.#limit - this.#out.length;
      if (room <= 0) {
        this.#noteCut(bytes, at, to, folding);
        return;
      }
      at = this.#fold(bytes, at, Math.min(to, at + room), folding);
      if (at < to && kindOf(folding, bytes[at] as number) === SPECIAL)
        at = this.#special(bytes, at, to);
    }
  }

  /**
   * Copies bytes and folds white space, up to the first special byte. Every byte is written, and
   * counts unless it is the second white space of a row: that costs less than asking, because
   * where words end is what a processor cannot guess. One call for each word took twice the time.
   */
  #fold(bytes: Uint8Array, from: number, to: number, folding: Uint16Array): number {
    const out = this.#out;
    out.reserve(to - from);
    const written = out.bytes;
    let length = out.length;
    let last = this.#isAtGap() ? WHITE_SPACE : PLAIN;
    let seen = 0;
    let at = from;
    for (; at < to; at++) {
      const folded = folding[bytes[at] as number] as number;
      const kind = folded >>> 8;
      if (kind === SPECIAL) break;
      written[length] = folded;
      length += 1 - (kind & last);
      last = kind;
      seen |= folded;
    }
    out.length = length;
    if ((seen & 0x80) !== 0) out.isAscii = false;
    return at;
  }

  /** There is no more room: sets `isCut` if anything but white space is left out. */
  #noteCut(bytes: Uint8Array, from: number, to: number, folding: Uint16Array): void {
    for (let at = from; at < to && !this.isCut && this.#textBytesMax > 0; at++) {
      this.isCut = kindOf(folding, bytes[at] as number) !== WHITE_SPACE;
    }
  }

  #special(bytes: Uint8Array, at: number, to: number): number {
    const out = this.#out;
    const byte = bytes[at] as number;
    if (byte === 0) return at + 1;
    const from = out.length;
    const wasAtGap = this.#isAtGap();
    let next = at + 1;
    if (byte === 0x26) next = decodeReference(bytes, at, to, out, false);
    else out.pushCodePoint((this.#highBytes as Uint16Array)[byte - 0x80] as number);
    if (!isSpace(out.bytes, from, out.length)) return next;
    out.length = from;
    if (!wasAtGap) out.pushCodePoint(0x20);
    return next;
  }
}

function kindOf(folding: Uint16Array, byte: number): number {
  return (folding[byte] as number) >>> 8;
}

/** What separates words in the output. */
function isGap(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a;
}

/** One ASCII space of any kind, or a no-break space. */
function isSpace(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from === 1) return kindOf(FOLDING, bytes[from] as number) === WHITE_SPACE;
  return to - from === 2 && bytes[from] === 0xc2 && bytes[from + 1] === 0xa0;
}

/** The last position not after `to` that does not split a character. */
function characterEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let at = to - 1; at >= Math.max(from, to - 3); at--) {
    const byte = bytes[at] as number;
    if (byte >= 0xc0) return at + (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > to ? at : to;
    if (byte < 0x80) return to;
  }
  return to;
}
