/**
 * Digests as people find them: hexadecimal, or in base 32 as WARC files write them, with or
 * without the name of the algorithm in front (`sha1:…`).
 */
import { ArgumentMistake } from "./atom.ts";

const BASE_32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** In lower-case hexadecimal. */
export function hexDigest(text: string): string {
  const digest = text.replace(/^[a-z0-9-]+:/i, "");
  // 32 characters of a SHA-1 are base 32 even when they all happen to be hexadecimal digits.
  const isBase32 = digest.length === 32 && /^sha-?1:/i.test(text);
  if (!isBase32 && /^(?:[0-9a-f]{2})+$/i.test(digest)) return digest.toLowerCase();
  if (/^[a-z2-7]{8,}$/i.test(digest)) return fromBase32(digest.toUpperCase());
  throw new ArgumentMistake(`"${text}" is not a digest in hexadecimal or base 32`);
}

function fromBase32(text: string): string {
  let hex = "";
  let bits = 0;
  let bitCount = 0;
  for (const letter of text) {
    bits = (bits << 5) | BASE_32.indexOf(letter);
    bitCount += 5;
    for (; bitCount >= 4; bitCount -= 4) {
      hex += ((bits >> (bitCount - 4)) & 15).toString(16);
    }
    bits &= (1 << bitCount) - 1;
  }
  return hex.slice(0, Math.floor((text.length * 5) / 8) * 2);
}
