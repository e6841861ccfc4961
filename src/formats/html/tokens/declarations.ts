/** What a `<!` opens: a comment, a CDATA section, a document type, or nothing in particular. */
import { INCOMPLETE } from "./tag-scanner.ts";

export const COMMENT_OPENING = 0;
export const CDATA_OPENING = 1;
export const DOCTYPE_OPENING = 2;
const BOGUS_OPENING = 3;

const COMMENT_OPEN = Buffer.from("--", "latin1");
const CDATA_OPEN = Buffer.from("[CDATA[", "latin1");
const DOCTYPE = Buffer.from("doctype", "latin1");

/** The length of what opens a comment or a CDATA section, after its `<!`. */
export const COMMENT_OPEN_BYTES: number = COMMENT_OPEN.length;
export const CDATA_OPEN_BYTES: number = CDATA_OPEN.length;

/**
 * What the bytes after `<!` open, or `INCOMPLETE` when they end too early to tell. CDATA sections
 * are only known to foreign content.
 */
export function openingAt(bytes: Uint8Array, at: number, end: number, isForeign: boolean): number {
  if (startsLike(bytes, at, end, COMMENT_OPEN)) {
    return end - at < COMMENT_OPEN.length ? INCOMPLETE : COMMENT_OPENING;
  }
  if (isForeign && startsLike(bytes, at, end, CDATA_OPEN)) {
    return end - at < CDATA_OPEN.length ? INCOMPLETE : CDATA_OPENING;
  }
  if (!startsLike(bytes, at, end, DOCTYPE, 0x20)) return BOGUS_OPENING;
  return end - at < DOCTYPE.length ? INCOMPLETE : DOCTYPE_OPENING;
}

/** Whether the bytes there, with these bits set, are the beginning of `word`, or all of it. */
function startsLike(
  bytes: Uint8Array,
  from: number,
  end: number,
  word: Uint8Array,
  bits = 0,
): boolean {
  const length = Math.min(word.length, end - from);
  for (let index = 0; index < length; index++) {
    if (((bytes[from + index] as number) | bits) !== word[index]) return false;
  }
  return true;
}
