/**
 * The short cut past the parser: reads the bytes of a link where they were put, after the part of
 * the base that it keeps, and checks whether the parser would leave them as they are, or would only
 * remove dot segments and the fragment. Anything else is left to the parser.
 *
 * Invariant: what passes here is, byte for byte, what the parser makes of it. The scanner refuses
 * freely and never guesses; differential tests compare the two on every kind of link.
 *
 * Bytes beyond the end of a link are left over from others. Reading them may turn an answer from
 * "plain" to "not plain", and vice versa only for a `%` at the very end, which changes neither URL
 * nor key.
 */
import {
  AMPERSAND,
  CAPITAL,
  DOT,
  ENDS,
  HOST_KINDS,
  PARENTHESIS,
  PATH_KINDS,
  PERCENT,
  PLAIN,
  QUERY_KINDS,
  SCHEME_KINDS,
  SEMICOLON,
  UNUSUAL,
} from "./byte-kinds.ts";
import { withoutDotSegments } from "./dot-segments.ts";
import { isUnreserved } from "./escapes.ts";

/** In place of a position: the parser must handle the link. */
export const NOT_PLAIN = -1;

export class LinkScanner {
  /** The end of the URL: before the fragment, and after `removeDots` earlier still. */
  end = 0;
  /** Whether the bytes differ from what was put there, other than by being cut at `end`. */
  hasChanged = false;
  /** Whether the key may differ from the URL, by its escapes or by a rule. */
  needsKey = false;
  hasDots = false;
  #pathEnd = 0;
  readonly #bytes: Buffer;
  /** By the pair of bytes they begin with, the names of parameters that the rules may strip. */
  readonly #strippable: readonly (readonly Uint8Array[])[];
  readonly #watchesPath: boolean;

  constructor(bytes: Buffer, strippableNames: readonly string[], watchesPath: boolean) {
    this.#bytes = bytes;
    this.#watchesPath = watchesPath;
    const byPair = Array.from({ length: PAIRS }, (): Uint8Array[] => []);
    for (const name of strippableNames) {
      byPair[pairOf(name.charCodeAt(0), name.charCodeAt(1))]?.push(Buffer.from(name));
    }
    this.#strippable = byPair;
  }

  /** Forgets the last link. */
  begin(): void {
    this.hasChanged = false;
    this.needsKey = false;
    this.hasDots = false;
  }

  /** Sets the end of the URL, whose bytes are no longer those that were put there. */
  endAt(end: number): void {
    this.end = end;
    this.hasChanged = true;
  }

  /**
   * Where the host begins if the text begins with `https://` or `http://`, else `NOT_PLAIN`. That
   * may be beyond the text's end, where there is no host.
   */
  hostStart(from: number): number {
    const bytes = this.#bytes;
    if (bytes[from] !== H || bytes[from + 1] !== T || bytes[from + 2] !== T) return NOT_PLAIN;
    if (bytes[from + 3] !== P) return NOT_PLAIN;
    const colonAt = bytes[from + 4] === S ? from + 5 : from + 4;
    const hasSlashes = bytes[colonAt + 1] === SLASH && bytes[colonAt + 2] === SLASH;
    return bytes[colonAt] === COLON && hasSlashes ? colonAt + 3 : NOT_PLAIN;
  }

  /** Whether the text from `from` to `end` begins with this origin, followed by a path or nothing. */
  isAtOrigin(from: number, end: number, originAt: number, length: number): boolean {
    if (from + length > end) return false;
    const bytes = this.#bytes;
    for (let index = length - 1; index >= 0; index -= 1) {
      if (bytes[from + index] !== bytes[originAt + index]) return false;
    }
    return from + length === end || HOST_KINDS[bytes[from + length] as number] === ENDS;
  }

  /** Where the scheme's colon is, or `NOT_PLAIN` when the text does not begin with a scheme. */
  schemeEnd(from: number, end: number): number {
    for (let at = from; at < end; at += 1) {
      const kind = SCHEME_KINDS[this.#bytes[at] as number];
      if (kind === PLAIN) continue;
      return kind === ENDS && isLetter(this.#bytes[from]) && at > from ? at : NOT_PLAIN;
    }
    return NOT_PLAIN;
  }

  /**
   * The end of the host that begins at `from`; capitals become lower case. Ports, user names,
   * addresses, punycode and empty labels are left to the parser.
   */
  hostEnd(from: number, end: number): number {
    const bytes = this.#bytes;
    let labelAt = from;
    let at = from;
    for (; at < end; at += 1) {
      const kind = HOST_KINDS[bytes[at] as number];
      if (kind === PLAIN) continue;
      if (kind === DOT) {
        if (at === labelAt || this.#isPunycode(labelAt)) return NOT_PLAIN;
        labelAt = at + 1;
      } else if (kind === CAPITAL) {
        bytes[at] = (bytes[at] as number) | 0x20;
        this.hasChanged = true;
      } else if (kind === ENDS) break;
      else return NOT_PLAIN;
    }
    const isName = at > labelAt && !isDigit(bytes[labelAt]) && !this.#isPunycode(labelAt);
    return isName ? at : NOT_PLAIN;
  }

  /** Reads path and query from just after a slash; false if the parser must handle them. */
  scan(from: number, end: number): boolean {
    this.#pathEnd = this.#scanPath(from, end);
    this.end = this.#pathEnd;
    if (this.#bytes[this.#pathEnd] === QUESTION && this.#pathEnd < end) {
      this.end = this.#scanQuery(this.#pathEnd + 1, end);
    }
    return this.#pathEnd !== NOT_PLAIN && this.end !== NOT_PLAIN;
  }

  #scanPath(from: number, end: number): number {
    const bytes = this.#bytes;
    let at = plainEnd(bytes, PATH_KINDS, from, end);
    while (at < end) {
      const kind = PATH_KINDS[bytes[at] as number];
      if (kind === ENDS) return at;
      if (kind === UNUSUAL) return NOT_PLAIN;
      if (kind === PERCENT && this.#isEscapedDot(at)) return NOT_PLAIN;
      this.#notice(kind as number, at, end);
      at = plainEnd(bytes, PATH_KINDS, at + 1, end);
    }
    return end;
  }

  #notice(kind: number, at: number, end: number): void {
    if (kind === DOT) this.hasDots ||= this.#bytes[at - 1] === SLASH && this.#mayBeDots(at, end);
    else if (kind === PERCENT) this.needsKey ||= !this.#isNormalEscape(at);
    else if (this.#watchesPath) this.needsKey ||= this.#mayBeSession(kind, at);
  }

  #scanQuery(from: number, end: number): number {
    const bytes = this.#bytes;
    this.needsKey ||= this.#mayBeStripped(from, end);
    let at = plainEnd(bytes, QUERY_KINDS, from, end);
    while (at < end) {
      const kind = QUERY_KINDS[bytes[at] as number];
      if (kind === AMPERSAND) this.needsKey ||= this.#mayBeStripped(at + 1, end);
      else if (kind === PERCENT) this.needsKey ||= !this.#isNormalEscape(at);
      else return kind === ENDS ? at : NOT_PLAIN;
      at = plainEnd(bytes, QUERY_KINDS, at + 1, end);
    }
    return end;
  }

  /**
   * Removes the dot segments from the path that was read from `from` on; `..` may go back to
   * `root`, just after the first slash of the path.
   */
  removeDots(root: number, from: number): void {
    const bytes = this.#bytes;
    let to = withoutDotSegments(bytes, root, from, this.#pathEnd);
    for (let at = this.#pathEnd; at < this.end; at += 1) bytes[to++] = bytes[at] as number;
    this.endAt(to);
  }

  #mayBeDots(at: number, end: number): boolean {
    if (at + 1 === end) return true;
    const next = this.#bytes[at + 1];
    return next === SLASH || next === FULL_STOP || next === QUESTION || next === HASH;
  }

  /** `;name=` anywhere, or a segment that begins `(S(` or has 24 characters in parentheses. */
  #mayBeSession(kind: number, at: number): boolean {
    if (kind === SEMICOLON) return true;
    const bytes = this.#bytes;
    const isNested = bytes[at + 2] === OPENING || bytes[at + 25] === CLOSING;
    return kind === PARENTHESIS && bytes[at - 1] === SLASH && isNested;
  }

  #mayBeStripped(at: number, end: number): boolean {
    const pair = pairOf(this.#bytes[at] as number, this.#bytes[at + 1] as number);
    const names = this.#strippable[pair] as readonly Uint8Array[];
    return names.length > 0 && names.some((name) => this.#isNameAt(name, at, end));
  }

  #isNameAt(name: Uint8Array, at: number, end: number): boolean {
    if (at + name.length > end) return false;
    // Names consist of lower-case letters, digits, `_` and `=`; the bit is the case of a letter.
    return name.every(
      (byte, index) => ((this.#bytes[at + index] as number) | 0x20) === (byte | 0x20),
    );
  }

  /** It may be part of a dot segment. */
  #isEscapedDot(at: number): boolean {
    const bytes = this.#bytes;
    return bytes[at + 1] === DIGIT_TWO && ((bytes[at + 2] as number) | 0x20) === LETTER_E;
  }

  /** Whether the digits are capitals, and the byte needs its escape. */
  #isNormalEscape(at: number): boolean {
    const high = CAPITAL_HEX[this.#bytes[at + 1] as number] as number;
    const low = CAPITAL_HEX[this.#bytes[at + 2] as number] as number;
    return (high | low) < 16 && !isUnreserved(high * 16 + low);
  }

  #isPunycode(labelAt: number): boolean {
    const bytes = this.#bytes;
    // Versions of the parser differ on bad punycode, so it must decide. The letters before the two
    // hyphens are not compared: other labels with hyphens there are rare enough.
    return bytes[labelAt + 2] === HYPHEN && bytes[labelAt + 3] === HYPHEN;
  }
}

const H = 0x68;
const T = 0x74;
const P = 0x70;
const S = 0x73;
const COLON = 0x3a;
const QUESTION = 0x3f;
const HASH = 0x23;
const SLASH = 0x2f;
const FULL_STOP = 0x2e;
const HYPHEN = 0x2d;
const OPENING = 0x28;
const CLOSING = 0x29;
const DIGIT_TWO = 0x32;
const LETTER_E = 0x65;

/** The values of hexadecimal digits that are not small letters; 255 for every other byte. */
const CAPITAL_HEX = new Uint8Array(256).fill(255);
for (const [value, digit] of [..."0123456789ABCDEF"].entries()) {
  CAPITAL_HEX[digit.charCodeAt(0)] = value;
}

/** Two bytes as ten bits, the same for capitals as for small letters. */
const PAIRS = 1024;

function pairOf(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31);
}

/**
 * The position of the first byte that is not plain. It is a loop of its own, with nothing else in
 * it: inside the loops that handle the other bytes the compiler would reload the address and length
 * of the buffer for every byte, which takes half as long again for the whole link.
 */
function plainEnd(bytes: Buffer, kinds: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && kinds[bytes[at] as number] === PLAIN) at += 1;
  return at;
}

function isLetter(byte: number | undefined): boolean {
  const small = (byte ?? 0) | 0x20;
  return small >= 0x61 && small <= 0x7a;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
