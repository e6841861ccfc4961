/**
 * The text of a page as a reader would see it: references decoded, white space folded into one
 * space, one line for each block. It is written as UTF-8 bytes, which become a string once, at the
 * end. The text of a link is a part of it, so links are served by the same pass; where only their
 * text is wanted, or the page's limit is reached, the end of the buffer is their scratch space.
 */
import { decodeReference } from "./references.ts";
import { Utf8Buffer } from "./utf8-buffer.ts";
import type { HighBytes } from "./values.ts";

const NO_GAP = 0;
const SPACE_GAP = 1;
const LINE_GAP = 2;

const PLAIN = 0;
const WHITE_SPACE = 1;
const REFERENCE = 2;
const HIGH = 3;
const NOTHING = 4;

const CLASSES = new Uint8Array(256);
for (const byte of [0x09, 0x0a, 0x0c, 0x0d, 0x20]) CLASSES[byte] = WHITE_SPACE;
CLASSES[0x26] = REFERENCE;
CLASSES[0] = NOTHING;
/** The same for text without references. */
const RAW_CLASSES = CLASSES.slice();
RAW_CLASSES[0x26] = PLAIN;

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
  readonly #classes: Uint8Array;
  readonly #rawClasses: Uint8Array;
  readonly #textBytesMax: number;
  readonly #linkTextBytesMax: number;
  /** What stands between the last character and the next. */
  #gap = NO_GAP;
  /** No more than this is written. */
  #limit: number;
  #linkFrom = 0;
  #isInLink = false;
  isCut = false;

  constructor(options: TextOptions) {
    this.#out = new Utf8Buffer(options.textBytesMax === 0 ? 512 : 16_384);
    this.#highBytes = options.highBytes;
    this.#classes = classesOf(CLASSES, options.highBytes);
    this.#rawClasses = classesOf(RAW_CLASSES, options.highBytes);
    this.#textBytesMax = options.textBytesMax;
    this.#linkTextBytesMax = options.linkTextBytesMax;
    this.#limit = options.textBytesMax;
  }

  /** Whether text would be kept if it came now. */
  get isOpen(): boolean {
    return this.#out.length < this.#limit;
  }

  /** The next text begins a new line. */
  breakLine(): void {
    this.#gap = LINE_GAP;
  }

  text(bytes: Uint8Array, from: number, to: number): void {
    this.#append(bytes, from, to, this.#classes);
  }

  rawText(bytes: Uint8Array, from: number, to: number): void {
    this.#append(bytes, from, to, this.#rawClasses);
  }

  beginLink(): void {
    this.#isInLink = true;
    if (this.#out.length >= this.#textBytesMax) {
      this.#out.length = this.#textBytesMax;
      this.#gap = NO_GAP;
    }
    this.#linkFrom = this.#out.length;
    this.#limit = Math.max(this.#textBytesMax, this.#linkFrom + this.#linkTextBytesMax);
  }

  /** Appends the text since `beginLink`. */
  endLink(target: Utf8Buffer): void {
    this.#isInLink = false;
    this.#limit = this.#textBytesMax;
    const bytes = this.#out.bytes;
    let from = this.#linkFrom;
    if (from < this.#out.length && (bytes[from] as number) <= 0x20) from++;
    let to = Math.min(this.#out.length, from + this.#linkTextBytesMax);
    if (to < this.#out.length) to = characterEnd(bytes, from, to);
    target.reserve(to - from);
    if (!this.#out.isAscii) target.isAscii = false;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number;
      target.bytes[target.length++] = byte === 0x0a ? 0x20 : byte;
    }
  }

  get isInLink(): boolean {
    return this.#isInLink;
  }

  finish(): string {
    const bytes = this.#out.bytes;
    const length = Math.min(this.#out.length, this.#textBytesMax);
    const to = this.isCut ? characterEnd(bytes, 0, length) : length;
    return this.#out.slice(0, to);
  }

  #append(bytes: Uint8Array, from: number, to: number, classes: Uint8Array): void {
    let at = from;
    while (at < to) {
      const kind = classes[bytes[at] as number];
      if (kind === WHITE_SPACE || kind === NOTHING) {
        if (kind === WHITE_SPACE && this.#gap === NO_GAP) this.#gap = SPACE_GAP;
        at++;
        continue;
      }
      if (this.#out.length >= this.#textBytesMax) this.isCut = this.#textBytesMax > 0;
      if (!this.isOpen) return;
      if (kind === PLAIN) {
        this.#closeGap();
        at = this.#copy(bytes, at, to, classes);
      } else at = this.#special(bytes, at, to);
    }
  }

  #closeGap(): void {
    if (this.#gap === NO_GAP) return;
    if (this.#out.length > 0) this.#out.pushCodePoint(this.#gap === LINE_GAP ? 0x0a : 0x20);
    this.#gap = NO_GAP;
  }

  #copy(bytes: Uint8Array, from: number, to: number, classes: Uint8Array): number {
    const out = this.#out;
    const stop = Math.min(to, from + Math.max(1, this.#limit - out.length));
    out.reserve(stop - from);
    const written = out.bytes;
    let length = out.length;
    let seen = 0;
    let at = from;
    for (; at < stop; at++) {
      const byte = bytes[at] as number;
      if (classes[byte] !== PLAIN) break;
      seen |= byte;
      written[length++] = byte;
    }
    out.length = length;
    if (seen >= 0x80) out.isAscii = false;
    return at;
  }

  #special(bytes: Uint8Array, at: number, to: number): number {
    const out = this.#out;
    const before = out.length;
    const gap = this.#gap;
    const byte = bytes[at] as number;
    this.#closeGap();
    const from = out.length;
    let next = at + 1;
    if (byte === 0x26) next = decodeReference(bytes, at, to, out, false);
    else out.pushCodePoint((this.#highBytes as Uint16Array)[byte - 0x80] as number);
    if (!isSpace(out.bytes, from, out.length)) return next;
    out.length = before;
    this.#gap = Math.max(gap, SPACE_GAP);
    return next;
  }
}

/** UTF-8 is copied as it is; in other encodings every high byte is a character to be converted. */
function classesOf(classes: Uint8Array, highBytes: HighBytes): Uint8Array {
  return highBytes === undefined ? classes : classes.slice().fill(HIGH, 0x80);
}

/** One ASCII space of any kind, or a no-break space. */
function isSpace(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from === 1) return CLASSES[bytes[from] as number] === WHITE_SPACE;
  return to - from === 2 && bytes[from] === 0xc2 && bytes[from + 1] === 0xa0;
}

/** The last position not after `to` at which no character is cut in two. */
function characterEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let at = to - 1; at >= Math.max(from, to - 3); at--) {
    const byte = bytes[at] as number;
    if (byte >= 0xc0) return at + (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > to ? at : to;
    if (byte < 0x80) return to;
  }
  return to;
}
