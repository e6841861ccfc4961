/** Where comments and CDATA sections end. */

/**
 * The position after the comment that began before `from`; -1 if it does not end in these bytes.
 * `-->` ends it and so does `--!>`; dashes before `from` do not count.
 */
export function commentEnd(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from + 2; at < end; at++) {
    if (bytes[at] !== 0x3e) continue;
    const last = bytes[at - 1] === 0x21 ? at - 2 : at - 1;
    if (last - 1 >= from && bytes[last] === 0x2d && bytes[last - 1] === 0x2d) return at + 1;
  }
  return -1;
}

/** How many bytes at the end of an unfinished comment may belong to its end: `--!`. */
export const COMMENT_TAIL = 3;

/** The position of the `]]>` that ends a CDATA section, or -1. */
export function cdataEnd(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from + 2; at < end; at++) {
    if (bytes[at] === 0x3e && bytes[at - 1] === 0x5d && bytes[at - 2] === 0x5d) return at - 2;
  }
  return -1;
}

/** How many bytes at the end of an unfinished CDATA section may belong to its end: `]]`. */
export const CDATA_TAIL = 2;
