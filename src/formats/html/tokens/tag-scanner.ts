/**
 * What is between the name of a tag and its `>`: attributes, by the standard's tokenizer. A tag is
 * scanned in one pass over bytes that contain all of it; if its end is missing the result is
 * `INCOMPLETE`, and the scan is repeated from the start once more bytes have arrived.
 *
 * The quoting rules are subtle: a quote opens a value only right after `=`, and a `=` where a name
 * should begin is a name. `TagSkimmer` has the same for tags that come in pieces; a property test
 * compares the two on random bytes.
 */
import { HASH_START } from "./name-table.ts";

export const INCOMPLETE = -1;

/** Where the attributes of a tag go, as they are found, repeated names included. */
export interface AttributeTaker {
  /** The value is [valueFrom, valueTo) of the bytes, as written; empty when there is none. */
  take(hash: number, nameFrom: number, nameTo: number, valueFrom: number, valueTo: number): void;
}

const SPACE = 1;
const SLASH = 2;
const CLOSE = 4;
const EQUALS = 8;
/** Whitespace, `/` and `>` end a tag name. */
const TAG_NAME_END = SPACE | SLASH | CLOSE;
const NAME_END = TAG_NAME_END | EQUALS;
const VALUE_END = SPACE | CLOSE;

const CLASS = new Uint8Array(256);
for (const byte of [0x09, 0x0a, 0x0c, 0x0d, 0x20]) CLASS[byte] = SPACE;
CLASS[0x2f] = SLASH;
CLASS[0x3e] = CLOSE;
CLASS[0x3d] = EQUALS;

export function isTagNameEnd(byte: number): boolean {
  return ((CLASS[byte] as number) & TAG_NAME_END) !== 0;
}

/**
 * The position after the `>` of a tag, from anywhere after its name; or `INCOMPLETE`. Each attribute
 * is reported to the taker; there is none for the many tags of no interest.
 */
export function readAttributes(
  bytes: Uint8Array,
  from: number,
  end: number,
  taker: AttributeTaker | null,
): number {
  let at = from;
  for (;;) {
    while (at < end && ((CLASS[bytes[at] as number] as number) & (SPACE | SLASH)) !== 0) at++;
    if (at >= end) return INCOMPLETE;
    const nameFrom = at;
    let byte = bytes[at] as number;
    if (byte === 0x3e) return at + 1;
    let hash = HASH_START;
    // Most bytes of names are letters, which all come after `>` and need no look-up.
    do {
      hash = (Math.imul(hash, 31) + (byte | 0x20)) | 0;
      at++;
      if (at >= end) return INCOMPLETE;
      byte = bytes[at] as number;
    } while (byte > 0x3e || ((CLASS[byte] as number) & NAME_END) === 0);
    const nameTo = at;
    while (at < end && CLASS[bytes[at] as number] === SPACE) at++;
    if (at >= end) return INCOMPLETE;
    if (bytes[at] !== 0x3d) {
      taker?.take(hash, nameFrom, nameTo, nameTo, nameTo);
      continue;
    }
    at++;
    while (at < end && CLASS[bytes[at] as number] === SPACE) at++;
    if (at >= end) return INCOMPLETE;
    const first = bytes[at] as number;
    let valueFrom = at;
    if (first === 0x22 || first === 0x27) {
      at++;
      valueFrom = at;
      while (at < end && bytes[at] !== first) at++;
      if (at >= end) return INCOMPLETE;
      taker?.take(hash, nameFrom, nameTo, valueFrom, at);
      at++;
    } else {
      while (at < end && ((CLASS[bytes[at] as number] as number) & VALUE_END) === 0) at++;
      if (at >= end) return INCOMPLETE;
      taker?.take(hash, nameFrom, nameTo, valueFrom, at);
    }
  }
}

/**
 * Whether the tag that ends before `end` (its `>` included) closes itself: `<br/>`, `<br / >` not,
 * and not `<a href=x/>`, whose slash belongs to the value. Looked at only where it matters, inside
 * SVG and MathML, so the scans need not keep track of it.
 */
export function isSelfClosing(bytes: Uint8Array, from: number, end: number): boolean {
  if (bytes[end - 2] !== 0x2f || end - 2 < from) return false;
  let isClosing = true;
  readAttributes(bytes, from, end, {
    take(_hash, _nameFrom, _nameTo, _valueFrom, valueTo) {
      isClosing = valueTo !== end - 1;
    },
  });
  return isClosing;
}
